// Measurements of each check, with its threshold and error rates.

import { html, svg } from "../core/dom.js";
import { number } from "./components.js";
import { rateLines, ratesOf } from "./error-rates.js";

/** Builds the list of checks with a result, and the collapsed list of those not assessed. */
export function methodList(results, rates, texts) {
  const looked = results.checks.filter(({ result }) => result !== "not-assessed");
  const others = results.checks.filter(({ result }) => result === "not-assessed");
  return [
    looked.length === 0
      ? html("p", { class: "soft" }, texts.text("verify.methods.none"))
      : html("ul", { class: "methods" }, looked.map((reading) => method(reading, rates, texts))),
    others.length === 0 ? null : html("details", { class: "others" },
      html("summary", {}, texts.text("verify.methods.others", { number: others.length })),
      html("ul", {}, others.map(({ check, reason }) => html("li", {},
        html("strong", {}, texts.text(`verify.check.${check}`)), " ", texts.text(`verify.obstacle.${reason}`))))),
  ].filter(Boolean);
}

function method(reading, rates, texts) {
  const { check, result, native, score, threshold, algorithm_version: version } = reading;
  const numbers = {
    native: number(native, texts.locale), threshold: number(threshold, texts.locale),
  };
  return html("li", { "data-check": check, "data-result": result },
    html("div", { class: "head" },
      html("h3", {}, texts.text(`verify.check.${check}`)),
      html("p", { class: "status" }, texts.text(`verify.result.${result}`))),
    html("div", {},
      html("p", {}, texts.text(`verify.about.${check}`)),
      html("p", { class: "numbers" }, texts.text("verify.methods.numbers", numbers), " ",
        html("span", { class: "soft" }, texts.text("verify.methods.version", { version }))),
      rateLines(ratesOf(check, version, rates), texts)),
    bar(score, texts));
}

/** Builds the scale from copy to real scene with a mark at the score. It follows the text direction. */
function bar(score, texts) {
  const rightToLeft = texts.direction === "rtl";
  const place = (rightToLeft ? 1 - score : score) * 200;
  return html("div", { class: "scale" },
    svg("svg", { viewBox: "0 0 200 16", "aria-hidden": "true", preserveAspectRatio: "none" },
      svg("rect", { class: "track", x: 0, y: 5, width: 200, height: 6, rx: 3 }),
      svg("rect", {
        class: "filled", y: 5, height: 6, rx: 3,
        x: rightToLeft ? place : 0, width: rightToLeft ? 200 - place : place,
      }),
      svg("rect", { class: "mark", x: place - 1.5, y: 1, width: 3, height: 14, rx: 1.5 })),
    html("p", { class: "ends" },
      html("span", {}, texts.text("verify.scale.copy")), html("span", {}, texts.text("verify.scale.real"))));
}
