// Symbols on the lower edge of the oval for the requested motions: nod, blink, open the mouth, close the eyes. A
// sequence is shown as a row, with completed motions faded and the current one large.

import { svg } from "../dom.js";

const pictures = {
  nod: svg("g", { class: "nodding" }, svg("path", { d: "M0-15V15M-8-7.5L0-15.5 8-7.5M-8 7.5L0 15.5 8 7.5" })),
  blink: svg("g", { class: "blinking" },
    svg("path", { d: "M-19 0Q0-19 19 0Q0 19-19 0Z" }), svg("circle", { class: "full", r: 5 })),
  "open-mouth": svg("g", { class: "opening" },
    svg("path", { d: "M-17-1Q-8-13 0-8 8-13 17-1 9 15 0 15-9 15-17-1Z" }),
    svg("path", { class: "full", d: "M-10 0Q0-4 10 0 5 8 0 8-5 8-10 0Z" })),
  "close-eyes": svg("g", { class: "closing" }, svg("path", { d: "M-19-3Q0 15 19-3M-12 6l-4 7M0 9v8M12 6l4 7" })),
};
const most = 8; // symbols in a row
const small = 0.6; // scale of the symbols that are not current
const step = 58; // distance between two symbols

export class MotionSign {
  #shown = "";
  element = svg("g", {});

  draw(_, { x, y, ry, height, scale }, { kind, prompt }) {
    const { names, done, now } = signsOf(kind, prompt);
    const shown = `${names} ${done} ${now}`;
    if (shown !== this.#shown) {
      this.#shown = shown;
      this.element.replaceChildren(...names.map((name, index) => sign(name, index < done, index === now)));
    }
    const between = Math.min(step, x * 2 / scale / Math.max(names.length, 1));
    [...this.element.children].forEach((each, index) => {
      const across = (index - (names.length - 1) / 2) * between;
      each.setAttribute("transform", `translate(${across} 0) scale(${index === now ? 1 : small})`);
    });
    this.element.setAttribute("transform", `translate(${x} ${Math.min(y + ry, height - 40 * scale)}) scale(${scale})`);
  }
}

function sign(name, isDone, isAsked) {
  const picture = pictures[name].cloneNode(true);
  if (!isAsked) picture.removeAttribute("class"); // only the current symbol is animated
  return svg("g", { class: isDone ? "sign done" : "sign" }, svg("circle", { r: 34 }), picture);
}

/**
 * Returns the motions to show, the number completed, and the index of the current one: −1 between two motions of a
 * rhythm.
 */
function signsOf(kind, { sequence = [], next, done = 0 }) {
  if (kind === "motions" && sequence.length > 1 && sequence.every((name) => name in pictures)) {
    const first = Math.max(0, Math.min(done - 1, sequence.length - most));
    return { names: sequence.slice(first, first + most), done: done - first, now: next ? done - first : -1 };
  }
  const name = kind === "blink" ? "blink" : kind === "motions" ? next : null;
  return { names: name in pictures ? [name] : [], done: 0, now: 0 };
}
