// Message IDs: parsed from text that was typed or pasted, and from the comment of a GIF.

const alphabet = "0123456789ABCDEFGHJKMNPQRSTVWXYZ";
const written = /[0-9A-Za-z]{4}(?:[- ]?[0-9A-Za-z]{4}){3}/g;
const comment = "mien message ";

/**
 * Returns the first message ID in a text or link as `XXXX-XXXX-XXXX-XXXX`, or `null`. Candidates with wrong check
 * characters are skipped.
 */
export function numberIn(text) {
  for (const [found] of text.slice(0, 2000).matchAll(written)) {
    const digits = [...found.toUpperCase()].filter((letter) => letter !== "-" && letter !== " ").map(digit);
    if (digits.length === 16 && fits(digits)) {
      return digits.map((value) => alphabet[value]).join("").replace(/(.{4})(?=.)/g, "$1-");
    }
  }
  return null;
}

/** Returns the secret part of a link, which follows the message ID and a slash, or `null`. */
export function keyIn(text) {
  return /[0-9A-Za-z]\/([\w-]{22})(?![\w-])/.exec(text.slice(0, 2000))?.[1] ?? null;
}

/** Returns the fragment of a message's link. */
export function linkOf(id, key) {
  return key ? `${id}/${key}` : id;
}

function digit(letter) {
  if (letter === "O") return 0;
  if (letter === "I" || letter === "L") return 1;
  return alphabet.indexOf(letter);
}

/** Verifies the three check characters of a Reed–Solomon code over GF(32): the roots 2, 4 and 8 must all give zero. */
function fits(digits) {
  if (digits.includes(-1)) return false;
  return [2, 4, 8].every((root) => digits.reduce((sum, value) => times(sum, root) ^ value, 0) === 0);
}

function times(left, right) {
  let product = 0;
  for (let bit = 0; bit < 5; bit += 1) {
    if ((right >> bit) & 1) product ^= left;
    left = left & 16 ? ((left << 1) ^ 0b100101) & 31 : left << 1;
  }
  return product;
}

/** Reports whether the bytes start with a GIF signature. */
export function isPicture(bytes) {
  return /^GIF8[79]a/.test(latin(bytes.subarray(0, 6)));
}

/** Returns the message ID in a GIF's comment, or `null`. A truncated file is read as far as it goes. */
export function numberInPicture(bytes) {
  let at = 13 + table(bytes[10]);
  while (at < bytes.length) {
    const kind = bytes[at];
    if (kind === 0x21) {
      const { data, next } = blocks(bytes, at + 2, bytes[at + 1] === 0xfe);
      if (data.startsWith(comment)) return numberIn(data.slice(comment.length));
      at = next;
    } else if (kind === 0x2c) {
      at = blocks(bytes, at + 11 + table(bytes[at + 9]), false).next;
    } else {
      return null;
    }
  }
  return null;
}

/** Reports whether a GIF has an image, and all of its blocks up to the one that ends it. */
export function isWhole(bytes) {
  let hasImage = false;
  let at = 13 + table(bytes[10]);
  while (at < bytes.length) {
    const kind = bytes[at];
    if (kind === 0x3b) return hasImage;
    if (kind !== 0x21 && kind !== 0x2c) return false;
    hasImage ||= kind === 0x2c;
    at = blocks(bytes, kind === 0x21 ? at + 2 : at + 11 + table(bytes[at + 9]), false).next;
  }
  return false;
}

/** Returns the length of a color table in bytes. */
function table(flags) {
  return flags & 0x80 ? 3 << ((flags & 7) + 1) : 0;
}

function blocks(bytes, start, kept) {
  let data = "";
  let next = start;
  while (next < bytes.length && bytes[next] !== 0) {
    if (kept && data.length < 256) data += latin(bytes.subarray(next + 1, next + 1 + bytes[next]));
    next += bytes[next] + 1;
  }
  return { data, next: next + 1 };
}

function latin(bytes) {
  return String.fromCharCode(...bytes);
}
