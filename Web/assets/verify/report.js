// Report on a capture, or on a file that belongs to none.

import { html } from "../core/dom.js";
import { burstSection } from "./burst.js";
import { lineList } from "./summary-lines.js";
import { methodList } from "./check-descriptions.js";
import { facts, section, time } from "./components.js";
import { provenanceSection } from "./provenance.js";

/** Builds the report on a capture; `actions` are at its end. */
export function captureReport(capture, rates, texts, actions) {
  const { claimed, disagreements, visualizations, results, signature } = capture;
  return [
    html("p", { class: "kicker" }, texts.text("verify.capture")),
    html("h1", { id: "title", tabindex: "-1" }, texts.text("verify.capture.title", {
      time: time(capture.received_at, texts.locale),
    })),
    html("p", { class: "lead" }, texts.text("verify.capture.lead")),
    html("div", { class: "sides" },
      capture.photo.url
        ? html("figure", { class: "photo" }, photo(capture.photo.url, texts))
        : html("p", { class: "photo none" }, texts.text("verify.photo.none")),
      lineList(capture.summary, texts)),
    provenanceSection(capture.provenance, texts),
    disagreements.length > 0 ? section("differ", texts.text("verify.differ"),
      html("p", {}, texts.text("verify.differ.lead")), differences(disagreements, texts)) : null,
    results ? section("methods", texts.text("verify.methods"), methodList(results, rates, texts)) : null,
    burstSection(capture, texts),
    visualizations.length > 0 ? section("visualizations", texts.text("verify.visualizations"), html("div", { class: "visualizations" },
      visualizations.map(({ kind, url }) => html("figure", { "data-visualization": kind },
        html("img", { src: url, alt: texts.text(`verify.visualization.${kind}`) }),
        html("figcaption", {}, texts.text(`verify.visualization.${kind}`)))))) : null,
    section("record", texts.text("verify.record"), facts([
      [texts.text("verify.fact.digest"), code(capture.photo.sha256)],
      [texts.text("verify.fact.depth"), capture.depth_map ? code(capture.depth_map.sha256) : null],
      [texts.text("verify.fact.burst"), capture.burst ? code(capture.burst.sha256) : null],
      [texts.text("verify.fact.clip"), capture.clip ? code(capture.clip.sha256) : null],
      [texts.text("verify.fact.device"), signature ? signature.device : null],
      [texts.text("verify.fact.counter"), signature ? String(signature.counter) : null],
      [texts.text("verify.fact.captured"), claimedTime(claimed, texts)],
      [texts.text("verify.fact.file-time"), fileTime(claimed?.file?.taken_at, texts)],
      [texts.text("verify.fact.place"), place(claimed?.metadata?.location, texts)],
      [texts.text("verify.fact.file-place"), place(claimed?.file?.location, texts)],
      [texts.text("verify.fact.page"), new URL(capture.page, location.origin).href],
    ])),
    limits(texts),
    actions,
  ].filter(Boolean);
}

/** Builds the report on a file that belongs to no capture. */
export function fileReport(file, reply, rates, texts, actions) {
  return [
    html("p", { class: "kicker" }, texts.text("verify.file")),
    html("h1", { id: "title", tabindex: "-1" }, texts.text("verify.file.title")),
    html("p", { class: "lead" },
      texts.text(reply.provenance?.status === "credential" ? "verify.file.lead.signed" : "verify.file.lead")),
    html("div", { class: "sides" },
      html("figure", { class: "photo" }, photo(URL.createObjectURL(file), texts)),
      lineList(reply.summary, texts)),
    provenanceSection(reply.provenance, texts),
    section("methods", texts.text("verify.methods"), methodList(reply.results, rates, texts)),
    section("record", texts.text("verify.record"), facts([[texts.text("verify.fact.digest"), code(reply.sha256)]])),
    limits(texts),
    actions,
  ].filter(Boolean);
}

/** Returns the photo, or a note if the browser cannot show its format. */
function photo(address, texts) {
  const image = html("img", { src: address, alt: texts.text("verify.photo") });
  image.addEventListener("error", () => image.replaceWith(html("p", { class: "photo none" }, texts.text("verify.photo.hidden"))));
  return image;
}

function limits(texts) {
  return section("limits", texts.text("verify.limits"),
    html("ul", { class: "limits" }, texts.list("verify.limit").map((text) => html("li", {}, text))),
    html("p", {}, html("a", { href: "/methodology" }, texts.text("verify.limits.more"))));
}

function differences(disagreements, texts) {
  const cell = (name) => html("th", { scope: "col" }, texts.text(`verify.differ.${name}`));
  return html("div", { class: "wide", role: "region", tabindex: "0", "aria-labelledby": "differ" }, html("table", {},
    html("thead", {}, html("tr", {}, cell("subject"), cell("claimed"), cell("found"))),
    html("tbody", {}, disagreements.map(({ subject, claimed, found }) => html("tr", {},
      html("th", { scope: "row" }, subjectName(subject, texts)),
      html("td", {}, said(subject, claimed, texts)), html("td", {}, said(subject, found, texts)))))));
}

// Meaning of `true` for each subject with a yes-or-no value.
const meaning = {
  moire: "copy", texture: "copy", artifacts: "copy",
};

// Texts of the levels of all checks together.
const levels = {
  very_high: "verify.scale.real", high: "verify.scale.real", medium: "verify.result.undecided",
  low: "verify.result.undecided", suspicious: "verify.scale.copy",
};

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

function code(text) {
  return html("code", { class: "digest", dir: "ltr" }, text);
}

function claimedTime(claimed, texts) {
  const stamp = claimed?.metadata?.captured_at_ms;
  return stamp === undefined ? null : time(stamp, texts.locale);
}

/** Formats the time in a file, which may have no time zone. */
function fileTime(stamp, texts) {
  if (!stamp) return null;
  if (stamp.length > 19) return time(stamp, texts.locale);
  const shown = new Intl.DateTimeFormat(texts.locale, { dateStyle: "medium", timeStyle: "medium", timeZone: "UTC" });
  return texts.text("verify.fact.no-zone", { time: shown.format(new Date(`${stamp}Z`)) });
}

function place(location, texts) {
  if (!location) return null;
  const degrees = new Intl.NumberFormat(texts.locale, {
    style: "unit", unit: "degree", unitDisplay: "narrow", maximumFractionDigits: 5,
  });
  return `${degrees.format(location.latitude)}, ${degrees.format(location.longitude)}`;
}
