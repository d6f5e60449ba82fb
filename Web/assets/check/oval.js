// What is drawn over the picture: the oval with its progress ring, the face's outline, the arrow.

const portrait = 1.3; // the oval's height by its width
const share = 0.43; // of the stage's height, for the half axis

export class Oval {
  #stage;
  #video;
  #drawing;
  #outline = [];
  #side = null;

  constructor(stage, video, drawing) {
    this.#stage = stage;
    this.#video = video;
    this.#drawing = drawing;
    new ResizeObserver(() => this.#layOut()).observe(stage);
  }

  /** Shows a step of the server. */
  show({ outline, side, progress, instruction }) {
    this.#outline = outline;
    if (side !== this.#side) {
      this.#side = side;
      this.#layOut();
    }
    this.#part(".done").style.strokeDasharray = `${Math.min(1, Math.max(0, progress)) * 100} 101`;
    this.#part(".done").style.visibility = progress > 0 ? "visible" : "hidden"; // a round cap shows even at zero
    this.#point(instruction, progress);
    this.#trace();
  }

  /** An empty oval. */
  clear() {
    this.show({ outline: [], side: null, progress: 0, instruction: "" });
  }

  #layOut() {
    const { clientWidth: width, clientHeight: height } = this.#stage;
    if (!width || !height) return;
    this.#drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const [x, y] = [width / 2, height / 2];
    const ry = Math.min(height * share, (width / 2 - 22) * portrait);
    const rx = ry / portrait;
    // From the top, towards the side that is asked: the ring grows where the head goes.
    const sweep = this.#side === "subject-left" ? 0 : 1;
    const oval = `M${x} ${y - ry}A${rx} ${ry} 0 0 ${sweep} ${x} ${y + ry}A${rx} ${ry} 0 0 ${sweep} ${x} ${y - ry}`;
    this.#part(".ring").setAttribute("d", oval);
    this.#part(".done").setAttribute("d", oval);
    this.#part(".scrim").setAttribute("d", `M0 0H${width}V${height}H0Z${oval}Z`);
    // The preview is a mirror, so that the person's left is the left of the screen.
    const direction = this.#side === "subject-right" ? 1 : -1;
    this.#arrowAt = { x: x + direction * Math.min(rx, width / 2 - 40), y, direction };
    this.#trace();
  }

  #arrowAt = { x: 0, y: 0, direction: -1 };

  #point(instruction, progress) {
    const arrow = this.#part(".arrow");
    // Before the turn, "come back" means a head that does not face the camera yet: no side to point to.
    const back = instruction === "come-back" && progress >= 0.5;
    const shown = this.#side !== null && (back || instruction === "get-ready" || instruction === "turn");
    arrow.style.visibility = shown ? "visible" : "hidden";
    if (!shown) return;
    // The arrow is drawn pointing left; it points out to turn, and in to come back.
    const { x, y, direction } = this.#arrowAt;
    const flip = (direction === -1) !== back ? 1 : -1;
    arrow.setAttribute("transform", `translate(${x} ${y}) scale(${flip} 1)`);
  }

  #trace() {
    const path = smooth(this.#outline.map((point) => this.#place(point)));
    for (const line of this.#drawing.querySelectorAll(".outline")) line.setAttribute("d", path);
  }

  /** From fractions of the unmirrored picture to the mirrored stage that the picture covers. */
  #place([across, down]) {
    const { clientWidth: width, clientHeight: height } = this.#stage;
    const { videoWidth = 1, videoHeight = 1 } = this.#video;
    const scale = Math.max(width / videoWidth, height / videoHeight);
    return [width / 2 - (across - 0.5) * videoWidth * scale, height / 2 + (down - 0.5) * videoHeight * scale];
  }

  #part(selector) {
    return this.#drawing.querySelector(selector);
  }
}

/** A closed curve through the points (Catmull–Rom as cubic Béziers); empty for fewer than three. */
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

function spot([x, y]) {
  return `${x.toFixed(1)} ${y.toFixed(1)}`;
}
