// Drawing over the video: the oval, the outline of the face, and the symbols of the task.

import { Ellipse } from "./ellipse.js";
import { FaceOutline } from "./face-outline.js";
import { HeadDot } from "./head-dot.js";
import { MotionSign } from "./motion-sign.js";
import { Ring } from "./ring.js";
import { Scrim } from "./scrim.js";
import { TurnArrow } from "./turn-arrow.js";

const empty = { state: "positioning", outline: [], side: null, progress: 0, instruction: "", task: null };

export class Stage {
  #box;
  #drawing;
  #parts;
  #step = empty;
  #answers;

  constructor(root) {
    this.#box = root.getElementById("stage");
    this.#drawing = root.getElementById("drawing");
    this.#answers = [root.getElementById("answer-no"), root.getElementById("answer-yes")];
    this.#parts = [
      new Scrim(),
      new FaceOutline(root.getElementById("video")),
      new Ring(),
      new HeadDot(),
      new MotionSign(),
      new TurnArrow(),
    ];
    this.#drawing.append(...this.#parts.map((part) => part.element));
    new ResizeObserver(() => this.#draw()).observe(this.#box);
  }

  /** Draws a step returned by the server. */
  show(step) {
    this.#step = { ...empty, ...step };
    this.#draw();
  }

  /** Resets the drawing to an empty oval. */
  clear() {
    this.show(empty);
  }

  #draw() {
    const { clientWidth: width, clientHeight: height } = this.#box;
    if (!width || !height) return;
    this.#drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const asked = askedOf(this.#step);
    for (const answer of this.#answers) answer.hidden = asked.kind !== "yes-or-no" || !asked.prompt.question;
    const oval = new Ellipse(width, height);
    for (const part of this.#parts) part.draw(this.#step, oval, asked);
  }
}

/**
 * Returns the kind of the task to draw and its prompt. Before a task starts, only the oval is drawn; a step without a
 * task is a head turn.
 */
function askedOf({ state, task }) {
  if (state === "positioning" || state === "depth") return { kind: "none", prompt: {} };
  return { kind: task?.kind ?? "head-turn", prompt: task?.prompt ?? {} };
}
