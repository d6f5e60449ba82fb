// List of short statements, each with an icon.

import { html, svg } from "../core/dom.js";

export function renderPoints(list, statements, mark) {
  list.append(...statements.map((statement) => html("li", {}, icon(mark), html("span", {}, statement))));
}

function icon(mark) {
  return svg("svg", { viewBox: "0 0 20 20", "aria-hidden": "true" }, svg("path", { d: mark }));
}
