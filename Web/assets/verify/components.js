// Small components shared by the capture pages.

import { html, svg } from "../core/dom.js";

const drawn = {
  pass: "M5 12.5l4.5 4.5L19 7.5",
  fail: "M7 7l10 10M17 7L7 17",
  "not-checked": "M6 12h12",
  unavailable: "M9 9a3 3 0 1 1 4.2 2.7c-.8.4-1.2 1-1.2 2v.3M12 17.5v.1",
};

/** Builds the icon of a status; its text is always beside it. */
export function sign(status) {
  return svg("svg", { class: "sign", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: drawn[status] }));
}

/** Builds a definition list of pairs; pairs with a `null` value are omitted. */
export function facts(pairs) {
  return html("dl", { class: "facts" }, pairs.filter(([, value]) => value !== null).flatMap(([name, value]) => [
    html("dt", {}, name), html("dd", {}, html("bdi", {}, value)),
  ]));
}

export function section(id, title, ...parts) {
  return html("section", { class: "block", "aria-labelledby": id }, html("h2", { id }, title), ...parts);
}

/** Builds a section that is folded until it is asked for. */
export function fold(id, title, ...parts) {
  return html("details", { class: "fold", id: `fold-${id}` },
    html("summary", {}, html("h2", { id }, title)), html("div", { class: "inside" }, ...parts));
}

/** Formats a number with at most `digits` significant digits. */
export function number(value, language, digits = 3) {
  return new Intl.NumberFormat(language, { maximumSignificantDigits: digits }).format(value);
}

/** Formats a share of 0…1 with at most `digits` digits after the separator. */
export function percent(value, language, digits = 1) {
  return new Intl.NumberFormat(language, { style: "percent", maximumFractionDigits: digits }).format(value);
}

export function time(text, language) {
  return new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "long" }).format(new Date(text));
}
