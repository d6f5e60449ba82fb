// The screens of the message pages, empty of words: `Texts.fill` puts them in.

import { html } from "../core/build.js";

/** A screen with a heading that takes the focus. Without `key` its words are set when it is shown. */
export function screen(name, look, key, ...parts) {
  const id = `${name}-title`;
  return html("section", { class: `screen ${look}`, "data-screen": name, "aria-labelledby": id, hidden: true },
    html("h1", { class: "title", id, tabindex: "-1", "data-text": key }), ...parts);
}

/** A screen that is soon over: something moves, and a heading says what for. */
export function waiting(name, key, sign) {
  const made = screen(name, "card centred", key);
  made.prepend(html("span", { class: sign, "aria-hidden": "true" }));
  return made;
}

/** A button; `quiet` for the lesser one. */
export function button(id, key, { quiet = false, hidden = false } = {}) {
  return html("button", { class: quiet ? "button quiet" : "button", type: "button", id, "data-text": key, hidden });
}

/** Where a message's number is written. */
export function numberLine() {
  return html("p", { class: "number" },
    html("span", { "data-text": "messages.number" }), " ", html("code", { id: "number", dir: "ltr" }));
}

/** A GIF, with nothing in it yet. */
export function picture(id, look) {
  return html("img", { class: look, id, width: 256, height: 256, alt: "", hidden: true });
}
