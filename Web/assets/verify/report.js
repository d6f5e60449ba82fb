// Report on a capture, or on a file that belongs to none: the answer, who signed the file, and the evidence, folded.

import { html } from "../core/dom.js";
import { burstSection } from "./burst.js";
import { lineList } from "./summary-lines.js";
import { methodList } from "./check-descriptions.js";
import { facts, fold, time } from "./components.js";
import { differences } from "./disagreements.js";
import { provenanceSection } from "./provenance.js";
import { receptionSection } from "./reception.js";
import { verdict } from "./verdict.js";

/** Builds the report on a capture; `actions` are at its end. */
export function captureReport(capture, rates, texts, actions) {
  const { disagreements, results, summary, visualizations } = capture;
  return [
    html("p", { class: "kicker" }, texts.text("verify.capture.title", {
      time: time(capture.received_at, texts.locale),
    })),
    verdict(capture, rates, texts),
    html("div", { class: "sides" },
      capture.photo.url
        ? html("figure", { class: "photo" }, photo(capture.photo.url, texts))
        : html("p", { class: "photo none" }, texts.text("verify.photo.none")),
      part("answers", failures(summary, texts), provenanceSection(capture.provenance, texts),
        receptionSection(capture.reception, texts))),
    part("evidence",
      fold("lines", texts.text("verify.evidence"),
        html("p", { class: "soft" }, texts.text("verify.capture.lead")), lineList(summary, texts)),
      disagreements.length > 0 ? fold("differ", texts.text("verify.differ"),
        html("p", {}, texts.text("verify.differ.lead")), differences(disagreements, texts)) : null,
      results ? fold("methods", texts.text("verify.methods"), methodList(results, rates, texts)) : null,
      burstSection(capture, texts),
      visualizations.length > 0 ? fold("visualizations", texts.text("verify.visualizations"), html("div", { class: "visualizations" },
        visualizations.map(({ kind, url }) => html("figure", { "data-visualization": kind },
          html("img", { src: url, alt: texts.text(`verify.visualization.${kind}`) }),
          html("figcaption", {}, texts.text(`verify.visualization.${kind}`)))))) : null,
      record(capture, texts),
      limits(texts)),
    actions,
  ].filter(Boolean);
}

/** Builds the report on a file that belongs to no capture. */
export function fileReport(file, reply, rates, texts, actions) {
  return [
    html("p", { class: "kicker" }, texts.text("verify.file.title")),
    verdict(reply, rates, texts),
    html("div", { class: "sides" },
      html("figure", { class: "photo" }, photo(URL.createObjectURL(file), texts)),
      part("answers", provenanceSection(reply.provenance, texts),
        html("p", { class: "soft" },
          texts.text(reply.provenance?.status === "credential" ? "verify.file.lead.signed" : "verify.file.lead")))),
    part("evidence",
      fold("lines", texts.text("verify.evidence"), lineList(reply.summary, texts)),
      fold("methods", texts.text("verify.methods"), methodList(reply.results, rates, texts)),
      fold("record", texts.text("verify.record"), facts([[texts.text("verify.fact.digest"), code(reply.sha256)]])),
      limits(texts)),
    actions,
  ].filter(Boolean);
}

function part(name, ...children) {
  return html("div", { class: name }, children.filter(Boolean));
}

/** Returns the lines that failed, which nobody should have to unfold, without the scene, which is the answer. */
function failures(summary, texts) {
  const failed = summary.filter(({ name, status }) => status === "fail" && name !== "scene");
  return failed.length > 0 ? lineList(failed, texts, "failures") : null;
}

function record(capture, texts) {
  const { claimed, signature } = capture;
  return fold("record", texts.text("verify.record"), facts([
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
  ]));
}

/** Returns the photo, or a note if the browser cannot show its format. */
function photo(address, texts) {
  const image = html("img", { src: address, alt: texts.text("verify.photo") });
  image.addEventListener("error", () => image.replaceWith(html("p", { class: "photo none" }, texts.text("verify.photo.hidden"))));
  return image;
}

function limits(texts) {
  return fold("limits", texts.text("verify.limits"),
    html("ul", { class: "limits" }, texts.list("verify.limit").map((text) => html("li", {}, text))),
    html("p", {}, html("a", { href: "/methodology" }, texts.text("verify.limits.more"))));
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
