// The page of all scans: the list with its filters and pages, and the work list of a day.

import { html } from "../core/dom.js";
import { isReadOnly, showAccount } from "../page/account.js";
import { showError } from "../page/error-banner.js";
import { loadPageTexts, showPage } from "../page/language.js";
import { confirmAction } from "../page/confirm-dialog.js";
import { change, erase, exportAddress, list, save } from "./api.js";
import { showEditDialog } from "./edit-dialog.js";
import { keyForm } from "./key-form.js";
import { announce, button, field, heading, keepFocus } from "./components.js";
import { thumbnail } from "./thumbnail.js";
import { WorkList } from "./work-list.js";
import { errorMessage, time } from "./format.js";

const atOnce = 25;
const states = ["uploading", "queued", "working", "done", "failed", "cancelled"];
const searchDelay = 250; // milliseconds after the last keystroke of a search

const main = document.getElementById("main");
const texts = await loadPageTexts();
await showAccount(texts);
document.title = `${texts.text("scan.tab.all")} · Mien`;

// Cursors of the pages visited so far; the last one is shown.
let pages = [""];
let subject = null; // { id, name }
let asked = 0;

const search = html("input", { type: "search", autocomplete: "off", maxlength: 200 });
const day = html("input", { type: "date" });
const state = html("select", {}, new Option(texts.text("scan.any"), ""),
  states.map((name) => new Option(texts.text(`scan.state.${name}`), name)));
const chosen = html("p", { class: "chosen", id: "chosen", hidden: true });
const count = html("p", { class: "soft", id: "count", role: "status" });
const rows = html("ul", { class: "scans", id: "scans" });
const wrong = html("div", { id: "wrong", role: "alert" });
const before = button("before", texts.text("scan.before"), () => turn(-1), "button quiet");
const next = button("next", texts.text("scan.next"), () => turn(1), "button quiet");
let following = null;
// There are no pages to turn until the list is loaded.
before.disabled = next.disabled = true;

const work = new WorkList(texts, { choose: (found) => {
  subject = found;
  again();
}, changed: again });

let timer = 0;
search.addEventListener("input", () => {
  clearTimeout(timer);
  timer = setTimeout(again, searchDelay);
});
for (const input of [day, state]) input.addEventListener("change", again);

main.append(html("div", { class: "page" },
  heading(texts.text("scan.tab.all")),
  html("div", { class: "sides" },
    html("section", { "aria-labelledby": "title" },
      html("form", { class: "filters", role: "search" },
        field("search", texts.text("scan.search"), search), field("day", texts.text("scan.day"), day),
        field("state", texts.text("scan.state"), state)),
      chosen, count, wrong, rows, html("div", { class: "actions" }, before, next)),
    work.element)));
main.querySelector("form").addEventListener("submit", (event) => {
  event.preventDefault();
  again();
});
showPage();
work.show();
await show();

function again() {
  pages = [""];
  show();
}

function turn(way) {
  if (way < 0) pages.pop();
  else pages.push(following);
  show().then(() => document.getElementById("title").focus());
}

async function show() {
  asked += 1;
  const mine = asked;
  wrong.replaceChildren();
  chosen.hidden = subject === null;
  if (subject) {
    chosen.replaceChildren(html("strong", {}, html("bdi", {}, subject.name)), " ", button("all-subjects", texts.text("scan.all-subjects"), () => {
      subject = null;
      again();
      document.getElementById("title").focus();
    }, "plain"));
  }
  try {
    const found = await list({
      q: search.value.trim(), day: day.value, status: state.value, subject: subject?.id, after: pages.at(-1), limit: atOnce,
    });
    // Ignores the response to an outdated request.
    if (mine !== asked) return;
    following = found.next ?? null;
    rows.replaceChildren(...found.scans.map(row));
    count.textContent = found.total === 0 ? texts.text("scan.found.none")
      : texts.text("scan.found", { number: new Intl.NumberFormat(texts.locale).format(found.total), page: pages.length });
    before.disabled = pages.length === 1;
    next.disabled = following === null;
  } catch (error) {
    if (mine !== asked) return;
    wrong.replaceChildren(html("p", { class: "wrong" }, errorMessage(error, texts)),
      ...(error.code === "unauthorized" ? [keyForm(texts, () => {
        work.show();
        show();
      })] : []));
  }
}

function row(scan) {
  const { id, label, subject_name: name, created_at: created, status, grade } = scan;
  const title = label || name || texts.text("scan.unnamed");
  const act = (key, action) => {
    const made = button(null, texts.text(key), action, "plain");
    made.setAttribute("aria-label", `${texts.text(key)}: ${title}`);
    made.dataset.action = key;
    made.removeAttribute("id");
    return made;
  };
  return html("li", { "data-id": id, "data-status": status },
    thumbnail(scan),
    html("div", { class: "what" },
      html("a", { href: `/scan#${id}` }, html("bdi", {}, title)),
      html("p", { class: "soft" }, label && name ? [html("bdi", {}, name), " · "] : [], html("bdi", {}, time(created, texts.locale)))),
    html("p", { class: "state", "data-grade": grade ?? null }, texts.text(grade ? `scan.report.${grade}` : `scan.state.${status}`)),
    html("div", { class: "row" },
      isReadOnly() ? [] : act("scan.relabel", () => relabel(scan)),
      act("scan.export", () => save(exportAddress(id), `${id}.zip`).catch((error) => showError(errorMessage(error, texts)))),
      isReadOnly() ? [] : act("scan.erase", () => remove(scan))));
}

async function relabel(scan) {
  const input = html("input", { type: "text", autocomplete: "off", maxlength: 200, value: scan.label ?? "" });
  if (!(await showEditDialog(texts, "relabel", texts.text("scan.relabel"), [["new-label", texts.text("scan.label"), input]]))) return;
  try {
    await change(scan.id, { label: input.value.trim() });
    await keepFocus(rows, { key: "id", id: scan.id, action: "scan.relabel", rest: document.getElementById("title") }, show);
  } catch (error) {
    showError(errorMessage(error, texts));
  }
}

async function remove({ id }) {
  if (!(await confirmAction(texts.text("scan.erase.sure"), texts.text("scan.erase"), texts.text("scan.keep")))) return;
  try {
    await erase(id);
    announce(texts.text("scan.erased"));
    await keepFocus(rows, { key: "id", id, action: "scan.erase", rest: document.getElementById("title") }, show);
    work.show();
  } catch (error) {
    showError(errorMessage(error, texts));
  }
}
