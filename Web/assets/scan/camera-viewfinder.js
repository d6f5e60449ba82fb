// Camera preview with a box around the face, and photos from it.

import { html, svg } from "../core/dom.js";
import { Camera, CameraError, missingSupport } from "../core/camera.js";
import { CameraChoice } from "../core/camera-choice.js";
import { FaceWatch } from "./face-check.js";

const quality = 0.92;

export class Finder {
  #texts;
  #camera;
  #watch;
  #choice = null;
  #box = svg("path", { class: "corners", d: "" });
  #aim = svg("path", { class: "aim", d: "" });
  #drawing = svg("svg", { "aria-hidden": "true", preserveAspectRatio: "xMidYMid slice" }, this.#aim, this.#box);
  #video = html("video", { id: "video", playsinline: true, autoplay: true, "aria-hidden": "true" });

  element = html("div", { class: "finder", dir: "ltr" }, this.#video, this.#drawing);
  choices = html("p", { class: "choice", id: "choice", hidden: true });

  constructor(texts) {
    this.#texts = texts;
    this.#video.muted = true;
    this.#camera = new Camera(this.#video);
    this.#watch = new FaceWatch(this.#video);
    this.choices.append(html("label", { for: "cameras" }, texts.text("camera.choose")), html("select", { id: "cameras" }));
  }

  get isOpen() {
    return this.#camera.isOpen;
  }

  /**
   * Opens the camera. Calls `saw` with each face result, or with `null` if this server cannot track faces, and `lost`
   * if the camera stops.
   *
   * Throws a `CameraError`.
   */
  async open(saw, lost) {
    const missing = missingSupport();
    if (missing) throw Object.assign(new Error(missing), { code: missing });
    this.#camera.onLost = lost;
    await this.#camera.open();
    this.#mirror();
    this.#video.addEventListener("loadedmetadata", () => this.#mirror());
    this.#choice ??= new CameraChoice(document, this.#texts, this.#camera, lost);
    await this.#choice.refresh();
    if (!this.isOpen) throw new CameraError("leaseLost");
    this.#watch.start((seen) => {
      this.#draw(seen);
      saw(seen);
    });
  }

  close() {
    this.#watch.stop();
    this.#camera.close();
    this.choices.hidden = true; // a choice made while the camera opens would interrupt it
    this.#draw(null);
  }

  /** Takes an unmirrored photo: `{ blob, width, height }`. */
  async photo() {
    const { videoWidth: width, videoHeight: height } = this.#video;
    const canvas = Object.assign(document.createElement("canvas"), { width, height });
    canvas.getContext("2d", { alpha: false }).drawImage(this.#video, 0, 0);
    const blob = await new Promise((done) => canvas.toBlob(done, "image/jpeg", quality));
    return { blob, width, height };
  }

  /** Mirrors the preview unless the camera faces away from the screen. */
  #mirror() {
    const facing = this.#video.srcObject?.getVideoTracks()[0]?.getSettings().facingMode;
    this.element.toggleAttribute("data-mirrored", facing !== "environment");
  }

  #draw(seen) {
    const { videoWidth: width, videoHeight: height } = this.#video;
    if (!seen?.box || !width) {
      this.#box.setAttribute("d", "");
      this.#aim.setAttribute("d", "");
      return;
    }
    this.#drawing.setAttribute("viewBox", `0 0 ${width} ${height}`);
    const [x, y, w, h] = [seen.box[0] * width, seen.box[1] * height, seen.box[2] * width, seen.box[3] * height];
    const arm = Math.min(w, h) / 5;
    this.#box.setAttribute("d", [
      [x, y, 1, 1], [x + w, y, -1, 1], [x, y + h, 1, -1], [x + w, y + h, -1, -1],
    ].map(([px, py, sx, sy]) => `M${px} ${py + sy * arm}V${py}H${px + sx * arm}`).join(""));
    // Line from the center of the face to the center of the image: the direction to move.
    const [cx, cy] = [x + w / 2, y + h / 2];
    const far = Math.hypot(cx - width / 2, cy - height / 2) > Math.min(width, height) * 0.09;
    this.#aim.setAttribute("d", far ? `M${cx} ${cy}L${width / 2} ${height / 2}` : "");
  }
}
