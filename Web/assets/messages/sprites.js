// Bear and fox as pieces of their sheets: the style names the place, the page the words.

import { html } from "../core/build.js";
import { ownSheet } from "./own.js";

/** The expressions in the order of the sheets. */
export const expressions = ["wink_l", "tongue_out", "surprise", "wink_r", "smile", "smooch"];
export const avatars = ["bear", "fox"];
// Not on a sheet of six; there the left wink stands for them, as in its GIF.
const resting = ["neutral", "blink"];

/** A sprite; without `label` it says nothing to a screen reader. */
export function sprite(avatar, expression, label = null) {
  const said = label === null ? { "aria-hidden": "true" } : { role: "img", "aria-label": label };
  const shown = avatar === "own" && resting.includes(expression) ? "wink_l" : expression;
  const made = html("span", { class: "sprite", "data-avatar": avatar, "data-expression": shown, ...said });
  const own = avatar === "own" && ownSheet();
  if (own) made.style.backgroundImage = `url("${own}")`;
  return made;
}

/** Performed expressions as a row of sprites with their names. */
export function row(avatar, names, texts) {
  return names.map((name) =>
    html("li", {}, sprite(avatar, name), html("span", {}, texts.text(`expression.${name}`))));
}
