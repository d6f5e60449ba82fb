// The oval's geometry on a stage of a given size.

const portrait = 1.3; // the oval's height by its width
const share = 0.43; // of the stage's height, for the half axis
const reach = 0.74; // how far towards the oval a head pose of 1 is drawn

export class Ellipse {
  constructor(width, height) {
    this.width = width;
    this.height = height;
    this.x = width / 2;
    this.y = height / 2;
    this.ry = Math.min(height * share, (width / 2 - 22) * portrait);
    this.rx = this.ry / portrait;
    /** What is drawn in fixed sizes is drawn smaller on a small oval. */
    this.scale = Math.min(1, this.rx / 110);
  }

  /** The point on the oval after `turn` of a clockwise turn from the top; `scale` moves it towards the middle. */
  point(turn, scale = 1) {
    const angle = turn * 2 * Math.PI;
    return [this.x + Math.sin(angle) * this.rx * scale, this.y - Math.cos(angle) * this.ry * scale];
  }

  /**
   * Where the middle of a turned head is drawn. `across` + = towards the subject's left, which is the left of the
   * mirrored picture; `up` + = up: the dot goes where the nose goes.
   */
  place([across, up]) {
    return [this.x - across * this.rx * reach, this.y - up * this.ry * reach];
  }

  /** The whole oval from its top. */
  path(clockwise = true) {
    const { x, y, rx, ry } = this;
    const sweep = clockwise ? 1 : 0;
    return `M${x} ${y - ry}A${rx} ${ry} 0 0 ${sweep} ${x} ${y + ry}A${rx} ${ry} 0 0 ${sweep} ${x} ${y - ry}`;
  }

  /** A piece of it between two clockwise turns. */
  arc(from, to, scale = 1) {
    const [begin, end] = [Math.min(from, to), Math.max(from, to)];
    const far = end - begin > 0.5 ? 1 : 0;
    const [first, last] = [begin, end].map((turn) => spot(this.point(turn, scale)));
    return `M${first}A${this.rx * scale} ${this.ry * scale} 0 ${far} 1 ${last}`;
  }
}

export function spot([x, y]) {
  return `${x.toFixed(1)} ${y.toFixed(1)}`;
}
