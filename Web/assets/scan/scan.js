// The page of one scan: capture, review, upload, result. `/scan` starts a scan or resumes one that is not uploaded yet,
// `/scan#for=NAME&subject=ID` starts one of a subject, `/scan#ID` shows an uploaded one. The part after the `#` never
// appears in server logs.

import { html } from "../core/dom.js";
import { showAccount } from "../page/account.js";
import { loadPageTexts, showPage } from "../page/language.js";
import { confirmAction } from "../page/confirm-dialog.js";
import { Capture } from "./capture.js";
import { keyForm } from "./key-form.js";
import { kindScreen } from "./kind-step.js";
import { announce, button, heading } from "./components.js";
import { Result } from "./result.js";
import { reviewScreen } from "./review.js";
import { isAnnounced, Sending } from "./upload-step.js";
import { emptyDraft, forgetDraft, keepDraft, recallDraft } from "./draft-store.js";
import { errorMessage } from "./format.js";

const steps = ["capture", "review", "send", "result"];

const main = document.getElementById("main");
const texts = await loadPageTexts();
await showAccount(texts);
document.title = `${texts.text("scan.tab.new")} · Mien`;
let draft = await recallDraft();
let open = null;
addEventListener("hashchange", () => route());
addEventListener("pagehide", () => open?.close());
// A page restored from the back/forward cache has lost its camera and its upload.
addEventListener("pageshow", ({ persisted }) => persisted && route());
await route({ focus: false });

async function route({ focus = true } = {}) {
  const id = /^#([\w-]+)$/.exec(location.hash)?.[1];
  if (id) await result(id, focus);
  else if (isAnnounced(draft)) send(focus);
  else await begin(takeLinkedSubject(), focus);
}

/** Returns the subject named by the link, or `null`, and removes it from the URL. */
function takeLinkedSubject() {
  const said = new URLSearchParams(location.hash.slice(1));
  const subject = said.get("for");
  if (!subject) return null;
  history.replaceState(null, "", location.pathname);
  return { subject, subjectId: said.get("subject") || null };
}

/**
 * Shows the draft. If the link names another subject, an empty draft is replaced; otherwise the user decides whether to
 * discard it.
 */
async function begin(linked, focus) {
  const isOther = linked !== null
    && (linked.subjectId !== draft.subjectId || (!linked.subjectId && linked.subject !== draft.subject));
  const isEmpty = draft.files.length === 0 && !draft.photos.some(Boolean);
  if (isOther && isEmpty) beginFor(linked);
  ask(focus);
  if (!isOther || isEmpty) return;
  if (!(await confirmAction(texts.text("scan.drop.sure"), texts.text("scan.drop"), texts.text("scan.keep")))) return;
  beginFor(linked);
  ask();
}

/** Asks what is scanned, unless that is known. */
function ask(focus = true) {
  if (draft.kind !== null) capture(focus);
  else kind(focus);
}

function kind(focus = true) {
  leave();
  fill("capture", "kind", kindScreen(texts, draft.kind, (chosen) => {
    const photos = draft.photos.filter(Boolean);
    draft.kind = chosen;
    draft.photos = chosen === "face" ? [0, 1, 2].map((index) => photos[index] ?? null) : photos;
    changed();
    capture();
  }), { focus });
}

function beginFor(linked) {
  draft = { ...emptyDraft(), ...linked };
  changed();
}

function fill(step, screen, parts, { focus = true } = {}) {
  document.body.dataset.screen = screen;
  const way = html("ol", { class: "way", "aria-label": texts.text("scan.steps") }, steps.map((name, index) =>
    html("li", {
      "aria-current": name === step ? "step" : null, "data-done": index < steps.indexOf(step),
    }, html("span", { class: "number", "aria-hidden": "true" }, String(index + 1)), texts.text(`scan.step.${name}`))));
  main.replaceChildren(html("div", { class: "page" }, way, ...parts.flat()));
  showPage(); // with the first screen: processing may continue long after it
  scrollTo(0, 0);
  if (focus) document.getElementById("title")?.focus({ preventScroll: true });
}

/** Closes the current screen and its open confirmation dialogs. */
function leave() {
  for (const question of document.querySelectorAll("dialog.confirm-dialog")) question.close("no");
  open?.close();
  open = null;
}

function changed() {
  return keepDraft(draft);
}

function capture(focus = true) {
  leave();
  const made = new Capture(texts, draft, { changed, review, kind: () => kind() });
  open = made;
  fill("capture", "capture", made.screen(), { focus });
}

function review() {
  leave();
  const made = reviewScreen(texts, draft, {
    back: () => capture(), upload: () => send(),
    retake: (index) => {
      if (draft.kind === "face") draft.photos[index] = null;
      else draft.photos.splice(index, 1);
      changed();
      capture();
    },
  });
  open = made;
  fill("review", "review", made.parts);
}

function send(focus = true) {
  leave();
  const made = new Sending(texts, draft, {
    changed,
    back: () => capture(),
    done: async (id) => {
      draft = emptyDraft();
      await forgetDraft();
      location.hash = id;
    },
    dropped: async () => {
      draft = emptyDraft();
      await forgetDraft();
      if (open === made || open instanceof Sending) await route(); // also leaves a newer upload screen of this draft
    },
  });
  open = made;
  fill("send", "send", made.screen(), { focus });
  made.start();
}

async function result(id, focus) {
  leave();
  const made = new Result(texts, id, {
    fill: (screen, parts) => fill("result", screen, parts, { focus }),
    erased: () => {
      announce(texts.text("scan.erased"));
      location.assign("/scans");
    },
  });
  open = made;
  try {
    await made.start();
  } catch (error) {
    missing(error, id);
  }
}

function missing(error, id) {
  const parts = [heading(texts.text("scan.missing")), html("p", { class: "lead" }, errorMessage(error, texts))];
  if (error.code === "unauthorized") parts.push(keyForm(texts, () => result(id, true)));
  fill("result", "missing", [...parts, html("div", { class: "actions" },
    html("a", { class: "button quiet", href: "/scan" }, texts.text("scan.another")),
    button("again", texts.text("scan.again-now"), () => result(id, true), "button quiet"))]);
}
