// Step three: the upload, each file and all together; what is lost on the way is found again.

import { html } from "../core/build.js";
import { sure } from "../page/sure.js";
import { createScan, createSubject, erase, look, subjects, submit } from "./api.js";
import { fromInput } from "./files.js";
import { keyForm } from "./key-form.js";
import { announce, button, heading } from "./parts.js";
import { fingerprint } from "./shelf.js";
import { UploadRefused } from "./tus.js";
import { Uploads } from "./uploads.js";
import * as words from "./words.js";

const shownFiles = 12;
const told = 10_000; // how often a screen reader hears how far it is

const creating = new WeakMap(); // drafts for which the server has been asked for a scan, with what comes of it

/** Whether there is a scan of a draft or soon will be: nothing that belongs to it may change any more. */
export function isAnnounced(draft) {
  return draft.scan !== null || creating.has(draft);
}

/** All files of a draft by their names, in the order in which they go. */
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
  #run = 0; // who comes back from waiting and finds another number has been paused, left or given up
  #isRunning = false;
  #all = html("progress", { id: "all", max: 1, value: 0, "aria-labelledby": "title" });
  #line = html("p", { class: "line", id: "line" });
  #note = html("p", { class: "wrong", id: "note", role: "status" });
  #list = html("ul", { class: "files", id: "files" });
  #missing = html("div", { id: "missing" });
  #go;
  #drawn = 0;
  #said = 0;

  /** `changed()` keeps the draft and resolves when it is kept, `done(id)` and `dropped()` lead on, `back()` to the capture. */
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

  /** Begins, or goes on where the last visit ended. */
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

  /** One scan, however often it is paused or left before the server has answered. */
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

  /** The upload's addresses as the server has them; null when the scan is past uploading. */
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
      // The server has forgotten what was begun: the files are still here, so it begins anew.
      this.#draft.scan = null;
      this.#paths.changed();
      this.#note.textContent = this.#texts.text("scan.begun-anew");
    } else {
      this.#note.textContent = words.trouble(error, this.#texts);
    }
    if (error.code === "unauthorised" || error.status === 401) {
      this.#missing.replaceChildren(keyForm(this.#texts, () => this.start()));
    } else if (error.code === "bad-value" && this.#draft.scan === null) {
      // What the server refuses of it, like somebody who has been erased, is changed where it was said.
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
    if (!(await sure(texts.text("scan.drop.sure"), texts.text("scan.drop"), texts.text("scan.keep")))) return;
    this.close();
    this.#go.disabled = made.disabled = true;
    await creating.get(this.#draft)?.catch(() => {}); // what comes of it is given up as well
    const id = this.#draft.scan?.id;
    if (id) await erase(id).catch(() => {}); // a scan without its files is swept away by the server
    this.#paths.dropped();
  }

  /** Files that were too large to keep have to be chosen again. */
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
    const files = html("input", { type: "file", id: "again-files", class: "heard", multiple: true });
    const folder = html("input", { type: "file", id: "again-folder", class: "heard", webkitdirectory: true });
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
    const { language } = texts;
    const share = uploads.bytes > 0 ? uploads.sent / uploads.bytes : 0;
    this.#all.value = share;
    const { speed, left } = uploads;
    const said = [
      texts.text("scan.sent", { sent: words.bytes(uploads.sent, language), all: words.bytes(uploads.bytes, language) }),
      speed ? words.speed(speed, language) : "",
      left > 0 ? texts.text("scan.left", { time: words.duration(left, language) }) : "",
    ].filter(Boolean);
    this.#line.textContent = said.join(" · ");
    this.#note.textContent = uploads.lost > 0
      ? texts.text("scan.lost", { time: words.duration(uploads.lost, language) }) : "";
    if (now - this.#said > told) {
      this.#said = now;
      announce(`${words.percent(share, language)}. ${said.at(-1)}`);
    }
    this.#showFiles(uploads.files);
  }

  /** Those under way and those that wait; a folder of a thousand files is no list to read. */
  #showFiles(files) {
    const { language } = this.#texts;
    const first = files.length <= shownFiles ? files : files.filter(({ state }) => state !== "done").slice(0, shownFiles);
    const rest = files.length - first.length;
    this.#list.replaceChildren(
      ...first.map(({ name, bytes, sent, state }) => html("li", { "data-state": state },
        html("bdi", { class: "name" }, name),
        html("progress", { max: bytes, value: sent, "aria-label": name }),
        html("span", { class: "share" }, words.percent(bytes > 0 ? sent / bytes : 1, language)))),
      ...(rest > 0 ? [html("li", { class: "soft" }, this.#texts.text("scan.more-files", { number: rest }))] : []));
  }
}

function addressesOf(scan) {
  return Object.fromEntries(scan.files.map(({ name, upload }) => [name, upload]));
}

function nameOf(path) {
  return path.slice(path.lastIndexOf("/") + 1);
}

/** The subject of this name, made where there is none; null for an empty name. */
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
