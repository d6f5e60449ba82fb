// Step one: the photos, the depth data, and the subject. A face needs three photos; an object or a room needs none.

import { html } from "../core/dom.js";
import { subjects } from "./api.js";
import { button, field, heading } from "./components.js";
import { DepthFiles } from "./depth-files.js";
import { FacePhotos } from "./face-photos.js";
import { kindIcon } from "./kind-step.js";
import { OtherPhotos } from "./photo-files.js";

export class Capture {
  #texts;
  #draft;
  #changed;
  #photos;
  #depth;
  #wrong = html("p", { class: "wrong", id: "wrong", role: "alert" });
  #next;
  #kind;
  #asking = 0;

  /** `changed()` saves the draft, `review()` opens the next step, `kind()` asks for the kind again. */
  constructor(texts, draft, { changed, review, kind }) {
    this.#texts = texts;
    this.#draft = draft;
    this.#changed = changed;
    this.#kind = kind;
    this.#next = button("review", texts.text("scan.review"), review);
    const edited = () => {
      changed();
      this.#allow();
    };
    const Photos = draft.kind === "face" ? FacePhotos : OtherPhotos;
    this.#photos = new Photos(texts, draft, {
      changed: edited,
      wrong: (words) => {
        this.#wrong.textContent = words;
      },
    });
    this.#depth = new DepthFiles(texts, draft, edited);
    this.#allow();
  }

  screen() {
    const texts = this.#texts;
    const { kind } = this.#draft;
    return [
      heading(texts.text(`scan.title.${kind}`)),
      html("p", { class: "chosen-kind row" }, kindIcon(kind), html("strong", {}, texts.text(`scan.kind.${kind}`)),
        button("change-kind", texts.text("scan.kind.change"), () => this.#kind(), "plain")),
      html("p", { class: "lead" }, texts.text(`scan.lead.${kind}`)),
      kind === "face"
        ? html("div", { class: "two" }, this.#photos.element, html("div", {}, this.#depth.element, this.#about()))
        : html("div", { class: "two" }, this.#depth.element, html("div", {}, this.#about(), this.#photos.element)),
      this.#wrong,
      html("div", { class: "actions" }, this.#next),
    ];
  }

  close() {
    this.#photos.close();
  }

  #allow() {
    const { files, photos } = this.#draft;
    this.#next.disabled = files.length === 0 && photos.every((photo) => !photo);
  }

  #about() {
    const texts = this.#texts;
    const draft = this.#draft;
    const names = html("datalist", { id: "subject-names" });
    const subject = html("input", { type: "text", autocomplete: "off", maxlength: 200, list: "subject-names", value: draft.subject });
    const label = html("input", { type: "text", autocomplete: "off", maxlength: 200, value: draft.label });
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
    return html("section", { class: "about", "aria-labelledby": "about-title" },
      html("h2", { id: "about-title" }, texts.text("scan.about")),
      field("subject", texts.text("scan.subject"), subject), names,
      field("label", texts.text("scan.label"), label));
  }
}
