// Step four: the progress of the processing; then the surface, findings, measurements, depth maps, and downloads.

import { html } from "../core/dom.js";
import { isReadOnly } from "../page/account.js";
import { showError } from "../page/error-banner.js";
import { confirmAction } from "../page/confirm-dialog.js";
import { blob, cancel, erase, exportAddress, look, retry, save } from "./api.js";
import { DepthPlayer } from "./depth-player.js";
import { announce, button, heading, section } from "./components.js";
import { arLink } from "./ar-link.js";
import { measurementTable, photoMeasures, reportList, reportTitle } from "./report.js";
import { makeViewer, NoView } from "./viewer.js";
import * as words from "./format.js";

const soon = 500;
const later = 2_000;

export class Result {
  #texts;
  #id;
  #fill;
  #erased;
  #isOver = false;
  #open = [];
  #addresses = [];

  /** `fill(name, parts)` shows a screen; the other callback is called after a deletion. */
  constructor(texts, id, { fill, erased }) {
    this.#texts = texts;
    this.#id = id;
    this.#fill = fill;
    this.#erased = erased;
  }

  close() {
    this.#isOver = true;
    for (const part of this.#open.splice(0)) part.close();
    for (const address of this.#addresses.splice(0)) URL.revokeObjectURL(address);
  }

  /** Shows the current state of the scan, and polls it until processing is over. */
  async start() {
    let shown = "";
    let silent = 0;
    for (let asked = 0; !this.#isOver; asked += 1) {
      let scan;
      try {
        scan = await look(this.#id);
        silent = 0;
      } catch (error) {
        // A server that is restarting or overloaded resumes the work, so polling continues.
        if ((error.code && !error.isPassing) || (silent += 1) > 30) throw error;
        await this.#pause(later);
        continue;
      }
      if (this.#isOver) return;
      if (!["queued", "working"].includes(scan.status)) {
        await this.#end(scan);
        return;
      }
      if (shown !== "working") this.#working();
      shown = "working";
      this.#progress(scan);
      await this.#pause(asked < 60 ? soon : later);
    }
  }

  #pause(milliseconds) {
    return new Promise((resolve) => setTimeout(resolve, milliseconds));
  }

  #working() {
    const texts = this.#texts;
    this.#fill("working", [
      heading(texts.text("scan.working")),
      html("p", { class: "lead" }, texts.text("scan.working.lead")),
      html("progress", { id: "work", max: 1, value: 0, "aria-labelledby": "title" }),
      html("p", { class: "line", id: "phase" }),
      html("div", { class: "actions" }, isReadOnly() ? [] : button("cancel", texts.text("scan.cancel"), async (made) => {
        made.disabled = true;
        await cancel(this.#id).catch((error) => {
          showError(words.errorMessage(error, texts));
          made.disabled = false;
        });
      }, "button quiet")),
    ]);
  }

  #progress({ status, progress }) {
    const texts = this.#texts;
    const bar = document.getElementById("work");
    const line = document.getElementById("phase");
    const phase = texts.text(status === "queued" ? "scan.phase.queued" : `scan.phase.${progress?.phase ?? "reading"}`);
    if (typeof progress?.fraction === "number") bar.value = progress.fraction;
    const said = progress ? `${phase} · ${words.percent(progress.fraction, texts.locale)}` : phase;
    if (line.dataset.phase !== phase) announce(phase);
    line.dataset.phase = phase;
    line.textContent = said;
  }

  async #end(scan) {
    const texts = this.#texts;
    const title = scan.label || scan.subject_name || texts.text("scan.result");
    const about = [scan.subject_name, words.time(scan.created_at, texts.locale)].filter(Boolean)
      .flatMap((part, index) => [index > 0 ? " · " : "", html("bdi", {}, part)]);
    if (scan.status !== "done") {
      this.#fill(scan.status, [
        heading(texts.text(`scan.${scan.status}`)),
        html("p", { class: "lead" }, this.#reason(scan)),
        html("div", { class: "actions" },
          scan.status === "uploading" || isReadOnly() ? [] : button("retry", texts.text("scan.retry"), () => this.#retry()),
          this.#eraseButton()),
      ]);
      return;
    }
    const picture = html("div", { class: "view-place", id: "view-place" }, html("p", { class: "soft" }, texts.text("scan.view3d.loading")));
    const { report, measurements = [], depth, results = [], photos = [] } = scan;
    const player = depth?.frames > 0 ? new DepthPlayer(depth, texts) : null;
    if (player) this.#open.push(player);
    this.#fill("done", [
      heading(title),
      html("p", { class: "lead" }, about),
      results.some(({ name }) => name === "model.glb") ? picture : [],
      html("div", { class: "two" },
        html("div", {},
          report ? section("report-title", reportTitle(report, scan.surface, texts), reportList(report, texts)) : [],
          measurements.length > 0 ? section("measured-title", texts.text("scan.measurements"), measurementTable(measurements, texts),
            html("p", { class: "soft small" }, texts.text("scan.measurements.note"))) : []),
        html("div", {},
          player ? section("player-title", texts.text("scan.depth.maps"), player.element) : [],
          photos.length > 0 ? section("shots-title", texts.text("scan.photos"), this.#photos(photos, scan.kind), photoMeasures(photos, texts)) : [],
          scan.surface ? section("surface-title", texts.text("scan.surface"), this.#surface(scan.surface)) : [],
          scan.remarks?.length > 0 ? section("notes-title", texts.text("scan.notes"),
            this.#notes(scan)) : [])),
      section("files-title", texts.text("scan.downloads"), this.#downloads(results)),
      html("div", { class: "actions" },
        html("a", { class: "button", href: "/scan" }, texts.text("scan.another")),
        html("a", { class: "button quiet", href: "/scans" }, texts.text("scan.tab.all")), this.#eraseButton()),
    ]);
    announce(report ? reportTitle(report, scan.surface, texts) : texts.text("scan.result"));
    const model = results.find(({ name }) => name === "model.glb");
    if (model) await this.#view(model, scan, picture);
  }

  #notes({ remarks }) {
    return html("ul", { class: "soft small" }, remarks.map((each) => html("li", {}, words.remark(each, this.#texts))));
  }

  #reason({ status, problem }) {
    const texts = this.#texts;
    const key = `scan.problem.${problem?.code}`;
    if (problem) return texts.has(key) ? texts.text(key) : problem.detail;
    return texts.text(`scan.${status}.lead`);
  }

  async #retry() {
    try {
      await retry(this.#id);
      await this.start();
    } catch (error) {
      showError(words.errorMessage(error, this.#texts));
    }
  }

  async #view(model, { kind, surface, results }, place) {
    const texts = this.#texts;
    try {
      const bytes = await (await blob(model.url)).arrayBuffer();
      const viewer = await makeViewer(bytes, texts, { kind, subject: surface?.subject_millimeters });
      if (this.#isOver) {
        viewer.close();
        return;
      }
      this.#open.push(viewer);
      const ar = arLink(results, texts, (url) => this.#address(url));
      place.replaceChildren(viewer.element, ...(ar ? [ar] : []));
    } catch (error) {
      if (!(error instanceof NoView)) console.error(error);
      place.replaceChildren(html("p", { class: "warn", id: "no-view" },
        texts.text(error instanceof NoView ? `scan.${error.message}` : "scan.no-view")), ...(await this.#preview(results)));
    }
  }

  /** Returns the server's preview image, or nothing if it cannot be loaded. */
  async #preview(results) {
    const preview = results.find(({ name }) => name === "preview.png");
    const address = preview && await this.#address(preview.url).catch(() => null);
    return address ? [html("img", { class: "preview", alt: this.#texts.text("scan.preview"), src: address })] : [];
  }

  async #address(url) {
    const address = URL.createObjectURL(await blob(url));
    this.#addresses.push(address);
    return address;
  }

  #photos(photos, kind) {
    const texts = this.#texts;
    const views = ["front", "left", "right"];
    return html("div", { class: "shots" }, photos.map(({ name, url, width, height }, index) => {
      const view = kind === "face" ? /^image([123])\./.exec(name)?.[1] : null;
      const alt = view ? texts.text(`scan.view.${views[view - 1]}`) : texts.text("scan.photo-measures.photo", { number: index + 1 });
      const image = html("img", { alt, width, height });
      this.#address(url).then((address) => { image.src = address; }, () => image.remove());
      return image;
    }));
  }

  #surface({ triangles, size_millimeters: size, residual_millimeters: residual }) {
    const { locale } = this.#texts;
    const texts = this.#texts;
    const pairs = [
      ["scan.surface.size", size?.length === 3 ? words.edges(size, locale) : null],
      ["scan.surface.triangles", new Intl.NumberFormat(locale).format(triangles)],
      ["scan.surface.residual", typeof residual === "number" ? words.millimeters(residual, locale, 2) : null],
    ].filter(([, value]) => value);
    return html("dl", { class: "facts" }, pairs.flatMap(([key, value]) => [
      html("dt", {}, texts.text(key)), html("dd", {}, html("bdi", {}, value)),
    ]));
  }

  #downloads(results) {
    const texts = this.#texts;
    const link = (path, name, shown, size = "") => {
      const made = html("a", { class: "file", href: path, download: name }, html("bdi", {}, shown), html("span", { class: "soft" }, size));
      made.addEventListener("click", (event) => {
        event.preventDefault();
        save(path, name).catch((error) => showError(words.errorMessage(error, texts)));
      });
      return html("li", {}, made);
    };
    return html("ul", { class: "downloads" },
      results.map(({ name, bytes, url }) => link(url, name, name, words.bytes(bytes, texts.locale))),
      link(exportAddress(this.#id), `${this.#id}.zip`, texts.text("scan.everything")));
  }

  #eraseButton() {
    if (isReadOnly()) return [];
    const texts = this.#texts;
    return button("erase", texts.text("scan.erase"), async () => {
      if (!(await confirmAction(texts.text("scan.erase.sure"), texts.text("scan.erase"), texts.text("scan.keep")))) return;
      try {
        await erase(this.#id);
        this.close();
        this.#erased();
      } catch (error) {
        showError(words.errorMessage(error, texts));
      }
    }, "button quiet");
  }
}
