// Grabs frames from the playing video as unmirrored JPEG images, never the same camera frame twice.

import { CameraError } from "./camera.js";

const longSide = 480;
const shortSide = 360;
/** Factors of the size; small frames are for slow links only. */
const sizes = { lowest: 0.667, step: 0.083 };
const usual = { bytes: 9_500, gap: 65 };
const qualities = { first: 0.6, lowest: 0.3, highest: 0.8, step: 0.04 };
const timeoutMilliseconds = 8_000;
/** Milliseconds by which a frame may be earlier than it is due. */
const early = 10;

export class FrameSource {
  #video;
  #canvas = document.createElement("canvas");
  #context = this.#canvas.getContext("2d", { alpha: false });
  #lastShown = -1;
  /** Time at which the next frame is due. */
  #due = -Infinity;
  #quality = qualities.first;
  #size = 1;

  constructor(video) {
    this.#video = video;
  }

  /**
   * Returns the next camera frame as `{ picture, capturedAt }`; `capturedAt` is in milliseconds of the page's monotonic
   * clock. Waits while the page is hidden.
   *
   * `plan` is the desired size of images in bytes and the gap between them in milliseconds: noise makes images large
   * without adding information, and a slow link carries few.
   */
  async next(plan = usual) {
    await pause(this.#due - early - performance.now());
    await this.#freshFrame();
    const { videoWidth, videoHeight } = this.#video;
    const scale = Math.min(
      1,
      this.#size * longSide / Math.max(videoWidth, videoHeight),
      this.#size * shortSide / Math.min(videoWidth, videoHeight),
    );
    this.#canvas.width = Math.round(videoWidth * scale);
    this.#canvas.height = Math.round(videoHeight * scale);
    const capturedAt = performance.now();
    // The gap holds on average: a camera of 30 frames per second has frames every 33 ms only. A frame that was taken
    // late shortens the next gap by half at most.
    this.#due = Math.max(this.#due, capturedAt - plan.gap / 2) + plan.gap;
    this.#context.drawImage(this.#video, 0, 0, this.#canvas.width, this.#canvas.height);
    const picture = await new Promise((done) => this.#canvas.toBlob(done, "image/jpeg", this.#quality));
    if (!picture) throw new CameraError("busy");
    this.#adapt(picture.size, plan.bytes);
    return { picture, capturedAt };
  }

  /** Adjusts the JPEG quality, and at its limits the size, to bring images close to the desired number of bytes. */
  #adapt(bytes, wanted) {
    if (bytes > wanted) {
      if (this.#quality <= qualities.lowest) this.#size = Math.max(sizes.lowest, this.#size - sizes.step);
      this.#quality = Math.max(qualities.lowest, this.#quality - qualities.step);
    }
    if (bytes < wanted * 0.8) {
      if (this.#quality >= qualities.first) this.#size = Math.min(1, this.#size + sizes.step);
      this.#quality = Math.min(qualities.highest, this.#quality + qualities.step / 2);
    }
  }

  /** Waits for a frame that has not been grabbed yet. */
  #freshFrame() {
    return new Promise((done, fail) => {
      let waited = 0;
      const watch = setInterval(() => {
        // A hidden page gets no frames, so that time does not count toward the timeout.
        waited += document.visibilityState === "visible" ? 500 : 0;
        if (waited >= timeoutMilliseconds) finish(() => fail(new CameraError("busy")));
      }, 500);
      let over = false;
      const finish = (action) => {
        over = true;
        clearInterval(watch);
        action();
      };
      const look = (shown) => {
        if (over) return;
        if (shown === this.#lastShown || !this.#video.videoWidth) {
          this.#onFrame(look);
          return;
        }
        this.#lastShown = shown;
        finish(done);
      };
      this.#onFrame(look);
    });
  }

  /** Calls `look` with what differs between frames: their number, since WebKit gives some streams no times, or the time. */
  #onFrame(look) {
    if (this.#video.requestVideoFrameCallback) {
      this.#video.requestVideoFrameCallback((_, { presentedFrames }) => look(presentedFrames));
    } else {
      requestAnimationFrame(() => look(this.#video.currentTime));
    }
  }
}

function pause(milliseconds) {
  return milliseconds > 0 ? new Promise((done) => setTimeout(done, milliseconds)) : Promise.resolve();
}
