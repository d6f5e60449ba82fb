// Geometry of the oval on a stage of a given size.

const portrait = 1.3; // height of the oval divided by its width
const share = 0.43; // vertical semi-axis as a fraction of the stage's height
const reach = 0.74; // fraction of the semi-axis at which a head pose of 1 is drawn

export class Ellipse {
  constructor(width, height) {
    this.width = width;
    this.height = height;
    this.x = width / 2;
    this.y = height / 2;
    this.ry = Math.min(height * share, (width / 2 - 22) * portrait);
    this.rx = this.ry / portrait;
    /** Scale of fixed-size symbols, reduced on a small oval. */
    this.scale = Math.min(1, this.rx / 110);
  }

  /** Returns the point at `turn` clockwise turns from the top; a `scale` below 1 moves it toward the center. */
  point(turn, scale = 1) {
    const angle = turn * 2 * Math.PI;
    return [this.x + Math.sin(angle) * this.rx * scale, this.y - Math.cos(angle) * this.ry * scale];
  }

  /**
   * Returns the position at which a head pose is drawn. Positive `across` is toward the subject's left, which is the
   * left of the mirrored preview; positive `up` is up: the position follows the nose.
   */
  place([across, up]) {
    return [this.x - across * this.rx * reach, this.y - up * this.ry * reach];
  }

  /** Returns the SVG path of the whole oval, starting at the top. */
  path(clockwise = true) {
    const { x, y, rx, ry } = this;
    const sweep = clockwise ? 1 : 0;
    return `M${x} ${y - ry}A${rx} ${ry} 0 0 ${sweep} ${x} ${y + ry}A${rx} ${ry} 0 0 ${sweep} ${x} ${y - ry}`;
  }

  /** Returns the SVG path of the arc between two positions, both in clockwise turns from the top. */
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
