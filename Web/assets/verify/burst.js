// Images or clip sent with the photo, and the measurements between them.

import { html } from "../core/dom.js";
import { facts, fold, number, percent } from "./components.js";

/** Returns the section, or `null` if the capture has neither and no report on them. */
export function burstSection({ burst, clip, results }, texts) {
  const report = results?.burst;
  if (!report && !burst?.frames.length && !clip?.url) return null;
  const parts = [
    html("p", {}, texts.text("verify.burst.lead")),
    burst?.frames.length ? html("ol", { class: "burst" }, burst.frames.map(({ url }, index) => html("li", {},
      html("img", { src: url, alt: texts.text("verify.burst.picture", { number: index + 1 }) })))) : null,
    clip?.url ? html("video", {
      class: "clip", src: clip.url, controls: true, muted: true, preload: "metadata",
      "aria-label": texts.text("verify.burst.clip"),
    }) : null,
    report ? measures(report, texts) : null,
  ];
  return fold("burst", texts.text("verify.burst"), ...parts.filter(Boolean));
}

function measures(report, texts) {
  const none = texts.text("verify.burst.none");
  const share = (value) => (value === undefined ? none : percent(value, texts.locale));
  return facts([
    [texts.text("verify.burst.frames"), number(report.frames, texts.locale)],
    [texts.text("verify.burst.seconds"),
      report.seconds === undefined ? none : number(report.seconds, texts.locale)],
    [texts.text("verify.burst.movement"), share(report.movement)],
    [texts.text("verify.burst.parallax"), share(report.residual_parallax)],
    [texts.text("verify.burst.flicker"), share(report.flicker_depth)],
  ]);
}
