// Step three: the upload, per file and in total; resumes after interruptions.

import { html } from "../core/dom.js";
import { confirmAction } from "../page/confirm-dialog.js";
import { createScan, createSubject, erase, look, subjects, submit } from "./api.js";
import { fromInput } from "./files.js";
import { keyForm } from "./key-form.js";
import { announce, button, heading } from "./components.js";
import { fingerprint } from "./draft-store.js";
import { UploadRefused } from "./tus.js";
import { Uploads } from "./uploads.js";
import * as words from "./format.js";

const shownFiles = 12;
const told = 10_000; // milliseconds between progress announcements for screen readers

const creating = new WeakMap(); // drafts whose scan is being created, with the pending result

/** Reports whether the draft has a scan on the server or is about to get one: it must not change any more. */
export function isAnnounced(draft) {
  return draft.scan !== null || creating.has(draft);
}

/** Returns all files of a draft with their names, in upload order. */
export function filesOf(draft) {
  const photos = draft.photos.map((photo, index) => photo && {
    name: `image${index + 1}.${photo.blob.type === "image/png" ? "png" : "jpg"}`, blob: photo.blob, size: photo.blob.size,
    type: photo.blob.type || "image/jpeg",
  }).filter(Boolean);
  return [...photos, ...draft.files.map((file) => ({ name: file.path, blob: file.blob, size: file.size }))];
}

export class Sending {
  #texts;
  #draft;
  #paths;
  #uploads = null;
  #run = 0; // incremented on start, pause and close; a pending call that finds another value is outdated
  #isRunning = false;
  #all = html("progress", { id: "all", max: 1, value: 0, "aria-labelledby": "title" });
  #line = html("p", { class: "line", id: "line" });
  #note = html("p", { class: "wrong", id: "note", role: "status" });
  #list = html("ul", { class: "files", id: "files" });
  #missing = html("div", { id: "missing" });
  #go;
  #drawn = 0;
  #said = 0;

  /**
   * `changed()` saves the draft and resolves once it is stored; `done(id)` and `dropped()` leave the screen, `back()`
   * returns to the capture.
   */
  constructor(texts, draft, paths) {
    this.#texts = texts;
    this.#draft = draft;
    this.#paths = paths;
  }

