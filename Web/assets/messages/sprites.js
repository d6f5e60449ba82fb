// Sprites of the avatars: the style sheet selects the part of the sprite sheet, the page provides the label.

import { html } from "../core/dom.js";
import { ownSheet } from "./custom-avatar.js";

/** Expressions in the order of the sprite sheets. */
export const expressions = ["wink_l", "tongue_out", "surprise", "wink_r", "smile", "smooch"];
/** Expressions that count in front of a camera; the server does not recognize the others reliably. */
export const counted = ["wink_l", "wink_r", "smile", "smooch"];
export const avatars = ["bear", "fox"];
// Missing on a user's own sheet of six sprites; the left wink replaces them, as in its GIF.
const resting = ["neutral", "blink"];

/** Builds a sprite; without `label`, screen readers ignore it. */
export function sprite(avatar, expression, label = null) {
  const said = label === null ? { "aria-hidden": "true" } : { role: "img", "aria-label": label };
  const shown = avatar === "own" && resting.includes(expression) ? "wink_l" : expression;
  const made = html("span", { class: "sprite", "data-avatar": avatar, "data-expression": shown, ...said });
  const own = avatar === "own" && ownSheet();
  if (own) made.style.backgroundImage = `url("${own}")`;
  return made;
}

/** Builds a row of sprites with the names of the performed expressions. */
export function row(avatar, names, texts) {
  return names.map((name) =>
    html("li", {}, sprite(avatar, name), html("span", {}, texts.text(`expression.${name}`))));
}
