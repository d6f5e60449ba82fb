// Numbers and error messages in the page's language.

import { hasAccounts, isReadOnly } from "../page/account.js";

const kinds = ["byte", "kilobyte", "megabyte", "gigabyte"];
/** Units of a length with their size in millimeters, their decimals, and the length from which they are used. */
const lengths = [
  { unit: "meter", size: 1000, digits: 2, from: 1000 }, { unit: "centimeter", size: 10, digits: 1, from: 100 },
  { unit: "millimeter", size: 1, digits: 1, from: 0 },
];

/** Formats a number of bytes in kB, MB or GB. */
export function bytes(count, language) {
  const power = count < 1000 ? 1 : Math.min(3, Math.floor(Math.log10(count) / 3));
  return new Intl.NumberFormat(language, {
    style: "unit", unit: kinds[power], unitDisplay: "short", maximumFractionDigits: power > 1 || count < 1000 ? 1 : 0,
  }).format(count / 1000 ** power);
}

export function speed(perSecond, language) {
  return new Intl.NumberFormat(language, {
    style: "unit", unit: "megabyte-per-second", unitDisplay: "short", maximumSignificantDigits: 2,
  }).format(perSecond / 1e6);
}

/** Formats a duration in its largest suitable unit. */
export function duration(seconds, language) {
  const [unit, size] = seconds < 90 ? ["second", 1] : seconds < 5400 ? ["minute", 60] : ["hour", 3600];
  return new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long", maximumFractionDigits: 0 })
    .format(Math.max(1, Math.ceil(seconds / size)));
}

export function millimeters(value, language, digits = 1) {
  return new Intl.NumberFormat(language, {
    style: "unit", unit: "millimeter", unitDisplay: "short", minimumFractionDigits: digits, maximumFractionDigits: digits,
  }).format(value);
}

/** Formats a length in millimeters in mm, cm or m. A round length, as on a scale, has no decimals that are zero. */
export function length(value, language, { isRound = false, digits = null } = {}) {
  const { unit, size, digits: usual } = lengths.find(({ unit, from }) => value >= (isRound && unit === "centimeter" ? 10 : from));
  const decimals = digits ?? usual;
  return new Intl.NumberFormat(language, {
    style: "unit", unit, unitDisplay: "short", minimumFractionDigits: isRound ? 0 : decimals, maximumFractionDigits: isRound ? 3 : decimals,
  }).format(value / size);
}

/** Formats the edges of a box, in millimeters, in one unit: `4.2 × 3.1 × 2.4 m`. */
export function edges(values, language) {
  const { unit, size, digits } = lengths.find(({ from }) => Math.max(...values) >= from);
  const plain = new Intl.NumberFormat(language, { maximumFractionDigits: digits });
  const last = new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "short", maximumFractionDigits: digits });
  return values.map((value, index) => (index < values.length - 1 ? plain : last).format(value / size)).join(" × ");
}

export function number(value, language) {
  return new Intl.NumberFormat(language, { maximumSignificantDigits: 3 }).format(value);
}

/** Formats a fraction as a percentage with at most `digits` decimals. */
export function percent(share, language, digits = 0) {
  return new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: digits }).format(share);
}

export function day(text, language) {
  return new Intl.DateTimeFormat(language, { dateStyle: "full", timeZone: "UTC" }).format(new Date(`${text}T00:00:00Z`));
}

export function time(text, language) {
  return new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "short" }).format(new Date(text));
}

/** Returns the text of a server's remark, or the server's own English text if this page has none for its code. */
export function remark({ code, values, text }, texts) {
  const key = `scan.remark.${code}`;
  return texts.has(key) ? texts.text(key, values) : text;
}

/** Returns the message for an error. */
export function errorMessage(error, texts) {
  if (error.code === "unauthorized" && hasAccounts()) return texts.text("account.lead");
  if (error.code === "forbidden" && isReadOnly()) return texts.text("account.looks");
  const key = `scan.trouble.${error.code ?? error.status ?? error.message}`;
  if (texts.has(key)) return texts.text(key);
  if (error instanceof TypeError || error instanceof ReferenceError) console.error(error);
  const refusal = error.code ?? error.status;
  return error.detail ?? texts.text(refusal ? "trouble.refused" : "scan.trouble.unreachable", { code: refusal });
}
