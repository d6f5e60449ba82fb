// List of checks.

import { html } from "../core/dom.js";
import { chip, dateTime, textOrCode } from "./components.js";
import { choice, dayInputs, RecordList } from "./record-list.js";

export const states = ["open", "passed", "failed", "timed-out"];
const levels = ["basic", "standard", "high"];
const tones = { open: "plain", passed: "good", failed: "bad", "timed-out": "wait" };

export function stateChip(state, texts) {
  return chip(tones[state], texts.text(`console.check.${state}`));
}

export function checkList(texts) {
  return new RecordList(texts, {
    title: texts.text("console.tab.checks"), path: "/v1/checks", member: "checks",
    columns: ["id", "state", "reason", "assurance", "person", "reference", "created_at", "expires_at", "decided_at", "source", "basis"],
    inputs: [
      ["q", texts.text("console.search.checks"), html("input", { type: "search", autocomplete: "off", spellcheck: "false", maxlength: 128 })],
      ["state", texts.text("scan.state"), choice(texts, states, (state) => texts.text(`console.check.${state}`))],
      ["assurance", texts.text("console.level"), choice(texts, levels, (level) => texts.text(`console.level.${level}`))],
      ...dayInputs(texts),
    ],
    row: (check) => row(check, texts),
  }).start();
}

function row(check, texts) {
  const { id, state, reason, reference, person, assurance, created_at: created } = check;
  const details = [dateTime(created, texts.locale), assurance && textOrCode("console.level", assurance, texts),
    reference && person, reason && reasonTitle(reason, texts)].filter(Boolean);
  return html("li", { "data-state": state },
    html("div", { class: "what" },
      html("a", { href: `#checks/${encodeURIComponent(id)}` }, html("bdi", {}, reference || person || id)),
      html("p", { class: "soft" }, details.flatMap((each, index) => [index ? " · " : "", html("bdi", {}, each)]))),
    stateChip(state, texts));
}

/** Returns the words for the reason of a verdict. */
export function reasonTitle(reason, texts) {
  const key = `reason.${reason}.title`;
  return texts.has(key) ? texts.text(key) : reason;
}
