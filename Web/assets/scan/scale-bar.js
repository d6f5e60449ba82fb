// Scale of the 3-D view: a bar of a round length, as things at the center of the view appear.

import { html } from "../core/dom.js";
import { roundLength } from "./extent.js";
import { length } from "./format.js";

const longest = 130; // pixels

export class ScaleBar {
  #texts;
  #bar = html("span", { class: "bar" });
  #words = html("bdi");

  element;

  constructor(texts) {
    this.#texts = texts;
    this.element = html("p", { class: "view-scale", id: "view-scale", "aria-hidden": "true" }, this.#bar, this.#words);
  }

  /** Shows the scale for `pixels` per meter. */
  show(pixels) {
    this.element.hidden = !(pixels > 0 && Number.isFinite(pixels));
    if (this.element.hidden) return;
    const meters = roundLength(longest / pixels);
    this.#bar.style.inlineSize = `${meters * pixels}px`;
    const words = length(meters * 1000, this.#texts.locale, { isRound: true });
    if (this.#words.textContent !== words) this.#words.textContent = words;
  }
}
