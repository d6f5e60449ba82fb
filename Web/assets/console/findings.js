// Findings of a check with their native measures, and the comparison of faces.

import { html } from "../core/dom.js";
import { ratesOf } from "../verify/error-rates.js";
import { chip, code, codeWithTooltip, facts, number, percent, table, textOrCode } from "./components.js";

const tones = { genuine: "good", suspect: "bad", "not-assessed": "plain" };

/** Builds the table of findings; `rates` are the published error rates. */
export function findingTable(findings, rates, texts) {
  const column = (name) => texts.text(`console.finding.${name}`);
  return html("div", {}, table("findings", ["signal", "result", "native", "score", "reason", "rates", "version"].map(column),
    findings.map((finding) => {
      const { check, result, native, score, reason, calibration } = finding;
      return [textOrCode("console.signal", check, texts), chip(tones[result], texts.text(`console.result.${result}`)),
        native === undefined ? null : number(native, texts.locale), score === undefined ? null : number(score, texts.locale, 2),
        reason ? because(reason, texts) : null, published(ratesOf(check, calibration, rates), texts), calibration ? code(calibration) : null];
    })), html("p", { class: "soft small" }, texts.text("console.finding.note")));
}

function published(rates, texts) {
  if (!rates) return null;
  const share = ({ errors, of }) => `${percent(errors / of, texts.locale)} (${errors}/${of})`;
  return html("span", {}, "BPCER ", share(rates.bpcer), rates.apcer.all ? [" · APCER ", share(rates.apcer.all)] : []);
}

/** Builds the text for the reason of a finding, with its code as the tooltip. */
function because(reason, texts) {
  const key = [`console.reason.${reason}`, `reason.${reason}.title`].find((each) => texts.has(each));
  return codeWithTooltip(key, reason, texts);
}

/** Builds the facts of a comparison of faces, with the error rates measured at its threshold. */
export function matchFacts(match, texts) {
  const { decision, reference, similarity, threshold, reason, model } = match;
  const known = similarity !== undefined;
  return facts([
    [texts.text("console.finding.result"), chip({ match: "good", "no-match": "bad" }[decision] ?? "plain", texts.text(`match.${decision}.title`))],
    [texts.text("console.match.reference"), texts.text(`console.match.${reference}`)],
    [texts.text("console.match.similarity"), known ? number(similarity, texts.locale) : null],
    [texts.text("console.match.threshold"), number(threshold, texts.locale)],
    [texts.text("console.match.fmr"), percent(match.false_match_rate, texts.locale)],
    [texts.text("console.match.fnmr"), percent(match.false_non_match_rate, texts.locale)],
    [texts.text("console.finding.reason"), reason ? because(reason, texts) : null],
    [texts.text("console.finding.version"), code(model)],
  ]);
}
