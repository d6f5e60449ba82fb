// The findings as text: the quality item by item, and the measurements with their uncertainty.

import { html, svg } from "../core/dom.js";
import { length, millimeters, number, percent, remark } from "./format.js";

const drawn = {
  pass: "M5 12.5l4.5 4.5L19 7.5", warn: "M12 6v8M12 17.5v.1", fail: "M7 7l10 10M17 7L7 17", "not-assessed": "M6 12h12",
};
const order = ["fail", "warn", "pass", "not-assessed"];

/** Builds the list of quality items; failures and warnings are first. */
export function reportList(report, texts) {
  const items = report.items.toSorted((one, other) => order.indexOf(one.outcome) - order.indexOf(other.outcome));
  return html("ul", { class: "lines" }, items.map((item) => line(item, texts)));
}

function line({ name, outcome, value, unit, remarks }, texts) {
  // Items of a newer server may have no text here and show their name.
  const title = texts.has(`scan.item.${name}`) ? texts.text(`scan.item.${name}`) : name;
  const advice = remarks.map((each) => remark(each, texts)).join(" ");
  return html("li", { "data-item": name, "data-outcome": outcome },
    svg("svg", { class: "sign", viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: drawn[outcome] ?? drawn["not-assessed"] })),
    html("div", {}, html("h3", {}, title), advice ? html("p", {}, advice) : []),
    html("p", { class: "status" }, texts.text(`scan.outcome.${outcome}`),
      typeof value === "number" ? html("bdi", { class: "value" }, measure(value, unit, texts.locale)) : []));
}

/** Returns the heading of the report. Where there is a surface, it says how much could be better, not that it failed. */
export function reportTitle({ outcome, items }, surface, texts) {
  if (outcome !== "warn" || !surface) return texts.text(`scan.report.${outcome}`);
  const number = items.filter((item) => item.outcome === "warn" || item.outcome === "fail").length;
  return texts.text("scan.report.usable", { number });
}

function measure(value, unit, language) {
  // Shows one decimal below 1 %, so that four frames in a thousand do not read as zero.
  if (unit === "share") return percent(value, language, value > 0 && value < 0.01 ? 1 : 0);
  if (unit === "m") return length(value * 1000, language, { digits: value < 1 ? 0 : 2 });
  if (unit === "m/s") {
    return new Intl.NumberFormat(language, { style: "unit", unit: "meter-per-second", maximumSignificantDigits: 3 }).format(value);
  }
  if (unit === "°") return degrees(value, language);
  return unit === "°/s" ? `${degrees(value, language)}/s` : number(value, language);
}

/** Formats an angle with its sign, not with its name as the usual display of `Intl` does. */
function degrees(value, language) {
  return new Intl.NumberFormat(language, { style: "unit", unit: "degree", unitDisplay: "narrow", maximumSignificantDigits: 3 }).format(value);
}

/** Builds the tables of each photo's measures, collapsed because the grade above is usually enough. */
export function photoMeasures(photos, texts) {
  const { locale } = texts;
  const looked = photos.map((photo, index) => ({ ...photo, index })).filter(({ measures }) => measures?.length > 0);
  if (looked.length === 0) return [];
  return html("details", { class: "measures" },
    html("summary", {}, texts.text("scan.photo-measures")),
    html("p", { class: "soft small" }, texts.text("scan.photo-measures.note")),
    looked.map(({ index, measures }) => html("div", { class: "table" }, html("table", {},
      html("caption", {}, texts.text("scan.photo-measures.photo", { number: index + 1 })),
      html("thead", {}, html("tr", {}, ["scan.photo-measures.name", "scan.measured.value", "scan.photo-measures.score"].map((name) =>
        html("th", { scope: "col" }, texts.text(name))))),
      html("tbody", {}, measures.map(({ name, value, unit, score }) => html("tr", { "data-measure": name },
        html("th", { scope: "row" }, texts.has(`scan.photo-measure.${name}`) ? texts.text(`scan.photo-measure.${name}`) : name),
        html("td", {}, html("bdi", {}, photoValue(value, unit, locale))),
        html("td", {}, typeof score === "number" ? html("bdi", {}, number(Math.round(score), locale)) : "–"))))))));
}

function photoValue(value, unit, language) {
  const shown = measure(value, unit, language);
  return unit === "px" || unit === "bit" ? `${shown} ${unit}` : shown;
}

export function measurementTable(measurements, texts) {
  const { locale } = texts;
  return html("table", {},
    html("thead", {}, html("tr", {}, ["name", "value", "uncertainty"].map((name) =>
      html("th", { scope: "col" }, texts.text(`scan.measured.${name}`))))),
    html("tbody", {}, measurements.map(({ name, millimeters: value, uncertainty_millimeters: uncertainty }) => html("tr", {},
      html("th", { scope: "row" }, texts.has(`scan.distance.${name}`) ? texts.text(`scan.distance.${name}`) : name),
      html("td", {}, html("bdi", {}, millimeters(value, locale))),
      html("td", {}, html("bdi", {}, `± ${millimeters(uncertainty, locale)}`))))));
}
