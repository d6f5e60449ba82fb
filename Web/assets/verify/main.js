// The page of captures: verifies a file, or shows the capture whose ID is in the URL.

import { html } from "../core/dom.js";
import { showAccount } from "../page/account.js";
import { showError } from "../page/error-banner.js";
import { loadPageTexts, showPage } from "../page/language.js";
import { confirmAction } from "../page/confirm-dialog.js";
import * as api from "./api.js";
import { refusal } from "./file-formats.js";
import { chooseScreen } from "./file-picker.js";
import { showProgress } from "./progress.js";
import { publishedRates } from "./error-rates.js";
import { forget, receiptOf, remember } from "./receipts.js";
import { captureReport, fileReport } from "./report.js";

const soon = 500;
const later = 2_000;

const main = document.getElementById("main");
const texts = await loadPageTexts();
await showAccount(texts);
const rates = await publishedRates();
document.title = `${texts.text("verify.tab.verify")} · Mien`;
const id = /^\/verify\/(cap(?:test)?_[\w-]+)$/.exec(location.pathname)?.[1];
let isFirst = true;
await (id ? showCapture(id) : choose());
showPage();
// On paper, nothing is folded.
addEventListener("beforeprint", () => {
  for (const part of document.querySelectorAll("details.fold")) part.open = true;
});
// Restored from the back/forward cache after leading to another page: the pending request is over.
addEventListener("pageshow", ({ persisted }) => {
  if (persisted && document.body.dataset.screen === "busy" && !id) choose();
});

function fill(screen, ...parts) {
  document.body.dataset.screen = screen;
  main.replaceChildren(html("div", { class: "page" }, ...parts.flat()));
  scrollTo(0, 0);
  // The focused element was removed; on the first screen, the browser decides.
  if (!isFirst) document.getElementById("title").focus({ preventScroll: true });
  isFirst = false;
}

function announce(text) {
  document.getElementById("polite").textContent = text;
}

async function choose(wrong = "", done = "") {
  fill("choose", chooseScreen(texts, { verify, send }));
  document.getElementById("wrong").textContent = wrong;
  document.getElementById("done").textContent = done;
}

/** Shows the progress screen; returns a function that takes the fraction uploaded. */
function busy(key) {
  const bar = html("progress", { id: "progress", max: 1, value: 0, "aria-labelledby": "title" });
  const note = html("p", { class: "soft", id: "note" }, texts.text("verify.sending"));
  fill("busy", html("h1", { id: "title", tabindex: "-1" }, texts.text(key)), bar, note);
  announce(texts.text(key));
  return (share) => {
    if (share < 1) {
      bar.value = share;
      return;
    }
    // From here on, the duration is unknown.
    bar.removeAttribute("value");
    note.textContent = texts.text("verify.looking");
  };
}

async function verify(file) {
  if (await refused(file)) return;
  try {
    const reply = await api.verifyFile(file, busy("verify.analyzing"));
    if (reply.file === "known") {
      location.assign(`/verify/${reply.captures[0]}`);
      return;
    }
    fill("file", fileReport(file, reply, rates, texts, actions([again()])));
    announce(document.getElementById("title").textContent);
  } catch (error) {
    await choose(words(error));
  }
}

async function send(parts) {
  if (await refused(parts.photo[0])) return;
  try {
    const capture = await api.sendCapture(parts, busy("verify.analyzing"));
    remember(capture.id, capture.receipt);
    location.assign(capture.page);
  } catch (error) {
    await choose(words(error));
  }
}

/** Reports whether a file is no photo by its first bytes, and says so; it is not sent. */
async function refused(file) {
  const reason = await refusal(file).catch(() => null); // a file that cannot be read fails while it is sent
  if (!reason) return false;
  await choose(texts.text(reason.key, reason.values));
  return true;
}

async function showCapture(id) {
  try {
    let capture = await api.look(id);
    if (capture.state === "queued") {
      busy("verify.analyzing")(1);
      showPage();
    }
    let silent = 0;
    for (let tries = 0; capture.state === "queued" && tries < 600; tries += 1) {
      const ahead = Math.max(capture.queued_ahead - 1, 0);
      document.getElementById("note").textContent =
        ahead > 0 && !capture.progress ? texts.text("verify.ahead", { number: ahead }) : texts.text("verify.looking");
      showProgress(capture.progress, texts);
      await new Promise((resolve) => setTimeout(resolve, silent > 0 ? later : soon));
      try {
        capture = await api.look(id);
        silent = 0;
      } catch (error) {
        // A server that is restarting or overloaded resumes the work, so polling continues.
        if ((error.code && !error.isPassing) || (silent += 1) > 30) throw error;
      }
    }
    fill("capture", captureReport(capture, rates, texts, actions([print(), copy(capture), again(), erasure(id)])));
    announce(document.getElementById("title").textContent);
  } catch (error) {
    fill("missing",
      html("h1", { id: "title", tabindex: "-1" }, texts.text("verify.missing")),
      html("p", { class: "lead" }, words(error)), actions([again()]));
  }
}

function actions(buttons) {
  return html("div", { class: "actions" }, buttons.filter(Boolean));
}

function button(key, action) {
  const made = html("button", { class: "button quiet", type: "button", "data-action": key }, texts.text(key));
  made.addEventListener("click", () => action(made));
  return made;
}

function print() {
  return button("verify.print", () => window.print());
}

function copy(capture) {
  if (!navigator.clipboard) return null; // needs a secure context; the URL is also in the browser's address bar
  return button("verify.copy", async (made) => {
    const address = new URL(capture.page, location.origin).href;
    try {
      await navigator.clipboard.writeText(address);
      made.textContent = texts.text("verify.copied");
      announce(texts.text("verify.copied"));
    } catch {
      showError(address); // for manual copying
    }
  });
}

function again() {
  return html("a", { class: "button quiet", href: "/verify" }, texts.text("verify.again"));
}

/** Returns the delete button, or `null` if this browser has no receipt for the capture. */
function erasure(id) {
  const receipt = receiptOf(id);
  if (!receipt) return null;
  return button("verify.erase", async () => {
    if (!(await confirmAction(texts.text("verify.erase.sure"), texts.text("verify.erase"), texts.text("verify.keep")))) return;
    try {
      await api.erase(id, receipt);
      forget(id);
      await choose("", texts.text("verify.erased"));
      history.replaceState(null, "", "/verify");
    } catch (error) {
      showError(words(error));
    }
  });
}

/** Returns the message for an error. */
function words(error) {
  const key = `verify.trouble.${error.code ?? error.message}`;
  if (texts.has(key)) return texts.text(key);
  if (error.code) return texts.text("trouble.refused", { code: error.code });
  console.error(error);
  return texts.text("verify.trouble.unreachable");
}
