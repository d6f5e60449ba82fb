// Step one: three photos from the camera or from files, the depth data as files or a folder, and the subject.

import { html, svg } from "../core/dom.js";
import { subjects } from "./api.js";
import { adviceFor } from "./face-check.js";
import { fromDrop, fromInput } from "./files.js";
import { Finder } from "./camera-viewfinder.js";
import { announce, button, field, heading, icon } from "./components.js";
import { bytes } from "./format.js";

const views = ["front", "left", "right"];
const fresh = 1_500; // milliseconds; an older face result does not apply to the photo
const drawn = {
  camera: "M4 8h3l2-3h6l2 3h3v11H4zM12 10a3.5 3.5 0 1 0 0 7a3.5 3.5 0 1 0 0-7",
  depth: "M4 16v3a1 1 0 0 0 1 1h14a1 1 0 0 0 1-1v-3M12 15V4M8 8l4-4 4 4",
};

export class Capture {
  #texts;
  #draft;
  #changed;
  #finder;
  #seen = null;
  #seenAt = -Infinity;
  #slots = html("ol", { class: "slots", id: "slots" });
  #hint = html("p", { class: "told-hint", id: "hint" });
  #list = html("div", { id: "depth-list" });
  #wrong = html("p", { class: "wrong", id: "wrong", role: "alert" });
  #shutter;
  #openCamera;
  #next;
  #addresses = [];
  #asking = 0;

  /** `changed()` saves the draft, `review()` opens the next step. */
  constructor(texts, draft, { changed, review }) {
    this.#texts = texts;
    this.#draft = draft;
    this.#changed = changed;
    this.#finder = new Finder(texts);
    this.#next = button("review", texts.text("scan.review"), review);
  }

