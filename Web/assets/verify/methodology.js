// The methodology page: how captures are assessed, and how often that is wrong.

import { html } from "../core/dom.js";
import { loadPageTexts, showPage } from "../page/language.js";
import { percent, section } from "./components.js";
import { publishedRates, speciesName } from "./error-rates.js";

const checks = [
  "moire", "texture", "banding", "specular", "halftone", "bezel", "double-compression", "depth", "parallax",
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
    html("dl", { class: "facts" }, checks.flatMap((check) => [
      html("dt", {}, texts.text(`verify.check.${check}`)), html("dd", {}, texts.text(`verify.about.${check}`)),
    ]))),
  section("rates", texts.text("methodology.rates"), html("p", {}, texts.text("methodology.rates.lead")), table()),
  section("limits", texts.text("verify.limits"),
    html("ul", { class: "limits" }, texts.list("verify.limit").map((text) => html("li", {}, text))))));
showPage();

function table() {
  if (rates.length === 0) return html("p", { class: "soft", id: "no-rates" }, texts.text("methodology.rates.none"));
  const head = ["check", "species", "errors", "rate", "interval", "measured"].map((name) =>
    html("th", { scope: "col" }, texts.text(`methodology.column.${name}`)));
  return html("div", { class: "wide", role: "region", tabindex: "0", "aria-labelledby": "rates" }, html("table", {},
    html("thead", {}, html("tr", {}, head)),
    html("tbody", {}, rates.flatMap((rate) => [
      row(rate, texts.text("verify.species.genuine"), rate.bpcer),
      ...Object.entries(rate.apcer).map(([name, found]) => row(rate, speciesName(name, texts), found)),
    ]))));
}

function row({ check, measured_on: measured }, species, { errors, of, lower, upper }) {
  const count = new Intl.NumberFormat(texts.locale);
  const cells = [
    species, `${count.format(errors)} / ${count.format(of)}`, percent(errors / of, texts.locale),
    `${percent(lower, texts.locale)} – ${percent(upper, texts.locale)}`, measured,
  ];
  return html("tr", {}, html("th", { scope: "row" }, texts.text(`verify.check.${check}`)),
    cells.map((cell) => html("td", { dir: "auto" }, cell)));
}