  screen() {
    const texts = this.#texts;
    this.#go = button("go", texts.text("scan.pause"), () => (this.#isRunning ? this.#pause() : this.start()), "button quiet");
    return [
      heading(texts.text("scan.sending")),
      this.#all, this.#line, this.#note, this.#missing, this.#list,
      html("div", { class: "actions" }, this.#go, button("drop-scan", texts.text("scan.drop"), (made) => this.#drop(made), "button quiet")),
    ];
  }

  close() {
    this.#run += 1;
    this.#isRunning = false;
    this.#uploads?.stop();
    this.#uploads = null;
  }

  /** Starts the upload, or resumes it where the last visit ended. */
  async start() {
    this.close();
    const mine = this.#run;
    this.#note.textContent = "";
    this.#go.textContent = this.#texts.text("scan.pause");
    const files = filesOf(this.#draft);
    const absent = files.filter(({ blob }) => !blob);
    if (absent.length > 0) {
      this.#ask(absent);
      return;
    }
    this.#missing.replaceChildren();
    this.#isRunning = true;
    try {
      const fresh = creating.has(this.#draft) || this.#draft.scan === null;
      const addresses = fresh ? await this.#create(files) : await this.#resume(mine);
      if (mine !== this.#run || !addresses) return;
      const uploads = new Uploads(files.map(({ name, blob }) => ({ name, blob, upload: addresses[name], fresh })), () => {
        if (mine === this.#run) this.#show(uploads);
      });
      this.#uploads = uploads;
      this.#show(uploads);
      await uploads.run();
      if (mine !== this.#run) return;
      await submit(this.#draft.scan.id);
      if (mine === this.#run) this.#paths.done(this.#draft.scan.id);
    } catch (error) {
      if (mine === this.#run) this.#failed(error);
    }
  }

  /** Creates only one scan, even if the upload is paused or left before the server has responded. */
  #create(files) {
    const draft = this.#draft;
    if (!creating.has(draft)) creating.set(draft, this.#askFor(files).finally(() => creating.delete(draft)));
    return creating.get(draft);
  }

  async #askFor(files) {
    const { label, kind } = this.#draft;
    const subject = this.#draft.subjectId ?? await subjectOf(this.#draft.subject);
    const scan = await createScan({
      ...(subject && { subject }), ...(label && { label }), kind,
      photos_expected: this.#draft.photos.filter(Boolean).length,
      files: files.map(({ name, size, type }) => ({ name, bytes: size, ...(type && { type }) })),
    });
    this.#draft.scan = { id: scan.id };
    for (const file of this.#draft.files) file.print = await fingerprint(file.path, file.blob);
    await this.#paths.changed();
    return addressesOf(scan);
  }

  /** Returns the upload URLs from the server, or `null` if the scan is no longer uploading. */
  async #resume(mine) {
    const scan = await look(this.#draft.scan.id);
    if (scan.status === "uploading") return addressesOf(scan);
    if (mine === this.#run) this.#paths.done(scan.id);
    return null;
  }

  #failed(error) {
    this.close();
    this.#go.textContent = this.#texts.text("scan.go-on");
    const gone = error.code === "not-found" || (error instanceof UploadRefused && [404, 410].includes(error.status));
    if (gone) {
      // The server no longer has the scan, but the files are still here, so a new one is created.
      this.#draft.scan = null;
      this.#paths.changed();
      this.#note.textContent = this.#texts.text("scan.begun-anew");
    } else {
      this.#note.textContent = words.errorMessage(error, this.#texts);
    }
    if (error.code === "unauthorized" || error.status === 401) {
      this.#missing.replaceChildren(keyForm(this.#texts, () => this.start()));
    } else if (error.code === "bad-value" && this.#draft.scan === null) {
      // Values that the server rejects, such as a deleted subject, have to be corrected in the capture.
      this.#missing.replaceChildren(button("back", this.#texts.text("scan.back"), () => this.#paths.back(), "button quiet"));
    }
    this.#go.focus();
  }

  #pause() {
    this.close();
    this.#go.textContent = this.#texts.text("scan.go-on");
    this.#line.textContent = this.#texts.text("scan.paused");
    announce(this.#texts.text("scan.paused"));
  }

  async #drop(made) {
    const texts = this.#texts;
    if (!(await confirmAction(texts.text("scan.drop.sure"), texts.text("scan.drop"), texts.text("scan.keep")))) return;
    this.close();
    this.#go.disabled = made.disabled = true;
    await creating.get(this.#draft)?.catch(() => {}); // a scan that is being created is discarded as well
    const id = this.#draft.scan?.id;
    if (id) await erase(id).catch(() => {}); // the server purges scans without their files
    this.#paths.dropped();
  }

  /** Asks for the files that were too large to store. */
  #ask(absent) {
    const texts = this.#texts;
    const take = async (input) => {
      for (const { path, blob } of fromInput(input.files)) {
        const wanted = this.#draft.files.find((file) => !file.blob && file.size === blob.size && nameOf(file.path) === nameOf(path));
        if (wanted && (!wanted.print || wanted.print === await fingerprint(wanted.path, blob))) wanted.blob = blob;
      }
      input.value = "";
      const left = this.#draft.files.filter(({ blob }) => !blob);
      if (left.length === 0) await this.start();
      else this.#ask(left);
    };
    const files = html("input", { type: "file", id: "again-files", class: "visually-hidden", multiple: true });
    const folder = html("input", { type: "file", id: "again-folder", class: "visually-hidden", webkitdirectory: true });
    for (const input of [files, folder]) input.addEventListener("change", () => take(input));
    this.#go.textContent = texts.text("scan.go-on");
    this.#missing.replaceChildren(
      html("p", { class: "warn" }, texts.text("scan.again", { number: absent.length, name: absent[0].name ?? absent[0].path })),
      html("div", { class: "row" },
        files, html("label", { class: "button", for: "again-files" }, texts.text("scan.depth.files")),
        folder, html("label", { class: "button quiet", for: "again-folder" }, texts.text("scan.depth.folder"))));
  }

  #show(uploads) {
    const now = performance.now();
    const over = uploads.sent >= uploads.bytes;
    if (now - this.#drawn < 100 && !over && uploads.lost === 0) return;
    this.#drawn = now;
    const texts = this.#texts;
    const { locale } = texts;
    const share = uploads.bytes > 0 ? uploads.sent / uploads.bytes : 0;
    this.#all.value = share;
    const { speed, left } = uploads;
    const said = [
      texts.text("scan.sent", { sent: words.bytes(uploads.sent, locale), all: words.bytes(uploads.bytes, locale) }),
      speed ? words.speed(speed, locale) : "",
      left > 0 ? texts.text("scan.left", { time: words.duration(left, locale) }) : "",
    ].filter(Boolean);
    this.#line.textContent = said.join(" · ");
    this.#note.textContent = uploads.lost > 0
      ? texts.text("scan.lost", { time: words.duration(uploads.lost, locale) }) : "";
    if (now - this.#said > told) {
      this.#said = now;
      announce(`${words.percent(share, locale)}. ${said.at(-1)}`);
    }
    this.#showFiles(uploads.files);
  }

  /** Shows the files in progress and the next ones; a folder of a thousand files is too long to list. */
  #showFiles(files) {
    const { locale } = this.#texts;
    const first = files.length <= shownFiles ? files : files.filter(({ state }) => state !== "done").slice(0, shownFiles);
    const rest = files.length - first.length;
    this.#list.replaceChildren(
      ...first.map(({ name, bytes, sent, state }) => html("li", { "data-state": state },
        html("bdi", { class: "name" }, name),
        html("progress", { max: bytes, value: sent, "aria-label": name }),
        html("span", { class: "share" }, words.percent(bytes > 0 ? sent / bytes : 1, locale)))),
      ...(rest > 0 ? [html("li", { class: "soft" }, this.#texts.text("scan.more-files", { number: rest }))] : []));
  }
}

function addressesOf(scan) {
  return Object.fromEntries(scan.files.map(({ name, upload }) => [name, upload]));
}

function nameOf(path) {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** Returns the ID of the subject with this name, created if there is none; `null` for an empty name. */
async function subjectOf(name) {
  if (!name) return null;
  for (let after = ""; after !== null;) {
    const found = await subjects({ q: name, after, limit: 200 });
    const same = found.subjects.find((subject) => subject.name === name);
    if (same) return same.id;
    after = found.next ?? null;
  }
  return (await createSubject({ name })).id;
}
