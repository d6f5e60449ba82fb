// The live face check: what the server's tracker sees in the camera's picture, a few times a second.

import { FrameSource } from "../core/frames.js";
import { Problem } from "../core/session-client.js";
import { faces } from "./api.js";

const gap = 180;

export class FaceWatch {
  #video;
  #stop = null;

  constructor(video) {
    this.#video = video;
  }

  /** Looks until it is stopped; `saw` gets what was seen, or null when this server cannot look. */
  async start(saw) {
    this.stop();
    const stop = new AbortController();
    this.#stop = stop;
    const frames = new FrameSource(this.#video);
    while (!stop.signal.aborted) {
      try {
        const { picture } = await frames.next();
        const seen = await faces(picture, AbortSignal.any([stop.signal, AbortSignal.timeout(8_000)]));
        if (!stop.signal.aborted) saw(seen);
      } catch (error) {
        if (stop.signal.aborted) return;
        // What is refused for good is refused for the next picture, too; silence and haste pass.
        if (error instanceof Problem && !error.isPassing) {
          saw(null);
          return;
        }
        await new Promise((resolve) => setTimeout(resolve, 1_000));
      }
      await new Promise((resolve) => setTimeout(resolve, gap));
    }
  }

  stop() {
    this.#stop?.abort();
    this.#stop = null;
  }
}

// How far the head is turned in each of the three photos, in degrees; + is to the person's own left.
const views = [[-15, 15], [28, 65], [-65, -28]];

/** What to change for photo `index`: the key of a text, or null when the picture may be taken. */
export function adviceFor(seen, index) {
  if (seen.face !== "one-face") return `hint.${seen.face}`;
  // A head that is turned is to one side of its box.
  const hint = seen.hints.find((code) => code !== "off-centre" || index === 0);
  if (hint) return `hint.${hint}`;
  const [least, most] = views[index];
  if (seen.yaw === undefined) return null;
  if (seen.yaw < least) return index === 0 ? "scan.turn.ahead" : index === 1 ? "scan.turn.left" : "scan.turn.back";
  if (seen.yaw > most) return index === 0 ? "scan.turn.ahead" : index === 1 ? "scan.turn.back" : "scan.turn.right";
  return null;
}
