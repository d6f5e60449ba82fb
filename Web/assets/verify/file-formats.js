// Formats of files by their first bytes, so that a file that is no photo is refused before it is sent. The server decides by the
// bytes as well, and names more formats.

/** Number of first bytes that are examined. */
const headBytes = 32;

// Endings of raw files that look like TIFF by their first bytes.
const raw = /\.(dng|nef|nrw|arw|sr2|srf|cr2|pef|orf|rw2|srw|3fr|iiq|erf|kdc|dcr)$/i;

// First bytes as text, one character each; entries without a name are unknown formats or no pictures.
const formats = [
  [/^\xff\xd8\xff/, "photo"],
  [/^\x89PNG\r\n\x1a\n/, "photo"],
  [/^RIFF[^]{4}WEBP/, "photo"],
  // No photo, but messages are GIFs, and their content credentials can be read.
  [/^GIF8[79]a/, "photo"],
  [/^[^]{4}ftyp(heic|heix|heim|heis|hevc|hevx|mif1|msf1|avif|avis|miaf)/, "photo"],
  [/^[^]{4}ftypcrx /, "RAW"],
  [/^(FUJIFILMCCD-RAW|IIRO|IIRS|MMOR|IIU\0)/, "RAW"],
  [/^(II\*\0|MM\0\*|II\+\0|MM\0\+)/, "TIFF"],
  [/^BM[^]{4}\0\0\0\0/, "BMP"],
  [/^8BPS/, "Photoshop"],
  [/^(\xff\x0a|\0\0\0\x0cJXL )/, "JPEG XL"],
  [/^(\0\0\0\x0cjP  |\xff\x4f\xff\x51)/, "JPEG 2000"],
];

/** Returns the reason to refuse a file as a key of a text with its values; `null` for a photo, whatever its name. */
export async function refusal(file) {
  const bytes = new Uint8Array(await file.slice(0, headBytes).arrayBuffer());
  const head = String.fromCharCode(...bytes);
  const format = formats.find(([pattern]) => pattern.test(head))?.[1];
  if (format === "photo") return null;
  if (!format) return { key: "verify.refused.other", values: {} };
  const name = format === "TIFF" && raw.test(file.name) ? "RAW" : format;
  return { key: "verify.refused.format", values: { format: name } };
}
