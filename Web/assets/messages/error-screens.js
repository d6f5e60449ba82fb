// The ending screen of the message pages, and its texts for errors.

import { html, svg } from "../core/dom.js";
import { CameraError } from "../core/camera.js";
import { Problem } from "../core/session-client.js";
import { button, screen } from "./screen.js";

/** Builds the `ending` screen. */
export function endingScreen() {
  const made = screen("ending", "card", null,
    html("p", { class: "lead", id: "ending-text" }),
    html("ul", { class: "steps", id: "ending-steps" }),
    html("ol", { class: "performed", id: "ending-performed", "data-text-label": "messages.performed" }),
    html("p", { class: "aside", id: "ending-note" }),
    html("div", { class: "actions" },
      button("again", "again.try"), button("back", "messages.cancel", { quiet: true })));
  made.prepend(svg("svg", { class: "emblem", viewBox: "0 0 72 88", "aria-hidden": "true", id: "emblem" },
    svg("ellipse", { cx: 36, cy: 44, rx: 32, ry: 40 }),
    svg("path", { "data-for": "bad", d: "M25 33l22 22M47 33L25 55" }),
    svg("path", { "data-for": "late", d: "M36 26v19l12 8" }),
    svg("path", { "data-for": "wait", d: "M36 26v22M36 60v.1" })));
  return made;
}

const camera = { refused: "messages.trouble.camera-refused", unsupported: "messages.trouble.unsupported" };

/** Returns the ending for an error: `{ key, steps, tone, again }`; `key` is the prefix of its title and text. */
export function endingForError(error, texts) {
  if (error instanceof Problem) return endingForProblem(error.code, texts);
  if (error instanceof CameraError) {
    const key = `trouble.camera-${error.code}`;
    return { key: camera[error.code] ?? key, steps: `${key}.step`, tone: "wait", again: true };
  }
  const own = `messages.trouble.${error?.trouble}`;
  if (texts.has(`${own}.title`)) return { key: own, tone: "wait", again: true };
  return { key: "trouble.page", tone: "wait", again: true };
}

/** Returns the ending for a browser without camera support: `insecure` or `unsupported`. */
export function endingForUnsupportedBrowser(code) {
  return { key: camera[code] ?? `trouble.${code}`, steps: `trouble.${code}.step`, tone: "wait", again: false };
}

const settled = ["message-gone", "not-found", "unauthorized"];

function endingForProblem(code, texts) {
  const key = [`messages.problem.${code}`, `problem.${code}`].find((name) => texts.has(`${name}.title`));
  return { key: key ?? "messages.problem.unknown", tone: "wait", again: !settled.includes(code) };
}

/** Fills the screen and returns the sentence to announce. */
export function fillEnding({ key, steps = null, tone, again, values = {}, note = "", performed = [] }, texts) {
  const find = (id) => document.getElementById(id);
  const told = { title: texts.text(`${key}.title`), text: texts.text(`${key}.text`, values) };
  find("emblem").dataset.tone = tone;
  find("ending-title").textContent = told.title;
  find("ending-text").textContent = told.text;
  const items = texts.list(steps ?? `${key}.step`).map((words) => html("li", {}, words));
  find("ending-steps").replaceChildren(...items);
  find("ending-performed").replaceChildren(...performed);
  find("ending-performed").hidden = performed.length === 0;
  find("ending-note").textContent = note;
  find("again").hidden = !again;
  // Without another try there is nothing to cancel.
  find("back").textContent = texts.text(again ? "messages.cancel" : "messages.revealed.done");
  return `${told.title}. ${told.text}`;
}
