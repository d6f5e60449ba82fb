// Distance between two points on the surface, with a line and a label: selected by tap or click, or by key at the cross
// in the center.

import { html, svg } from "../core/dom.js";
import { length } from "./format.js";

export class Measure {
  #view;
  #points = [];
  #isOn = false;
  #lines = [svg("line", { class: "edge" }), svg("line", {})];
  #ends = [0, 1].map(() => svg("circle", { r: 6 }));

  /** Line between the points, over the canvas. */
  overlay = svg("svg", { class: "view-lines", "aria-hidden": "true" }, this.#lines, this.#ends);
  label = html("p", { class: "view-label", dir: "auto", hidden: true });
  cross = html("span", { class: "view-cross", "aria-hidden": "true", hidden: true });
  /** Called with the status text. */
  told = () => {};

  /** Takes the viewer's `{ three, camera, canvas, texts, hit, draw }`; `hit(x, y)` is the point of the surface there. */
  constructor(view) {
    this.#view = view;
    this.place();
  }

  get isOn() {
    return this.#isOn;
  }

  turn(on) {
    this.#isOn = on;
    this.cross.hidden = !on;
    this.clear();
    if (on) this.told(this.#view.texts.text("scan.measure.first"));
  }

  clear() {
    this.#points = [];
    this.label.hidden = true;
    this.told("");
    this.#view.draw();
  }

  /** Selects the surface at a place of the view. */
  pick(x, y) {
    if (!this.#isOn) return;
    const { texts, hit, draw } = this.#view;
    const point = hit(x, y);
    if (!point) {
      this.told(texts.text("scan.measure.missed"));
      return;
    }
    if (this.#points.length === 2) this.#points = [];
    this.#points.push(point);
    this.label.hidden = this.#points.length < 2;
    if (this.#points.length === 2) {
      const words = length(this.#points[0].distanceTo(this.#points[1]) * 1000, texts.locale);
      this.label.textContent = words;
      this.told(texts.text("scan.measure.distance", { distance: words }));
    } else {
      this.told(texts.text("scan.measure.second"));
    }
    draw();
  }

  /** Moves the line and the label to where the points are in the view. */
  place() {
    const { camera, canvas } = this.#view;
    const shown = this.#points.map((point) => {
      const at = point.clone().project(camera);
      return at.z > 1 ? null : [((at.x + 1) / 2) * canvas.clientWidth, ((1 - at.y) / 2) * canvas.clientHeight];
    });
    this.#ends.forEach((end, index) => {
      const at = shown[index];
      show(end, at);
      if (at) set(end, { cx: at[0], cy: at[1] });
    });
    const [from, to] = shown;
    const isWhole = Boolean(from && to);
    for (const line of this.#lines) {
      show(line, isWhole);
      if (isWhole) set(line, { x1: from[0], y1: from[1], x2: to[0], y2: to[1] });
    }
    this.label.hidden = !isWhole;
    if (!isWhole) return;
    this.label.style.left = `${(from[0] + to[0]) / 2}px`;
    this.label.style.top = `${(from[1] + to[1]) / 2}px`;
  }
}

function show(element, isShown) {
  element.toggleAttribute("data-shown", Boolean(isShown));
}

function set(element, attributes) {
  for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value.toFixed(1));
}
