// Hints inside the 3-D view: how to move it, until it has been moved, and all keys on request.

import { html } from "../core/dom.js";
import { button } from "./components.js";

export class ViewHelp {
  #short;
  #long;

  /** The hint and the keys, for the view. */
  parts;
  /** Button that shows the keys. */
  toggle;

  constructor(texts) {
    const isTouch = matchMedia("(pointer: coarse)").matches;
    this.#short = html("p", { class: "view-hint", dir: "auto", id: "view-hint" }, texts.text(isTouch ? "scan.view3d.touch" : "scan.view3d.mouse"));
    this.#long = html("p", { class: "view-keys", dir: "auto", id: "view-keys", hidden: true }, texts.text("scan.view3d.keys"));
    this.toggle = button("view-help", texts.text("scan.view3d.help"), () => this.#show(this.#long.hidden), "button quiet");
    this.toggle.setAttribute("aria-expanded", "false");
    this.toggle.setAttribute("aria-controls", "view-keys");
    this.parts = [this.#short, this.#long];
  }

  /** Removes the hint once the view was moved. */
  used() {
    this.#short.hidden = true;
  }

  #show(on) {
    this.#long.hidden = !on;
    this.used();
    this.toggle.setAttribute("aria-expanded", String(on));
  }
}
