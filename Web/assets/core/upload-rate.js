// Adapts the frames of one check to the link: size and number follow what it carries, and a check stays within its
// budget of bytes.

const usual = { bytes: 9_500, gap: 65 }; // about 15 frames per second
const smallest = 4_000; // bytes; below, faces are no longer found reliably
const longestGap = 200; // milliseconds: at least 5 frames per second
const slowLink = 70_000; // bytes per second
const budgets = { usual: 1_450_000, slow: 380_000 }; // bytes of one check
/** Number of frames for which the remaining budget should last. */
const reserve = 60;
/** Longest gap that is taken to save bytes on a fast link; signals that compare consecutive frames need 9 frames per second. */
const savingGap = 100;
const bytesOfHeaders = 500;
const fullSpeed = (1000 / usual.gap) * usual.bytes;

/** Response times in milliseconds above the shortest one at which the link counts as full, or as free. */
const delays = { full: 150, free: 60 };

export class UploadRate {
  #target = fullSpeed; // bytes per second
  #sent = 0;
  #fastest = Infinity;
  #times = []; // last response times
  #acknowledged = []; // `{ at, bytes }` of the last second
  #lowered = -Infinity;

  /** Bytes per second that are sent at most. */
  get target() {
    return this.#target;
  }

  /** Size of the next frame in bytes, and milliseconds between two frames if `window` frames may be under way. */
  plan(window) {
    const isSlow = this.#target < slowLink;
    const left = Math.max(1, (isSlow ? budgets.slow : budgets.usual) - this.#sent);
    const bytes = Math.max(smallest, Math.min(usual.bytes, this.#target * (usual.gap / 1000), left / reserve));
    const saving = Math.min(isSlow ? longestGap : savingGap, (usual.gap * bytes * reserve) / left);
    // A shorter gap would only make frames wait.
    const ofWindow = this.#shortest / window;
    const gap = Math.max(usual.gap, Math.min(longestGap, Math.max((1000 * bytes) / this.#target, ofWindow)), saving);
    return { bytes, gap };
  }

  /** Records that a frame was sent. */
  sent(bytes) {
    this.#sent += bytes;
  }

  /** Records the response to a frame; the times are milliseconds of one clock. */
  acknowledged(bytes, sentAt, now) {
    const took = now - sentAt;
    this.#fastest = Math.min(this.#fastest, took);
    this.#times = [...this.#times.slice(-8), took];
    this.#acknowledged.push({ at: now, bytes: bytes + bytesOfHeaders });
    this.#acknowledged = this.#acknowledged.filter(({ at }) => now - at < 1000);
    if (this.#times.length < 5) return;
    const queued = this.#shortest - this.#fastest;
    if (queued > delays.full && now - this.#lowered > 500) {
      // More was sent than the link carries: the acknowledged bytes are its capacity.
      this.#lowered = now;
      this.#target = Math.max(smallest * (1000 / longestGap), Math.min(this.#target * 0.8, 0.9 * this.#measured(now)));
    } else if (queued < delays.free) {
      this.#target = Math.min(fullSpeed, this.#target * 1.02);
    }
  }

  /**
   * Shortest of the last response times in milliseconds, 0 while there are too few. On a full link all of them are long; a lost packet
   * delays some frames, and those after them, which the server lets wait, but not nine in a row.
   */
  get #shortest() {
    return this.#times.length < 5 ? 0 : Math.min(...this.#times);
  }

  #measured(now) {
    const total = this.#acknowledged.reduce((sum, { bytes }) => sum + bytes, 0);
    return total / Math.max(0.2, (now - this.#acknowledged[0].at) / 1000);
  }
}
