// Files of exported lists.

/**
 * Returns records as CSV (RFC 4180) with the names of the members as the first line. A text that a spreadsheet would take
 * for a formula gets an apostrophe in front.
 */
export function csv(columns, records) {
  const lines = records.map((record) => columns.map((name) => cell(record[name])).join(","));
  return `${[columns.join(","), ...lines].join("\r\n")}\r\n`;
}

function cell(value) {
  if (value === undefined || value === null) return "";
  if (typeof value !== "string") return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Saves a text as a file under a name. */
export function saveText(text, type, name) {
  const address = URL.createObjectURL(new Blob([text], { type }));
  const link = Object.assign(document.createElement("a"), { href: address, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(address), 60_000);
}
