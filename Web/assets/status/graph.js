// Small graph of the last five minutes; the newest value is beside its name, and the graph is described in words for
// screen readers.

import { html, svg } from "../core/dom.js";

const width = 300;
const height = 72;
const room = 4; // padding above and below, so that no line is clipped

export class Graph {
  #line = svg("path", { class: "line" });
  #area = svg("path", { class: "area" });
  #gap = svg("path", { class: "line second" });
  #now = html("strong", {});
  #drawing = svg("svg", { viewBox: `0 0 ${width} ${height}`, preserveAspectRatio: "none", role: "img" });
  #values = [];
  #others = [];

  /** `say` formats a value, `told` the accessible description; `other` is the name of a second line. */
  constructor({ id, name, points, say, told, floor, other = null }) {
    Object.assign(this, { name, points, say, told, floor });
    this.#drawing.append(this.#area, this.#gap, this.#line);
    this.element = html("section", { class: "graph", id, "aria-labelledby": `${id}-name` },
      html("h2", { id: `${id}-name` }, name), html("p", { class: "now" }, this.#now, other ? html("span", {}, other) : []),
      this.#drawing);
    this.add(null);
  }

  /** Adds the newest value; `null` if nothing was measured. */
  add(value, other = null) {
    this.#values = [...this.#values, value].slice(-this.points);
    this.#others = [...this.#others, other].slice(-this.points);
    const known = this.#values.filter((each) => each !== null);
    const most = Math.max(0, ...known, ...this.#others.filter((each) => each !== null));
    const now = value === null ? "–" : this.say(value);
    this.#now.textContent = now;
    this.#drawing.setAttribute("aria-label", this.told({ name: this.name, now, most: known.length ? this.say(most) : "–" }));
    const top = Math.max(most, this.floor);
    this.#line.setAttribute("d", this.#path(this.#values, top));
    this.#area.setAttribute("d", this.#path(this.#values, top, true));
    this.#gap.setAttribute("d", this.#path(this.#others, top));
  }

  /** Reports whether nothing but zero was measured in the window. */
  get isQuiet() {
    return [...this.#values, ...this.#others].every((value) => !value);
  }

  // Missing values leave a gap; the newest value is at the end.
  #path(values, top, closes = false) {
    const step = width / (this.points - 1);
    const begin = this.points - values.length;
    const y = (value) => (height - room - (value / top) * (height - 2 * room)).toFixed(1);
    let path = "";
    let since = null;
    const close = (x) => {
      if (closes && since !== null) path += `L${x} ${height}L${since} ${height}Z`;
      since = null;
    };
    let last = "0";
    values.forEach((value, index) => {
      const x = ((begin + index) * step).toFixed(1);
      if (value === null) {
        close(last);
        return;
      }
      path += `${since === null ? "M" : "L"}${x} ${y(value)}`;
      since ??= x;
      last = x;
    });
    close(last);
    return path;
  }
}
