// Small components shared by the scan pages.

import { html, svg } from "../core/dom.js";

/** Builds a button with its text. */
export function button(id, words, action, look = "button") {
  const made = html("button", { class: look, type: "button", id }, words);
  made.addEventListener("click", () => action(made));
  return made;
}

/** Builds a decorative icon; the text is beside it or in the label. */
export function icon(path) {
  return svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: path }));
}

export function heading(words) {
  return html("h1", { id: "title", tabindex: "-1" }, words);
}

export function section(id, title, ...parts) {
  return html("section", { class: "block", "aria-labelledby": id }, html("h2", { id }, title), ...parts);
}

/** Builds a field with its label above it. */
export function field(id, words, input) {
  input.id = id;
  return html("p", { class: "text-field" }, html("label", { for: id }, words), input);
}

/** Announces a text to screen readers. */
export function announce(words) {
  document.getElementById("polite").textContent = words;
}

/**
 * Runs `work`, which rebuilds a list's rows, and returns the focus to the same button: in the row of `id`, otherwise in
 * the row that took its place, otherwise to `rest`. `key` is the data attribute with the rows' IDs, `action` the
 * button's action.
 */
export async function keepFocus(list, { key, id, action, rest }, work) {
  const index = [...list.children].findIndex((each) => each.dataset[key] === id);
  await work();
  const rows = [...list.children];
  const row = rows.find((each) => each.dataset[key] === id) ?? rows[Math.min(Math.max(index, 0), rows.length - 1)];
  (row?.querySelector(`[data-action="${action}"]`) ?? rest).focus();
}
