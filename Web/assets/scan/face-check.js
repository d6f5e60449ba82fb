// Live face check: sends camera frames to the server's face tracker a few times per second.

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

  /** Runs until stopped; calls `saw` with each result, or with `null` if this server cannot track faces. */
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
        // A permanent rejection also applies to the next frame; missing responses and rate limits are temporary.
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

// Yaw range of the head in each of the three photos, in degrees; positive is toward the subject's left.
const views = [[-15, 15], [28, 65], [-65, -28]];

/** Returns the text key of what to change for photo `index`, or `null` if the photo can be taken. */
export function adviceFor(seen, index) {
  if (seen.face !== "one-face") return `hint.${seen.face}`;
  // A turned head lies to one side of its box, so being off-center counts only for the front photo.
  const hint = seen.hints.find((code) => code !== "off-center" || index === 0);
  if (hint) return `hint.${hint}`;
  const [least, most] = views[index];
  if (seen.yaw === undefined) return null;
  if (seen.yaw < least) return index === 0 ? "scan.turn.ahead" : index === 1 ? "scan.turn.left" : "scan.turn.back";
  if (seen.yaw > most) return index === 0 ? "scan.turn.ahead" : index === 1 ? "scan.turn.back" : "scan.turn.right";
  return null;
}
