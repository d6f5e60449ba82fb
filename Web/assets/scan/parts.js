// Small pieces that the pages of scans are made of.

import { html, svg } from "../core/build.js";

/** A button with its text. */
export function button(id, words, action, look = "button") {
  const made = html("button", { class: look, type: "button", id }, words);
  made.addEventListener("click", () => action(made));
  return made;
}

/** A drawn sign; the word stands beside it or in the label. */
export function icon(path) {
  return svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: path }));
}

export function heading(words) {
  return html("h1", { id: "title", tabindex: "-1" }, words);
}

export function section(id, title, ...parts) {
  return html("section", { class: "block", "aria-labelledby": id }, html("h2", { id }, title), ...parts);
}

/** A field with its label above it. */
export function field(id, words, input) {
  input.id = id;
  return html("p", { class: "text-field" }, html("label", { for: id }, words), input);
}

/** Says something to a screen reader. */
export function announce(words) {
  document.getElementById("polite").textContent = words;
}

/** Does something that builds a list's rows anew, and leaves the keyboard at the same button: of the row of `id`, else of the one that took its
 * place, else at `rest`. `key` names the data attribute that has the rows' ids, `action` the button's. */
export async function keepPlace(list, { key, id, action, rest }, work) {
  const index = [...list.children].findIndex((each) => each.dataset[key] === id);
  await work();
  const rows = [...list.children];
  const row = rows.find((each) => each.dataset[key] === id) ?? rows[Math.min(Math.max(index, 0), rows.length - 1)];
  (row?.querySelector(`[data-action="${action}"]`) ?? rest).focus();
}
