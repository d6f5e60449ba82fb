// The answer of a report: one line, and how often such an answer is wrong.

import { html } from "../core/dom.js";
import { percent, sign } from "./components.js";
import { ratesOf } from "./error-rates.js";

// Answer of each level of all checks together, with the icon of its status.
const answers = {
  very_high: "genuine", high: "genuine", medium: "undecided", low: "undecided", suspicious: "suspect",
};
const signs = { genuine: "pass", undecided: "not-checked", suspect: "fail", none: "unavailable" };

/** Builds the heading with the answer, and the sentence on its error rates or on why there is no answer. */
export function verdict({ results, summary }, rates, texts) {
  const answer = answers[results?.aggregated?.confidence_level] ?? "none";
  return html("div", { class: "verdict", "data-verdict": answer, "data-status": signs[answer] },
    sign(signs[answer]),
    html("div", {},
      html("h1", { id: "title", tabindex: "-1" }, texts.text(`verify.verdict.${answer}`)),
      html("p", { class: "lead" }, answer === "none"
        ? reasons(summary, texts)
        : errors(answer, ratesOf("aggregated", results.aggregated.algorithm_version, rates), texts))));
}

function reasons(summary, texts) {
  const scene = summary.find(({ name }) => name === "scene");
  return (scene?.reasons ?? []).map((reason) => texts.text(`verify.reason.${reason}`)).join(" ");
}

/** Returns the errors that make an answer wrong; only rates of images that the checks were not trained on are called so. */
function errors(answer, published, texts) {
  if (!published?.held_out) return texts.text("verify.rates.none");
  const share = (rate) => (rate ? percent(rate.errors / rate.of, texts.locale, 0) : null);
  const [wrong, missed, accepted] = [share(published.bpcer), share(published.apcer.all), share(published.accepted)];
  if (answer === "genuine" && accepted === null) return texts.text("verify.verdict.rates.undecided", { wrong, missed });
  return texts.text(`verify.verdict.rates.${answer}`, { wrong, missed, accepted });
}
