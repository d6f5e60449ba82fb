// Frames out of the playing video: unmirrored JPEG, never the same camera frame twice.

import { CameraTrouble } from "./camera.js";

const longSide = 640;
const shortSide = 480;
const quality = 0.85;
const shortestGap = 50; // at most 20 frames a second
const patience = 8_000;

export class FrameSource {
  #video;
  #canvas = document.createElement("canvas");
  #context = this.#canvas.getContext("2d", { alpha: false });
  #lastTime = -1;
  #lastGrab = -Infinity;

  constructor(video) {
    this.#video = video;
  }

  /**
   * The next picture of the camera as `{ picture, capturedAt }`; `capturedAt` counts milliseconds of the page's
   * monotonic clock. While the page is hidden there is none.
   */
  async next() {
    await pause(this.#lastGrab + shortestGap - performance.now());
    await this.#freshFrame();
    const { videoWidth, videoHeight } = this.#video;
    const scale = Math.min(
      1,
      longSide / Math.max(videoWidth, videoHeight),
      shortSide / Math.min(videoWidth, videoHeight),
    );
    this.#canvas.width = Math.round(videoWidth * scale);
    this.#canvas.height = Math.round(videoHeight * scale);
    const capturedAt = performance.now();
    this.#lastGrab = capturedAt;
    this.#context.drawImage(this.#video, 0, 0, this.#canvas.width, this.#canvas.height);
    const picture = await new Promise((done) => this.#canvas.toBlob(done, "image/jpeg", quality));
    if (!picture) throw new CameraTrouble("busy");
    return { picture, capturedAt };
  }

  /** Waits for a frame that has not been grabbed yet. */
  #freshFrame() {
    return new Promise((done, fail) => {
      let waited = 0;
      const watch = setInterval(() => {
        // A hidden page gets no frames; that is nobody's fault and costs no patience.
        waited += document.visibilityState === "visible" ? 500 : 0;
        if (waited >= patience) finish(() => fail(new CameraTrouble("busy")));
      }, 500);
      let over = false;
      const finish = (action) => {
        over = true;
        clearInterval(watch);
        action();
      };
      const look = (mediaTime) => {
        if (over) return;
        if (mediaTime === this.#lastTime || !this.#video.videoWidth) {
          this.#onFrame(look);
          return;
        }
        this.#lastTime = mediaTime;
        finish(done);
      };
      this.#onFrame(look);
    });
  }

  #onFrame(look) {
    if (this.#video.requestVideoFrameCallback) {
      this.#video.requestVideoFrameCallback((_, { mediaTime }) => look(mediaTime));
    } else {
      requestAnimationFrame(() => look(this.#video.currentTime));
    }
  }
}

function pause(milliseconds) {
  return milliseconds > 0 ? new Promise((done) => setTimeout(done, milliseconds)) : Promise.resolve();
}
