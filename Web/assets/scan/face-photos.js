// Three photos of a face: from the camera, which says what to change, or from files.

import { html, svg } from "../core/dom.js";
import { adviceFor } from "./face-check.js";
import { Finder } from "./camera-viewfinder.js";
import { announce, button, icon } from "./components.js";
import { photosOf } from "./photo-files.js";

const views = ["front", "left", "right"];
const fresh = 1_500; // milliseconds; an older face result does not apply to the photo
const cameraSign = "M4 8h3l2-3h6l2 3h3v11H4zM12 10a3.5 3.5 0 1 0 0 7a3.5 3.5 0 1 0 0-7";

export class FacePhotos {
  #texts;
  #draft;
  #changed;
  #wrong;
  #finder;
  #seen = null;
  #seenAt = -Infinity;
  #slots = html("ol", { class: "slots", id: "slots" });
  #hint = html("p", { class: "told-hint", id: "hint" });
  #shutter;
  #openCamera;
  #addresses = [];

  element;

  /** `changed()` is called after each change of the draft's photos, `wrong(text)` shows an error. */
  constructor(texts, draft, { changed, wrong }) {
    this.#texts = texts;
    this.#draft = draft;
    this.#changed = changed;
    this.#wrong = wrong;
    this.#finder = new Finder(texts);
    this.#shutter = button("shutter", texts.text("scan.shutter"), () => this.#take());
    this.#openCamera = button("open-camera", texts.text("scan.camera"), () => this.#open());
    this.#openCamera.prepend(icon(cameraSign));
    const pick = html("input", { type: "file", id: "pick-photos", class: "visually-hidden", accept: "image/jpeg,image/png", multiple: true });
    pick.addEventListener("change", () => this.#takeFiles(pick));
    this.#finder.element.append(html("div", { class: "shut", id: "shut" }, this.#openCamera));
    this.element = html("section", { "aria-labelledby": "photos-title" },
      html("h2", { id: "photos-title" }, texts.text("scan.photos")),
      this.#finder.element,
      this.#hint,
      html("div", { class: "row" }, this.#shutter, pick,
        html("label", { class: "button quiet", for: "pick-photos" }, texts.text("scan.pick"))),
      this.#finder.choices,
      this.#slots);
    this.#show();
  }

  close() {
    this.#finder.close();
    for (const address of this.#addresses) URL.revokeObjectURL(address);
  }

  async #open() {
    this.#wrong("");
    this.#openCamera.disabled = true;
    try {
      await this.#finder.open((seen) => this.#saw(seen), () => this.#lost("lost"));
      document.getElementById("shut").hidden = true;
      this.#show();
      this.#shutter.focus();
    } catch (error) {
      if (error.code !== "leaseLost") this.#lost(error.code);
    }
  }

  #lost(code) {
    this.#finder.close();
    this.#openCamera.disabled = false;
    document.getElementById("shut").hidden = false;
    this.#wrong(this.#texts.text(`scan.camera.${code}`));
    this.#show();
  }

  get #freeSlot() {
    const free = this.#draft.photos.indexOf(null);
    return free < 0 ? null : free;
  }

  #saw(seen) {
    this.#seen = seen;
    this.#seenAt = performance.now();
    const slot = this.#freeSlot;
    const key = seen === null ? "scan.faces.off" : slot === null ? "scan.photos.all" : adviceFor(seen, slot);
    const words = this.#texts.text(key ?? "scan.faces.good");
    this.#finder.element.dataset.face = key === null ? "good" : "wait";
    if (this.#hint.textContent === words) return;
    this.#hint.textContent = words;
    this.#hint.dataset.tone = key === null || key === "scan.photos.all" ? "good" : "wait";
    announce(words);
  }

  async #take() {
    const slot = this.#freeSlot;
    if (slot === null || !this.#finder.isOpen) return;
    const face = performance.now() - this.#seenAt < fresh ? this.#seen?.face ?? null : null;
    const photo = await this.#finder.photo();
    if (!photo.blob) return;
    this.#put(slot, { ...photo, face });
    navigator.vibrate?.(30);
  }

  async #takeFiles(pick) {
    this.#wrong("");
    const { photos, isUnreadable } = await photosOf(pick);
    if (isUnreadable) this.#wrong(this.#texts.text("scan.trouble.not-an-image"));
    for (const photo of photos) {
      const slot = this.#freeSlot;
      if (slot === null) break;
      this.#put(slot, photo);
    }
  }

  #put(slot, photo) {
    this.#draft.photos[slot] = photo;
    this.#changed();
    this.#show();
    announce(this.#texts.text("scan.photo.taken", { number: slot + 1 }));
  }

  #show() {
    const texts = this.#texts;
    const open = this.#freeSlot;
    for (const address of this.#addresses.splice(0)) URL.revokeObjectURL(address);
    this.#slots.replaceChildren(...views.map((view, index) => {
      const photo = this.#draft.photos[index];
      const name = texts.text(`scan.view.${view}`);
      if (!photo) {
        return html("li", { class: "slot", "data-next": index === open }, outline(view), html("span", {}, `${index + 1}. ${name}`));
      }
      const address = URL.createObjectURL(photo.blob);
      this.#addresses.push(address);
      const again = button(`retake-${index}`, texts.text("scan.retake"), () => {
        this.#draft.photos[index] = null;
        this.#changed();
        this.#show();
        document.getElementById("shutter").focus();
      }, "plain");
      again.setAttribute("aria-label", `${texts.text("scan.retake")}: ${name}`);
      return html("li", { class: "slot", "data-taken": true },
        html("img", { src: address, alt: name }),
        html("span", {}, `${index + 1}. ${name}`),
        photo.face && photo.face !== "one-face" ? html("span", { class: "warn" }, texts.text("scan.photo.no-face")) : [],
        again);
    }));
    this.#shutter.disabled = open === null || !this.#finder.isOpen;
    if (!this.#finder.isOpen) this.#hint.textContent = texts.text(open === null ? "scan.photos.all" : "scan.camera.note");
  }
}

/** Draws a head from the front, or turned to one side as the mirrored preview shows it. */
function outline(view) {
  const axis = { front: "M20 6v38", left: "M14 7c-6 11-6 26 0 36", right: "M26 7c6 11 6 26 0 36" }[view];
  return svg("svg", { class: "head", viewBox: "0 0 40 50", "aria-hidden": "true" },
    svg("path", { d: "M20 4c9 0 14 7 14 18 0 14-6 24-14 24S6 36 6 22C6 11 11 4 20 4z" }), svg("path", { class: "axis", d: axis }));
}
