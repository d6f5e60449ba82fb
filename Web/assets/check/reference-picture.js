// Choice of a picture to compare the face with, for a check without a link.

import { html } from "../core/dom.js";

/** Longest side in pixels; a larger picture would not improve the comparison. */
const longSide = 1600;
const quality = 0.9;

export class ReferencePicture {
  #texts = null;
  #picture = null;
  #input = html("input",
    { type: "file", id: "picture", accept: "image/*", "aria-describedby": "picture-lead picture-trouble" });
  #preview = html("img", { class: "chosen", id: "picture-preview", alt: "", hidden: true });
  #remove = html("button",
    { class: "plain", type: "button", id: "picture-remove", hidden: true, "data-text": "picture.remove" });
  #trouble = html("p", { class: "nothing", id: "picture-trouble", role: "status" });
  #told;

  /** Collapsed list for the welcome screen. */
  element = html("details", { class: "able picture", id: "picture-choice" },
    html("summary", {}, html("span", { "data-text": "picture.title" })),
    html("p", { id: "picture-lead", "data-text": "picture.lead" }),
    html("div", { class: "chooser" },
      this.#preview,
      html("div", {},
        html("label", { class: "button quiet", for: "picture" }, html("span", { "data-text": "picture.choose" })),
        this.#input, this.#remove)),
    this.#trouble);

  /** Calls `told` when the picture changes. */
  constructor(told) {
    this.#told = told;
    this.#input.addEventListener("change", () => this.#choose(this.#input.files[0]));
    this.#remove.addEventListener("click", () => {
      this.clear();
      this.#input.focus();
    });
  }

  set texts(texts) {
    this.#texts = texts;
  }

  /** The chosen picture as a JPEG; `null` if there is none. */
  get picture() {
    return this.#picture;
  }

  clear() {
    this.#input.value = "";
    this.#set(null);
  }

  async #choose(file) {
    if (!file) return;
    try {
      this.#set(await reduced(file));
    } catch {
      this.clear();
      this.#trouble.replaceChildren(html("span", {}, this.#texts.text("picture.unreadable")));
    }
  }

  #set(picture) {
    if (this.#preview.src) URL.revokeObjectURL(this.#preview.src);
    this.#picture = picture;
    this.#trouble.replaceChildren();
    this.#preview.hidden = picture === null;
    this.#remove.hidden = picture === null;
    this.#preview.alt = picture ? this.#texts.text("match.picture") : "";
    if (picture) this.#preview.src = URL.createObjectURL(picture);
    else this.#preview.removeAttribute("src");
    this.#told();
  }
}

/** Returns the picture as a JPEG of at most 1600 pixels, upright. */
async function reduced(file) {
  const image = await createImageBitmap(file);
  const scale = Math.min(1, longSide / Math.max(image.width, image.height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(image.width * scale));
  canvas.height = Math.max(1, Math.round(image.height * scale));
  const context = canvas.getContext("2d", { alpha: false });
  context.fillStyle = "white";
  context.fillRect(0, 0, canvas.width, canvas.height);
  context.drawImage(image, 0, 0, canvas.width, canvas.height);
  image.close();
  const picture = await new Promise((done) => canvas.toBlob(done, "image/jpeg", quality));
  if (!picture) throw new Error("no JPEG of the picture");
  return picture;
}

/** Returns a picture in base64 (RFC 4648, section 4). */
export async function base64(picture) {
  const bytes = new Uint8Array(await picture.arrayBuffer());
  let text = "";
  for (let start = 0; start < bytes.length; start += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(start, start + 0x8000));
  }
  return btoa(text);
}