  screen() {
    const texts = this.#texts;
    this.#shutter = button("shutter", texts.text("scan.shutter"), () => this.#take());
    this.#openCamera = button("open-camera", texts.text("scan.camera"), () => this.#open());
    this.#openCamera.prepend(icon(drawn.camera));
    const pick = html("input", { type: "file", id: "pick-photos", class: "heard", accept: "image/jpeg,image/png", multiple: true });
    pick.addEventListener("change", () => this.#takeFiles(pick));
    this.#finder.element.append(html("div", { class: "shut", id: "shut" }, this.#openCamera));
    const made = [
      heading(texts.text("scan.title")),
      html("p", { class: "lead" }, texts.text("scan.lead")),
      html("div", { class: "two" },
        html("section", { "aria-labelledby": "photos-title" },
          html("h2", { id: "photos-title" }, texts.text("scan.photos")),
          this.#finder.element,
          this.#hint,
          html("div", { class: "row" }, this.#shutter, pick,
            html("label", { class: "button quiet", for: "pick-photos" }, texts.text("scan.pick"))),
          this.#finder.choices,
          this.#slots),
        html("div", {}, this.#depth(), this.#about())),
      this.#wrong,
      html("div", { class: "actions" }, this.#next),
    ];
    this.#show();
    return made;
  }

  close() {
    this.#finder.close();
    for (const address of this.#addresses) URL.revokeObjectURL(address);
  }

  async #open() {
    this.#wrong.textContent = "";
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
    this.#wrong.textContent = this.#texts.text(`scan.camera.${code}`);
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
    this.#wrong.textContent = "";
    for (const file of pick.files) {
      const slot = this.#freeSlot;
      if (slot === null) break;
      const picture = await createImageBitmap(file).catch(() => null);
      if (!picture) {
        this.#wrong.textContent = this.#texts.text("scan.trouble.not-an-image");
        continue;
      }
      this.#put(slot, { blob: file, width: picture.width, height: picture.height, face: null });
      picture.close();
    }
    pick.value = "";
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
    this.#showFiles();
  }

  #depth() {
    const texts = this.#texts;
    const files = html("input", { type: "file", id: "depth-files", class: "heard", multiple: true });
    const folder = html("input", { type: "file", id: "depth-folder", class: "heard", webkitdirectory: true });
    for (const input of [files, folder]) {
      input.addEventListener("change", () => {
        this.#add(fromInput(input.files));
        input.value = "";
      });
    }
    const drop = html("div", { class: "drop", id: "drop" }, icon(drawn.depth),
      html("p", {}, texts.text("scan.depth.drop")),
      html("div", { class: "row" },
        files, html("label", { class: "button quiet", for: "depth-files" }, texts.text("scan.depth.files")),
        folder, html("label", { class: "button quiet", for: "depth-folder" }, texts.text("scan.depth.folder"))));
    drop.addEventListener("dragover", (event) => {
      event.preventDefault();
      drop.setAttribute("data-over", "");
    });
    drop.addEventListener("dragleave", () => drop.removeAttribute("data-over"));
    drop.addEventListener("drop", async (event) => {
      event.preventDefault();
      drop.removeAttribute("data-over");
      this.#add(await fromDrop(event.dataTransfer).catch(() => []));
    });
    // A file dropped outside the field must not replace the page.
    for (const kind of ["dragover", "drop"]) document.body.addEventListener(kind, (event) => event.preventDefault());
    return html("section", { "aria-labelledby": "depth-title" },
      html("h2", { id: "depth-title" }, texts.text("scan.depth")),
      html("p", { class: "soft" }, texts.text("scan.depth.lead")), drop, this.#list);
  }

  #add(files) {
    const added = new Set(files.map(({ path }) => path));
    this.#draft.files = [...this.#draft.files.filter(({ path }) => !added.has(path)),
      ...files.map(({ path, blob }) => ({ path, size: blob.size, blob }))];
    this.#changed();
    this.#showFiles();
    announce(this.#list.textContent);
  }

  #showFiles() {
    const { files } = this.#draft;
    this.#next.disabled = files.length === 0 && this.#draft.photos.every((photo) => !photo);
    if (files.length === 0) {
      this.#list.replaceChildren();
      return;
    }
    const texts = this.#texts;
    const size = bytes(files.reduce((sum, file) => sum + file.size, 0), texts.locale);
    this.#list.replaceChildren(html("p", { class: "chosen" },
      html("strong", {}, texts.text("scan.depth.chosen", { number: files.length, size })), " ",
      html("bdi", {}, files.length === 1 ? files[0].path : `${files[0].path} … ${files.at(-1).path}`),
      button("clear-depth", texts.text("scan.depth.clear"), () => {
        this.#draft.files = [];
        this.#changed();
        this.#showFiles();
        document.getElementById("depth-files").focus();
      }, "plain")));
  }

  #about() {
    const texts = this.#texts;
    const draft = this.#draft;
    const names = html("datalist", { id: "subject-names" });
    const subject = html("input", { type: "text", autocomplete: "off", maxlength: 200, list: "subject-names", value: draft.subject });
    const label = html("input", { type: "text", autocomplete: "off", maxlength: 200, value: draft.label });
    const kind = html("select", {}, ["face", "object"].map((name) =>
      new Option(texts.text(`scan.kind.${name}`), name, false, name === draft.kind)));
    subject.addEventListener("input", () => {
      draft.subject = subject.value.trim();
      draft.subjectId = null; // a typed name may belong to another subject
      this.#changed();
      clearTimeout(this.#asking);
      this.#asking = setTimeout(async () => {
        const found = await subjects({ q: draft.subject, limit: 10 }).catch(() => ({ subjects: [] }));
        names.replaceChildren(...found.subjects.map(({ name }) => html("option", { value: name })));
      }, 250);
    });
    label.addEventListener("input", () => {
      draft.label = label.value.trim();
      this.#changed();
    });
    kind.addEventListener("change", () => {
      draft.kind = kind.value;
      this.#changed();
    });
    return html("section", { class: "about", "aria-labelledby": "about-title" },
      html("h2", { id: "about-title" }, texts.text("scan.about")),
      field("subject", texts.text("scan.subject"), subject), names,
      field("label", texts.text("scan.label"), label),
      field("kind", texts.text("scan.kind"), kind));
  }
}

/** Draws a head from the front, or turned to one side as the mirrored preview shows it. */
function outline(view) {
  const axis = { front: "M20 6v38", left: "M14 7c-6 11-6 26 0 36", right: "M26 7c6 11 6 26 0 36" }[view];
  return svg("svg", { class: "head", viewBox: "0 0 40 50", "aria-hidden": "true" },
    svg("path", { d: "M20 4c9 0 14 7 14 18 0 14-6 24-14 24S6 36 6 22C6 11 11 4 20 4z" }), svg("path", { class: "axis", d: axis }));
}
