// Ring that shows the time left; the seconds are its text for screen readers.

import { html, svg } from "./dom.js";

/** Builds the ring; `TimeRing` fills it. */
export function timeRing() {
  const circle = (look) => svg("circle", { class: look, cx: 18, cy: 18, r: 14, pathLength: 100 });
  return html("div", { class: "remaining", role: "timer", "aria-live": "off", id: "remaining", "data-empty": true },
    svg("svg", { viewBox: "0 0 36 36", "aria-hidden": "true" }, circle("whole"), circle("left")),
    html("span", { class: "visually-hidden" }));
}

export class TimeRing {
  #element;
  #left;
  #words;
  /** Time at which the ring is full, and the time shown last, in milliseconds. */
  #full = 0;
  #last = 0;

  constructor(element) {
    this.#element = element;
    this.#left = element.querySelector(".left");
    this.#words = element.querySelector("span");
  }

  /** Shows the time left in milliseconds. When it rises, another task has begun, and the ring is full again. */
  show(milliseconds, texts) {
    if (milliseconds > this.#last) this.#full = milliseconds;
    this.#last = milliseconds;
    const share = this.#full > 0 ? milliseconds / this.#full : 0;
    this.#left.style.strokeDasharray = `${(share * 100).toFixed(1)} 100`;
    this.#element.toggleAttribute("data-empty", milliseconds <= 0);
    const words = milliseconds > 0 ? texts.text("check.remaining", { seconds: Math.ceil(milliseconds / 1000) }) : "";
    if (this.#words.textContent !== words) this.#words.textContent = words;
  }

  clear() {
    this.#last = 0;
    this.#words.textContent = "";
    this.#element.toggleAttribute("data-empty", true);
  }

  /** The time does not run while the user reads the instruction. */
  set isPaused(on) {
    this.#element.toggleAttribute("data-paused", on);
  }
}
