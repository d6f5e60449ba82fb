// Head direction as a dot that follows the nose, and the target that it has to reach.

import { svg } from "../dom.js";
import { spot } from "./ellipse.js";

export class HeadDot {
  #way = svg("path", { class: "way" });
  #target = svg("g", { class: "target" },
    ["pulse", "rim halo", "rim"].map((look) => svg("circle", { class: look, r: 25 })));
  #dot = svg("g", { class: "dot" }, svg("circle", { r: 11 }));
  element = svg("g", {}, this.#way, this.#target, this.#dot);

  draw(_, oval, { kind, prompt }) {
    const followed = kind === "head-path" || kind === "complete-the-circle";
    const head = followed && prompt.head ? oval.place(prompt.head) : null;
    const target = kind === "head-path" && prompt.target ? oval.place(prompt.target) : null;
    move(this.#dot, head, oval.scale);
    move(this.#target, target, oval.scale);
    // Line to the target, ending at its rim.
    const from = head ?? [oval.x, oval.y];
    const distance = target ? Math.hypot(target[0] - from[0], target[1] - from[1]) : 0;
    const shown = distance > 44 * oval.scale;
    this.#way.style.visibility = shown ? "visible" : "hidden";
    if (shown) {
      const stop = 1 - (33 * oval.scale) / distance;
      const end = [from[0] + (target[0] - from[0]) * stop, from[1] + (target[1] - from[1]) * stop];
      this.#way.setAttribute("d", `M${spot(from)}L${spot(end)}`);
    }
  }
}

/** Moves the element by its style, so that the movement is animated; hides it if `place` is `null`. */
function move(element, place, scale) {
  element.style.visibility = place ? "visible" : "hidden";
  if (!place) return;
  const [x, y] = place.map((part) => part.toFixed(1));
  element.style.transform = `translate(${x}px, ${y}px) scale(${scale})`;
}
