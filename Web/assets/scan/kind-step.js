// First question of a scan: what is scanned. It decides which photos are asked for, and how the scan is judged.

import { html, svg } from "../core/dom.js";
import { heading } from "./components.js";

export const kinds = ["face", "object", "room"];

const drawn = {
  face: "M12 3c4.6 0 7 3.4 7 8.6C19 17 16.2 21 12 21s-7-4-7-9.4C5 6.4 7.4 3 12 3zM9 11v.1M15 11v.1M9.5 15.5c1.6 1.2 3.4 1.2 5 0",
  object: "M12 3l8 4.5v9L12 21l-8-4.5v-9zM4 7.5l8 4.5 8-4.5M12 12v9",
  room: "M3 4v16M21 4v16M3 4l5 4h8l5-4M3 20l5-4h8l5 4M8 8v8M16 8v8",
};

/** Builds the screen; calls `chosen(kind)`. `current` is the kind chosen before, if any. */
export function kindScreen(texts, current, chosen) {
  return [
    heading(texts.text("scan.title")),
    html("ul", { class: "kinds" }, kinds.map((kind) => {
      const made = html("button", {
        class: "kind", type: "button", id: `kind-${kind}`, "aria-describedby": `kind-${kind}-text`,
        "aria-current": kind === current ? "true" : null,
      }, kindIcon(kind), html("span", { class: "name" }, texts.text(`scan.kind.${kind}`)));
      made.addEventListener("click", () => chosen(kind));
      return html("li", {}, made, html("p", { class: "soft", id: `kind-${kind}-text` }, texts.text(`scan.kind.${kind}.text`)));
    })),
  ];
}

/** Draws the sign of a kind. */
export function kindIcon(kind) {
  return svg("svg", { class: "icon", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: drawn[kind] ?? drawn.object }));
}
