// Arrow of the head turn: points outward to turn and inward to come back.

import { svg } from "../dom.js";

export class TurnArrow {
  element = svg("g", { class: "arrow" },
    svg("g", { class: "nudge" }, svg("circle", { r: 30 }), svg("path", { d: "M14 0h-27M-3-11L-14 0-3 11" })));

  draw({ instruction, progress, side }, { x, y, rx, width }, { kind }) {
    // Before the turn, `come-back` means that the head does not face the camera yet, so there is no direction to show.
    const back = instruction === "come-back" && progress >= 0.5;
    const asked = back || instruction === "get-ready" || instruction === "turn";
    const shown = kind === "head-turn" && side !== null && asked;
    this.element.style.visibility = shown ? "visible" : "hidden";
    if (!shown) return;
    // The preview is mirrored, so the subject's left is on the left of the screen. The arrow is drawn pointing left.
    const direction = side === "subject-right" ? 1 : -1;
    const flip = (direction === -1) !== back ? 1 : -1;
    const at = x + direction * Math.min(rx, width / 2 - 40);
    this.element.setAttribute("transform", `translate(${at} ${y}) scale(${flip} 1)`);
  }
}
