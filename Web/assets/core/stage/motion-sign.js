// A sign on the oval's lower edge for a motion that is to be made: nod, blink, open the mouth, close the eyes.

import { svg } from "../build.js";

const pictures = {
  nod: svg("g", { class: "nodding" }, svg("path", { d: "M0-15V15M-8-7.5L0-15.5 8-7.5M-8 7.5L0 15.5 8 7.5" })),
  blink: svg("g", { class: "blinking" },
    svg("path", { d: "M-19 0Q0-19 19 0Q0 19-19 0Z" }), svg("circle", { class: "full", r: 5 })),
  "open-mouth": svg("g", { class: "opening" },
    svg("path", { d: "M-17-1Q-8-13 0-8 8-13 17-1 9 15 0 15-9 15-17-1Z" }),
    svg("path", { class: "full", d: "M-10 0Q0-4 10 0 5 8 0 8-5 8-10 0Z" })),
  "close-eyes": svg("g", { class: "closing" }, svg("path", { d: "M-19-3Q0 15 19-3M-12 6l-4 7M0 9v8M12 6l4 7" })),
};

export class MotionSign {
  #disc = svg("circle", { r: 34 });
  #names = Object.keys(pictures);
  element = svg("g", { class: "sign" }, this.#disc, Object.values(pictures).map((picture) => picture.cloneNode(true)));

  draw(_, { x, y, ry, height, scale }, { kind, prompt }) {
    const name = kind === "blink" ? "blink" : kind === "motions" ? prompt.next : null;
    this.element.style.visibility = pictures[name] ? "visible" : "hidden";
    this.#names.forEach((each, index) => {
      this.element.children[index + 1].style.display = each === name ? "" : "none";
    });
    this.element.setAttribute("transform", `translate(${x} ${Math.min(y + ry, height - 40 * scale)}) scale(${scale})`);
  }
}
