// Subjects due on a day, each with its number of scans, and a form to add one.

import { html } from "../core/dom.js";
import { isReadOnly } from "../page/account.js";
import { showError } from "../page/error-banner.js";
import { confirmAction } from "../page/confirm-dialog.js";
import { createSubject, describeSubject, eraseSubject, save, subjectExportAddress, subjects } from "./api.js";
import { showEditDialog } from "./edit-dialog.js";
import { announce, button, field, keepFocus } from "./components.js";
import { errorMessage } from "./format.js";

const atOnce = 25;

export class WorkList {
  #texts;
  #paths;
  #day;
  #search;
  #list = html("ul", { class: "subjects", id: "subjects" });
  #more;
  #adding;
  #pages = [""];
  #following = null;
  #asked = 0;

  element;

  /** `choose({ id, name })` shows a subject's scans; `changed()` is called after a subject was changed or deleted. */
  constructor(texts, paths) {
    this.#texts = texts;
    this.#paths = paths;
    this.#day = html("input", { type: "date", value: today() });
    this.#search = html("input", { type: "search", autocomplete: "off", maxlength: 200 });
    this.#day.addEventListener("change", () => this.#again());
    let timer = 0;
    this.#search.addEventListener("input", () => {
      clearTimeout(timer);
      timer = setTimeout(() => this.#again(), 250);
    });
    this.#more = button("more-subjects", texts.text("scan.next"), () => {
      this.#pages.push(this.#following);
      this.show();
    }, "plain");
    this.#more.hidden = true;
    this.#adding = this.#form();
    this.element = html("section", { class: "work", "aria-labelledby": "work-title" },
      html("h2", { id: "work-title" }, texts.text("scan.work")),
      field("work-day", texts.text("scan.work.day"), this.#day),
      field("work-search", texts.text("scan.work.search"), this.#search),
      this.#list, this.#more, this.#adding);
  }

  async show() {
    this.#asked += 1;
    const mine = this.#asked;
    const texts = this.#texts;
    this.#adding.hidden = isReadOnly();
    try {
      const found = await subjects({
        q: this.#search.value.trim(), day: this.#day.value, after: this.#pages.at(-1), limit: atOnce,
      });
      if (mine !== this.#asked) return;
      this.#following = found.next ?? null;
      this.#more.hidden = this.#following === null;
      this.#list.replaceChildren(...(found.subjects.length > 0 ? found.subjects.map((each) => this.#item(each))
        : [html("li", { class: "soft" }, texts.text("scan.work.none"))]));
    } catch {
      // The list of scans beside it shows the error.
      if (mine === this.#asked) this.#list.replaceChildren();
    }
  }

  #again() {
    this.#pages = [""];
    return this.show();
  }

  #item({ id, name, note, due, scans }) {
    const texts = this.#texts;
    const act = (key, action) => {
      const made = button(null, texts.text(key), action, "plain");
      made.setAttribute("aria-label", `${texts.text(key)}: ${name}`);
      made.dataset.action = key;
      made.removeAttribute("id");
      return made;
    };
    const shown = button(null, "", () => this.#paths.choose({ id, name }), "plain name");
    shown.removeAttribute("id");
    shown.append(html("bdi", {}, name));
    return html("li", { "data-subject": id, "data-scanned": scans > 0 },
      html("div", {}, shown, note ? html("p", { class: "soft", dir: "auto" }, note) : []),
      html("span", { class: "soft" }, texts.text("scan.work.scans", { number: scans })),
      html("div", { class: "row" },
        isReadOnly() ? [] : html("a", {
          class: "plain", href: `/scan#${new URLSearchParams({ for: name, subject: id })}`,
          "aria-label": `${texts.text("scan.work.scan")}: ${name}`,
        }, texts.text("scan.work.scan")),
        isReadOnly() ? [] : act("scan.work.change", () => this.#change({ id, name, note, due })),
        act("scan.export", () => save(subjectExportAddress(id), `${id}.zip`).catch((error) => showError(errorMessage(error, texts)))),
        isReadOnly() ? [] : act("scan.erase", () => this.#erase(id, name, scans))));
  }

  async #change({ id, name, note, due }) {
    const texts = this.#texts;
    const newName = html("input", { type: "text", autocomplete: "off", maxlength: 200, required: true, value: name });
    const newNote = html("input", { type: "text", autocomplete: "off", maxlength: 500, value: note ?? "" });
    const newDay = html("input", { type: "date", value: due ?? "" });
    const fields = [["other-name", texts.text("scan.subject"), newName], ["other-note", texts.text("scan.work.note"), newNote],
      ["other-day", texts.text("scan.day"), newDay]];
    if (!(await showEditDialog(texts, "describe", texts.text("scan.work.change"), fields))) return;
    try {
      await describeSubject(id, { name: newName.value.trim(), note: newNote.value.trim(), due: newDay.value });
      await keepFocus(this.#list, { key: "subject", id, action: "scan.work.change", rest: this.#search }, () => this.show());
      this.#paths.changed();
    } catch (error) {
      showError(errorMessage(error, texts));
    }
  }

  async #erase(id, name, scans) {
    const texts = this.#texts;
    const question = texts.text("scan.work.erase.sure", { name, number: scans });
    if (!(await confirmAction(question, texts.text("scan.erase"), texts.text("scan.keep")))) return;
    try {
      await eraseSubject(id);
      announce(texts.text("scan.erased"));
      await keepFocus(this.#list, { key: "subject", id, action: "scan.erase", rest: this.#search }, () => this.#again());
      this.#paths.changed();
    } catch (error) {
      showError(errorMessage(error, texts));
    }
  }

  #form() {
    const texts = this.#texts;
    const name = html("input", { type: "text", autocomplete: "off", maxlength: 200, required: true });
    const note = html("input", { type: "text", autocomplete: "off", maxlength: 500 });
    const told = html("p", { class: "wrong", role: "alert" });
    const form = html("form", { id: "add-subject" },
      field("new-name", texts.text("scan.subject"), name), field("new-note", texts.text("scan.work.note"), note), told,
      html("button", { class: "button quiet", type: "submit" }, texts.text("scan.work.add")));
    form.addEventListener("submit", async (event) => {
      event.preventDefault();
      told.textContent = "";
      try {
        await createSubject({
          name: name.value.trim(), ...(note.value.trim() && { note: note.value.trim() }), ...(this.#day.value && { due: this.#day.value }),
        });
        form.reset();
        this.#again();
        name.focus();
      } catch (error) {
        told.textContent = errorMessage(error, texts);
      }
    });
    return html("details", {}, html("summary", {}, texts.text("scan.work.new")), form);
  }
}

/** Returns today's date in the local time zone, not in UTC. */
function today() {
  const now = new Date();
  return new Date(now - now.getTimezoneOffset() * 60_000).toISOString().slice(0, 10);
}
