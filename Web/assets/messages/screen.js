// Screens of the message pages without text: `Texts.fill` inserts it.

import { html } from "../core/dom.js";

/** Builds a screen with a focusable heading. Without `key`, its text is set when the screen is shown. */
export function screen(name, look, key, ...parts) {
  const id = `${name}-title`;
  return html("section", { class: `screen ${look}`, "data-screen": name, "aria-labelledby": id, hidden: true },
    html("h1", { class: "title", id, tabindex: "-1", "data-text": key }), ...parts);
}

/** Builds a short-lived waiting screen: an animation, and a heading that says what it is for. */
export function waiting(name, key, sign) {
  const made = screen(name, "card centered", key);
  made.prepend(html("span", { class: sign, "aria-hidden": "true" }));
  return made;
}

/** Builds a button; `quiet` for a secondary one. */
export function button(id, key, { quiet = false, hidden = false } = {}) {
  return html("button", { class: quiet ? "button quiet" : "button", type: "button", id, "data-text": key, hidden });
}

/** Builds the line with a message ID. */
export function numberLine() {
  return html("p", { class: "number" },
    html("span", { "data-text": "messages.number" }), " ", html("code", { id: "number", dir: "ltr" }));
}

/** Builds an empty image element for a GIF. */
export function picture(id, look) {
  return html("img", { class: look, id, width: 256, height: 256, alt: "", hidden: true });
}
