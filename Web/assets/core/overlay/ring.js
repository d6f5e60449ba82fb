// Progress along the oval: a continuous line for a turn, segments for counted tasks.

import { svg } from "../dom.js";

const gap = 0.012; // between two segments, in turns
const mostPieces = 48;

export class Ring {
  #track = svg("path", { class: "ring" });
  #done = svg("path", { class: "done", pathLength: 100 });
  #pieces = svg("g", { class: "pieces" });
  #guide = svg("path", { class: "guide" });
  element = svg("g", {}, this.#track, this.#done, this.#pieces, this.#guide);

  draw(step, oval, asked) {
    const pieces = piecesOf(asked);
    this.#track.style.visibility = pieces.length > 0 ? "hidden" : "visible";
    this.#drawLine(step, oval, pieces.length === 0);
    this.#drawPieces(pieces, oval, asked);
    this.#drawGuide(oval, asked);
  }

  #drawLine({ progress, side }, oval, shown) {
    // From the top toward the requested side: the line grows in the direction of the head.
    const path = oval.path(side !== "subject-left");
    this.#track.setAttribute("d", path);
    this.#done.setAttribute("d", path);
    this.#done.style.strokeDasharray = `${Math.min(1, Math.max(0, progress)) * 100} 101`;
    // A round line cap is visible even at zero length.
    this.#done.style.visibility = shown && progress > 0 ? "visible" : "hidden";
  }

  #drawPieces(pieces, oval, { kind }) {
    while (this.#pieces.childElementCount > pieces.length) this.#pieces.lastElementChild.remove();
    while (this.#pieces.childElementCount < pieces.length) this.#pieces.append(svg("path"));
    // Sectors start toward the subject's left, which is counterclockwise in the mirrored preview; counts run clockwise.
    const sign = kind === "complete-the-circle" ? -1 : 1;
    pieces.forEach((look, index) => {
      const piece = this.#pieces.children[index];
      const from = index / pieces.length + gap / 2;
      const to = (index + 1) / pieces.length - gap / 2;
      piece.setAttribute("d", pieces.length === 1 ? oval.path() : oval.arc(sign * from, sign * to));
      piece.setAttribute("class", `piece ${look}`);
    });
  }

  /** Draws an arrow along the oval at the start of a circle that has to be made in one direction. */
  #drawGuide(oval, { kind, prompt }) {
    const sign = { "subject-left-first": -1, "subject-right-first": 1 }[prompt.direction];
    const begun = prompt.sectors?.some(Boolean);
    const shown = kind === "complete-the-circle" && sign !== undefined && !begun;
    this.#guide.style.visibility = shown ? "visible" : "hidden";
    if (!shown) return;
    const [tipX, tipY] = oval.point(sign * 0.16, 0.84);
    const [x, y] = oval.point(sign * 0.13, 0.84);
    const angle = Math.atan2(tipY - y, tipX - x);
    const wing = (turn) => [tipX - 13 * Math.cos(angle + turn), tipY - 13 * Math.sin(angle + turn)];
    const [one, other] = [wing(0.65), wing(-0.65)];
    this.#guide.setAttribute("d",
      `${oval.arc(sign * 0.015, sign * 0.16, 0.84)}M${one[0]} ${one[1]}L${tipX} ${tipY}L${other[0]} ${other[1]}`);
  }
}

/**
 * Returns the CSS class of each segment: `made`, `next` or empty. Returns an empty list for tasks that are not counted.
 */
function piecesOf({ kind, prompt }) {
  if (kind === "complete-the-circle") return (prompt.sectors ?? []).slice(0, 360).map((done) => (done ? "made" : ""));
  const done = kind === "yes-or-no" ? prompt.index : prompt.done;
  if (!(prompt.count >= 1) || prompt.count > mostPieces) return [];
  return Array.from({ length: prompt.count }, (_, index) => (index < done ? "made" : index === done ? "next" : ""));
}
