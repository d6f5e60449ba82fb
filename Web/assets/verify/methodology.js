// The methodology page: how captures are assessed, and how often that is wrong.

import { html } from "../core/dom.js";
import { loadPageTexts, showPage } from "../page/language.js";
import { section } from "./components.js";
import { measuredOn, publishedRates, speciesName } from "./error-rates.js";
import { rateChart } from "./rate-chart.js";

const checks = [
  "aggregated", "texture", "moire", "banding", "specular", "halftone", "bezel", "double-compression", "depth", "parallax",
  "band-motion", "flicker", "focus",
];

const texts = await loadPageTexts();
const rates = await publishedRates();
document.title = `${texts.text("verify.tab.methodology")} · Mien`;
document.getElementById("main").append(html("div", { class: "page" },
  html("p", { class: "kicker" }, texts.text("verify.tab.methodology")),
  html("h1", { id: "title", tabindex: "-1" }, texts.text("methodology.title")),
  html("p", { class: "lead" }, texts.text("methodology.lead")),
  section("steps", texts.text("methodology.steps"),
    html("ol", { class: "limits" }, texts.list("methodology.step").map((text) => html("li", {}, text)))),
  section("checks", texts.text("methodology.checks"),
    html("p", {}, texts.text(rates.length > 0 ? "methodology.rates.lead" : "methodology.rates.none")),
    html("ul", { class: "checks" }, checks.map(card))),
  section("limits", texts.text("verify.limits"),
    html("ul", { class: "limits" }, texts.list("verify.limit").map((text) => html("li", {}, text))))));
showPage();

/** Builds the description of a check with the chart of its error rates. */
function card(check) {
  const published = rates.find((one) => one.check === check);
  return html("li", { "data-check": check }, [
    html("h3", {}, texts.text(`verify.check.${check}`)),
    html("p", {}, texts.text(`verify.about.${check}`)),
    published ? chart(published) : html("p", { class: "soft" }, texts.text("methodology.unmeasured")),
  ].flat());
}

function chart(published) {
  const { bpcer, apcer: { all, ...species }, accepted } = published;
  const kinds = Object.entries(species).sort(([, one], [, other]) => other.of - one.of)
    .map(([name, rate]) => [speciesName(name, texts), rate]);
  const main = [
    [texts.text("methodology.chart.wrong"), bpcer], [texts.text("methodology.chart.missed"), all],
    [texts.text("methodology.chart.accepted"), accepted],
  ].filter(([, rate]) => rate);
  return [
    rateChart(all ? main : [...main, ...kinds], texts),
    html("p", { class: "soft" }, measuredOn(published, texts)),
    all && kinds.length > 0 ? html("details", {},
      html("summary", {}, texts.text("methodology.species")), rateChart(kinds, texts)) : null,
  ].filter(Boolean);
}
