// GIF with a pause button. If the user prefers reduced motion, it starts paused on its first frame.

import { html } from "../core/dom.js";

export class GIFPlayer {
  #image;
  #still;
  #button;
  #texts;
  #paused = matchMedia("(prefers-reduced-motion: reduce)").matches;

  /** `place` is the container of the button; by default, the button follows the image. */
  constructor(image, texts, place = null) {
    this.#image = image;
    this.#texts = texts;
    this.#still = html("canvas", { class: image.className, role: "img", hidden: true });
    this.#button = html("button", { class: "plain pause", type: "button", hidden: true });
    image.after(this.#still);
    if (place) place.append(this.#button);
    else this.#still.after(this.#button);
    this.#button.addEventListener("click", () => {
      this.#paused = !this.#paused;
      this.#show();
    });
    image.addEventListener("load", () => this.#show());
    image.addEventListener("error", () => this.#clear());
  }

  /** Shows a GIF, or nothing if `address` is `null`. */
  show(address, words) {
    this.#clear();
    if (address === null) return;
    this.#image.alt = words;
    this.#image.src = address;
  }

  #clear() {
    this.#image.removeAttribute("src");
    for (const part of [this.#image, this.#still, this.#button]) part.hidden = true;
  }

  #show() {
    const { naturalWidth: width, naturalHeight: height, alt } = this.#image;
    Object.assign(this.#still, { width, height });
    this.#still.getContext("2d").drawImage(this.#image, 0, 0);
    this.#still.setAttribute("aria-label", alt);
    this.#image.hidden = this.#paused;
    this.#still.hidden = !this.#paused;
    this.#button.hidden = false;
    this.#button.textContent = this.#texts.text(this.#paused ? "messages.gif.play" : "messages.gif.pause");
  }
}
