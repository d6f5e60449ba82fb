// Grabs frames from the playing video as unmirrored JPEG images, never the same camera frame twice.

import { CameraTrouble } from "./camera.js";

const longSide = 480;
const shortSide = 360;
const shortestGap = 65; // milliseconds: about 15 frames per second at most
// Ten seconds should take at most 1.5 MB with any camera: noise makes images large without adding information.
const bytesWanted = 9_500;
const qualities = { first: 0.6, lowest: 0.3, highest: 0.8, step: 0.04 };
const patience = 8_000;

export class FrameSource {
  #video;
  #canvas = document.createElement("canvas");
  #context = this.#canvas.getContext("2d", { alpha: false });
  #lastTime = -1;
  #lastGrab = -Infinity;
  #quality = qualities.first;

  constructor(video) {
    this.#video = video;
  }

  /**
   * Returns the next camera frame as `{ picture, capturedAt }`; `capturedAt` is in milliseconds of the page's monotonic
   * clock. Waits while the page is hidden.
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
    const picture = await new Promise((done) => this.#canvas.toBlob(done, "image/jpeg", this.#quality));
    if (!picture) throw new CameraTrouble("busy");
    this.#adapt(picture.size);
    return { picture, capturedAt };
  }

  /** Adjusts the JPEG quality to bring images close to the desired size. */
  #adapt(bytes) {
    if (bytes > bytesWanted) this.#quality = Math.max(qualities.lowest, this.#quality - qualities.step);
    if (bytes < bytesWanted * 0.8) this.#quality = Math.min(qualities.highest, this.#quality + qualities.step / 2);
  }

  /** Waits for a frame that has not been grabbed yet. */
  #freshFrame() {
    return new Promise((done, fail) => {
      let waited = 0;
      const watch = setInterval(() => {
        // A hidden page gets no frames, so that time does not count toward the timeout.
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
