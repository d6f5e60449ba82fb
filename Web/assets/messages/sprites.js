// Bear and fox as pieces of their sheets: the style names the place, the page the words.

import { html } from "../core/build.js";

/** The expressions in the order of the sheets. */
export const expressions = ["wink_l", "tongue_out", "surprise", "wink_r", "smile", "smooch"];
export const avatars = ["bear", "fox"];

/** A sprite; without `label` it says nothing to a screen reader. */
export function sprite(avatar, expression, label = null) {
  const said = label === null ? { "aria-hidden": "true" } : { role: "img", "aria-label": label };
  return html("span", { class: "sprite", "data-avatar": avatar, "data-expression": expression, ...said });
}

/** Performed expressions as a row of sprites with their names. */
export function row(avatar, names, texts) {
  return names.map((name) =>
    html("li", {}, sprite(avatar, name), html("span", {}, texts.text(`expression.${name}`))));
}
