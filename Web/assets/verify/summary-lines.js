// Summary lines of a report: one claim each, with its status and the reasons.

import { html } from "../core/dom.js";
import { sign } from "./components.js";

/** Builds the list; `kind` is its class. */
export function lineList(lines, texts, kind = "lines") {
  return html("ul", { class: kind }, lines.map((line) => lineItem(line, texts)));
}

function lineItem({ name, status, reasons }, texts) {
  return html("li", { "data-line": name, "data-status": status },
    sign(status),
    html("div", {},
      html("h3", {}, texts.text(`verify.line.${name}`)),
      reasons.map((reason) => html("p", {}, texts.text(`verify.reason.${reason}`)))),
    html("p", { class: "status" }, texts.text(`verify.status.${status}`)));
}
