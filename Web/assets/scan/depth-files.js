// The depth data of a scan: files or a folder of a scanner app, chosen or dropped.

import { html } from "../core/dom.js";
import { announce, button, icon } from "./components.js";
import { fromDrop, fromInput } from "./files.js";
import { bytes } from "./format.js";

const sign = "M4 16v3a1 1 0 0 0 1 1h14a1 1 0 0 0 1-1v-3M12 15V4M8 8l4-4 4 4";

export class DepthFiles {
  #texts;
  #draft;
  #changed;
  #list = html("div", { id: "depth-list" });

  element;

  /** `changed()` is called after each change of the draft's files. */
  constructor(texts, draft, changed) {
    this.#texts = texts;
    this.#draft = draft;
    this.#changed = changed;
    const files = html("input", { type: "file", id: "depth-files", class: "visually-hidden", multiple: true });
    const folder = html("input", { type: "file", id: "depth-folder", class: "visually-hidden", webkitdirectory: true });
    for (const input of [files, folder]) {
      input.addEventListener("change", () => {
        this.#add(fromInput(input.files));
        input.value = "";
      });
    }
    const drop = html("div", { class: "drop", id: "drop" }, icon(sign),
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
    this.element = html("section", { "aria-labelledby": "depth-title" },
      html("h2", { id: "depth-title" }, texts.text("scan.depth")),
      html("p", { class: "soft" }, texts.text("scan.depth.lead")), drop, this.#list);
    this.#show();
  }

  #add(files) {
    const added = new Set(files.map(({ path }) => path));
    this.#draft.files = [...this.#draft.files.filter(({ path }) => !added.has(path)),
      ...files.map(({ path, blob }) => ({ path, size: blob.size, blob }))];
    this.#changed();
    this.#show();
    announce(this.#list.textContent);
  }

  #show() {
    const { files } = this.#draft;
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
        this.#show();
        document.getElementById("depth-files").focus();
      }, "plain")));
  }
}
