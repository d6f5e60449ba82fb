// Names and pictures beside the camera: the sequence of an open message with its next step marked, or all expressions that count.
//
// The pictures are mirrored like the preview of the person, so that a person who imitates them closes the correct eye.

import { html } from "../core/dom.js";
import { counted, sprite } from "./sprites.js";

export class ExpressionGuide {
  #texts = null;
  #steps = null;
  #items = [];
  #title = html("h2", { id: "guide-title" });
  #list = html("ol", { class: "faces mirrored", id: "guide-list", tabindex: "0", "aria-labelledby": "guide-title" });
  #how = html("p", { class: "how", id: "guide-how" });

  element = html("section", { class: "guide", id: "guide", "aria-labelledby": "guide-title" }, this.#title, this.#list, this.#how);

  /** Shows the names of a sequence, or all expressions if it is `null`; `key` is that of the title. */
  show(texts, avatar, steps, key) {
    this.#texts = texts;
    this.#steps = steps;
    this.#title.textContent = texts.text(key);
    this.#items = (steps ?? counted).map((name, index) => html("li", { "data-expression": name },
      steps ? html("span", { class: "number", "aria-hidden": "true" }, String(index + 1)) : [],
      sprite(avatar, name), html("span", { class: "name" }, texts.text(`expression.${name}`))));
    this.#list.replaceChildren(...this.#items);
    this.#list.toggleAttribute("data-sequence", steps !== null);
    this.mark(0, null);
  }

  /** Marks the next step after `done` ones, or the expression that is seen. */
  mark(done, seen) {
    this.#items.forEach((item, index) => {
      const isNext = this.#steps ? index === done : item.dataset.expression === seen;
      item.toggleAttribute("data-done", this.#steps !== null && index < done);
      if (isNext === item.hasAttribute("data-next")) return;
      item.toggleAttribute("data-next", isNext);
      if (!this.#steps) return;
      if (isNext) item.setAttribute("aria-current", "step");
      else item.removeAttribute("aria-current");
      if (isNext) this.#reveal(item);
    });
    const name = this.#steps ? this.#steps[done] : seen;
    const words = name ? this.#texts.text(`expression.${name}.how`) : "";
    if (this.#how.textContent !== words) this.#how.textContent = words;
  }

  /** Scrolls the list, and not the page, to the next step. */
  #reveal(item) {
    const list = this.#list;
    if (list.scrollWidth <= list.clientWidth) return;
    const [from, to] = [list.getBoundingClientRect(), item.getBoundingClientRect()];
    list.scrollLeft += to.left + to.width / 2 - (from.left + from.width / 2);
  }
}
