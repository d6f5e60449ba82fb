// Error rates as horizontal bars from 0 to 100 %, with their intervals, and in numbers beside them.

import { html, svg } from "../core/dom.js";
import { percent } from "./components.js";

const width = 200;

/** Builds the chart of pairs of a name and a rate. It follows the text direction. */
export function rateChart(rows, texts) {
  return html("ul", { class: "rate-chart" }, rows.map(([name, rate]) => {
    const share = rate.errors / rate.of;
    const values = {
      lower: percent(rate.lower, texts.locale, 0), upper: percent(rate.upper, texts.locale, 0), errors: rate.errors,
      number: rate.of,
    };
    return html("li", {},
      html("p", {}, html("span", {}, name), html("strong", {}, percent(share, texts.locale, 0))),
      bar(share, rate, texts.direction === "rtl"),
      html("p", { class: "soft" }, texts.text("methodology.chart.numbers", values)));
  }));
}

function bar(share, { lower, upper }, isMirrored) {
  const span = (from, to) => ({
    x: (isMirrored ? 1 - to : from) * width, width: Math.max((to - from) * width, 1),
  });
  return svg("svg", { viewBox: `0 0 ${width} 12`, "aria-hidden": "true", preserveAspectRatio: "none" },
    svg("rect", { class: "track", y: 3, height: 6, x: 0, width }),
    svg("rect", { class: "filled", y: 3, height: 6, ...span(0, share) }),
    svg("rect", { class: "interval", y: 5, height: 2, ...span(lower, upper) }));
}
