// Small components of the console.

import { html } from "../core/dom.js";
import { announce } from "../scan/components.js";

/** Builds a definition list of pairs; pairs without a value are omitted. */
export function facts(pairs) {
  return html("dl", { class: "facts" }, pairs.filter(([, value]) => value !== null && value !== undefined && value !== "").flatMap(([name, value]) => [
    html("dt", {}, name), html("dd", {}, value instanceof Node ? value : html("bdi", {}, String(value))),
  ]));
}

/** Builds a table that scrolls sideways in its own region, which has the name of the element `label`. */
export function table(label, columns, rows) {
  return html("div", { class: "wide", role: "region", tabindex: "0", "aria-labelledby": label }, html("table", {},
    html("thead", {}, html("tr", {}, columns.map((name) => html("th", { scope: "col" }, name)))),
    html("tbody", {}, rows.map(([head, ...cells]) => html("tr", {}, html("th", { scope: "row" }, head),
      cells.map((cell) => html("td", {}, cell ?? "–")))))));
}

/** Builds a code that reads from left to right in every language. */
export function code(text) {
  return html("code", { dir: "ltr" }, text);
}

/** Builds an ID with a button that copies it. */
export function copyableID(id, texts) {
  const button = html("button", { class: "plain", type: "button" }, texts.text("home.copy"));
  button.setAttribute("aria-label", texts.text("console.copy", { id }));
  button.addEventListener("click", async () => {
    const key = await navigator.clipboard.writeText(id).then(() => "home.copied", () => "home.copy-failed");
    button.textContent = texts.text(key);
    announce(texts.text(key));
  });
  return html("span", { class: "copied" }, code(id), button);
}

export function chip(tone, words) {
  return html("span", { class: "state", "data-tone": tone }, words);
}

export function number(value, language, digits = 3) {
  return new Intl.NumberFormat(language, { maximumSignificantDigits: digits }).format(value);
}

/** Formats a fraction as a percentage; small ones keep two digits. */
export function percent(share, language) {
  return new Intl.NumberFormat(language, { style: "percent", maximumSignificantDigits: 2 }).format(share);
}

export function dateTime(text, language) {
  return new Intl.DateTimeFormat(language, { dateStyle: "medium", timeStyle: "medium" }).format(new Date(text));
}

/** Builds a time with its exact value for machines. */
export function timeElement(text, language) {
  return html("time", { datetime: text }, dateTime(text, language));
}

/** Returns the text for a code, or the code itself if there is none. */
export function textOrCode(prefix, value, texts) {
  const key = `${prefix}.${value}`;
  return texts.has(key) ? texts.text(key) : value;
}

/** Builds a text with elements in place of its placeholders. */
export function textWithElements(key, values, texts) {
  const parts = texts.text(key).split(/\{(\w+)\}/);
  return html("span", {}, parts.map((part, index) => (index % 2 === 0 ? part : values[part] ?? part)));
}

/** Builds the text for a code with the code as its tooltip, or the code itself if there is no text. */
export function codeWithTooltip(key, value, texts) {
  return key && texts.has(key) ? html("span", { title: value }, texts.text(key)) : code(value);
}
