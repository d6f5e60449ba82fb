// Outline of the face that the server detects, as feedback for the user.

import { svg } from "../dom.js";
import { spot } from "./ellipse.js";

export class FaceOutline {
  #video;
  #lines = [svg("path", { class: "outline halo" }), svg("path", { class: "outline" })];
  element = svg("g", {}, this.#lines);

  constructor(video) {
    this.#video = video;
  }

  draw({ outline }, { width, height }) {
    const { videoWidth, videoHeight } = this.#video;
    const scale = Math.max(width / (videoWidth || 1), height / (videoHeight || 1));
    // Maps fractions of the unmirrored image to the mirrored stage, which the image covers.
    const path = smooth(outline.map(([across, down]) => [
      width / 2 - (across - 0.5) * videoWidth * scale,
      height / 2 + (down - 0.5) * videoHeight * scale,
    ]));
    for (const line of this.#lines) line.setAttribute("d", path);
  }
}

/** Returns a closed curve through the points (Catmull–Rom as cubic Béziers), or an empty path for fewer than three. */
function smooth(points) {
  if (points.length < 3) return "";
  const at = (index) => points[(index + points.length) % points.length];
  let path = `M${spot(points[0])}`;
  points.forEach((from, index) => {
    const to = at(index + 1);
    const first = toward(from, to, at(index - 1));
    const second = toward(to, from, at(index + 2));
    path += `C${spot(first)} ${spot(second)} ${spot(to)}`;
  });
  return `${path}Z`;
}

function toward(point, next, before) {
  return [point[0] + (next[0] - before[0]) / 6, point[1] + (next[1] - before[1]) / 6];
}
