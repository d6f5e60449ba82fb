// Photos of an object or a room, which are optional; and reading of the files that a photo field has.

import { html } from "../core/dom.js";
import { announce, button } from "./components.js";

const most = 12; // photos that the server assesses

/** Returns the images of a file field, which it empties: `{ photos, isUnreadable }`. */
export async function photosOf(input) {
  const photos = [];
  let isUnreadable = false;
  for (const file of [...input.files]) {
    const picture = await createImageBitmap(file).catch(() => null);
    if (picture) photos.push({ blob: file, width: picture.width, height: picture.height, face: null });
    else isUnreadable = true;
    picture?.close();
  }
  input.value = "";
  return { photos, isUnreadable };
}

export class OtherPhotos {
  #texts;
  #draft;
  #changed;
  #wrong;
  #list = html("ul", { class: "slots", id: "slots" });
  #pick = html("input", { type: "file", id: "pick-photos", class: "visually-hidden", accept: "image/jpeg,image/png", multiple: true });
  #addresses = [];

  element;

  /** `changed()` is called after each change of the draft's photos, `wrong(text)` shows an error. */
  constructor(texts, draft, { changed, wrong }) {
    this.#texts = texts;
    this.#draft = draft;
    this.#changed = changed;
    this.#wrong = wrong;
    this.#pick.addEventListener("change", () => this.#take());
    this.element = html("section", { class: "about", "aria-labelledby": "photos-title" },
      html("h2", { id: "photos-title" }, texts.text("scan.photos.optional")),
      html("p", { class: "soft" }, texts.text("scan.photos.optional.text")),
      html("div", { class: "row" }, this.#pick, html("label", { class: "button quiet", for: "pick-photos" }, texts.text("scan.pick"))),
      this.#list);
    this.#show();
  }

  close() {
    for (const address of this.#addresses) URL.revokeObjectURL(address);
  }

  async #take() {
    this.#wrong("");
    const { photos, isUnreadable } = await photosOf(this.#pick);
    if (isUnreadable) this.#wrong(this.#texts.text("scan.trouble.not-an-image"));
    this.#draft.photos = [...this.#draft.photos, ...photos].slice(0, most);
    this.#changed();
    this.#show();
    announce(`${this.#texts.text("scan.photos")}: ${this.#draft.photos.length}`);
  }

  #show() {
    const texts = this.#texts;
    for (const address of this.#addresses.splice(0)) URL.revokeObjectURL(address);
    this.#list.hidden = this.#draft.photos.length === 0;
    this.#list.replaceChildren(...this.#draft.photos.map((photo, index) => {
      const name = texts.text("scan.photo-measures.photo", { number: index + 1 });
      const address = URL.createObjectURL(photo.blob);
      this.#addresses.push(address);
      const remove = button(`remove-${index}`, texts.text("scan.depth.clear"), () => {
        this.#draft.photos.splice(index, 1);
        this.#changed();
        this.#show();
        this.#pick.focus();
      }, "plain");
      remove.setAttribute("aria-label", `${texts.text("scan.depth.clear")}: ${name}`);
      return html("li", { class: "slot", "data-taken": true }, html("img", { src: address, alt: name }), remove);
    }));
  }
}
