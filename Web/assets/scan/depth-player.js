// Plays the depth maps one after another, in the colors rendered by the server.

import { html } from "../core/dom.js";
import { blob } from "./api.js";
import { button } from "./components.js";

const perSecond = 10;
const ahead = 6; // maps to prefetch
const kept = 120; // maps to cache

export class DepthPlayer {
  #texts;
  #depth;
  #held = new Map();
  #timer = 0;
  #round = 0; // a pending map must not restart the timer after a pause
  #at = 0;
  #picture;
  #slider;
  #count = html("output", { for: "depth-at", "aria-live": "off" });
  #play;

  element;

  constructor(depth, texts) {
    this.#texts = texts;
    this.#depth = depth;
    this.#picture = html("img", { id: "depth-map", width: depth.width, height: depth.height, alt: texts.text("scan.depth.map") });
    this.#slider = html("input", { type: "range", id: "depth-at", min: 0, max: depth.frames - 1, step: 1, value: 0, "aria-label": texts.text("scan.depth.frame") });
    this.#play = button("depth-play", texts.text("scan.play"), () => (this.#timer ? this.pause() : this.#start()), "button quiet");
    this.#slider.addEventListener("input", () => {
      this.pause();
      this.#show(Number(this.#slider.value));
    });
    this.element = html("figure", { class: "depth" }, this.#picture,
      html("div", { class: "row" }, this.#play, this.#slider, this.#count),
      html("figcaption", {}, texts.text("scan.depth.colors")));
    this.#show(0);
  }

  /** Stops playback and releases the images. */
  close() {
    this.pause();
    for (const held of this.#held.values()) held.then((address) => address && URL.revokeObjectURL(address));
    this.#held.clear();
  }

  pause() {
    this.#round += 1;
    clearTimeout(this.#timer);
    this.#timer = 0;
    this.#play.textContent = this.#texts.text("scan.play");
  }

  #start() {
    const mine = this.#round;
    this.#play.textContent = this.#texts.text("scan.pause");
    const turn = async () => {
      const begun = performance.now();
      await this.#show((this.#at + 1) % this.#depth.frames);
      if (mine === this.#round) this.#timer = setTimeout(turn, Math.max(0, 1000 / perSecond - (performance.now() - begun)));
    };
    this.#timer = setTimeout(turn, 0);
  }

  async #show(index) {
    this.#at = index;
    this.#slider.value = index;
    this.#count.textContent = `${index + 1} / ${this.#depth.frames}`;
    const address = await this.#fetch(index);
    for (let next = 1; next <= ahead && this.#timer; next += 1) this.#fetch((index + next) % this.#depth.frames);
    // Another map may have been requested in the meantime.
    if (this.#at !== index) return;
    if (address) this.#picture.src = address;
    else this.#picture.removeAttribute("src"); // no image is better than another map under this number
  }

  #fetch(index) {
    const known = this.#held.get(index);
    if (known) return known;
    const coming = blob(this.#depth.frame_url.replace("{frame}", index)).then(URL.createObjectURL, () => {
      if (this.#held.get(index) === coming) this.#held.delete(index);
      return null;
    });
    this.#held.set(index, coming);
    if (this.#held.size > kept) {
      const [oldest, held] = this.#held.entries().next().value;
      this.#held.delete(oldest);
      held.then((address) => address && URL.revokeObjectURL(address));
    }
    return coming;
  }
}
