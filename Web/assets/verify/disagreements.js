// Differences between the device's findings and the server's, as a table.

import { html } from "../core/dom.js";

// Meaning of `true` for each subject with a yes-or-no value.
const meaning = {
  moire: "copy", texture: "copy", artifacts: "copy",
};

// Texts of the levels of all checks together.
const levels = {
  very_high: "verify.scale.real", high: "verify.scale.real", medium: "verify.result.undecided",
  low: "verify.result.undecided", suspicious: "verify.scale.copy",
};

export function differences(disagreements, texts) {
  const cell = (name) => html("th", { scope: "col" }, texts.text(`verify.differ.${name}`));
  return html("div", { class: "wide", role: "region", tabindex: "0", "aria-labelledby": "differ" }, html("table", {},
    html("thead", {}, html("tr", {}, cell("subject"), cell("claimed"), cell("found"))),
    html("tbody", {}, disagreements.map(({ subject, claimed, found }) => html("tr", {},
      html("th", { scope: "row" }, subjectName(subject, texts)),
      html("td", {}, said(subject, claimed, texts)), html("td", {}, said(subject, found, texts)))))));
}

function subjectName(subject, texts) {
  const key = `verify.check.${subject}`;
  return texts.has(key) ? texts.text(key) : html("code", {}, subject);
}

function said(subject, value, texts) {
  if (levels[value] && (subject === "aggregated" || subject === "detection_confidence_level")) {
    return texts.text(levels[value]);
  }
  const ofTrue = meaning[subject];
  if (!ofTrue || (value !== "true" && value !== "false")) return html("code", {}, value);
  const ofFalse = ofTrue === "copy" ? "real" : "copy";
  return texts.text(`verify.scale.${value === "true" ? ofTrue : ofFalse}`);
}
