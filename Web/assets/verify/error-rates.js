// Measured error rates of the checks, as published by the server; empty if none were measured.

import { html } from "../core/dom.js";
import { percent } from "./components.js";

let loaded = null;

/** Returns all rates, loaded once. */
export function publishedRates() {
  loaded ??= fetch("/v1/error-rates", { credentials: "omit" })
    .then((reply) => (reply.ok ? reply.json() : { rates: [] }))
    .then((reply) => reply.rates)
    .catch(() => []);
  return loaded;
}

/** Returns the published rates of a check for exactly this algorithm version, or `null`. */
export function ratesOf(check, version, rates) {
  return rates.find((rate) => rate.check === check && rate.version === version) ?? null;
}

/**
 * Builds sentences about a check's rates: over all species if that is published, since the methodology page lists each.
 * The last one says on which images they were measured.
 */
export function rateLines(rates, texts) {
  if (!rates) return html("p", { class: "soft" }, texts.text("verify.rates.none"));
  const line = (key, { errors, of, lower, upper }, more = {}) => html("li", {}, texts.text(key, {
    rate: percent(errors / of, texts.locale), lower: percent(lower, texts.locale),
    upper: percent(upper, texts.locale), number: of, ...more,
  }));
  const { all } = rates.apcer;
  const species = all ? [["all", all]] : Object.entries(rates.apcer).sort(([one], [other]) => (one < other ? -1 : 1));
  return html("ul", { class: "rates" }, line("verify.rates.bpcer", rates.bpcer),
    species.map(([name, rate]) => line("verify.rates.apcer", rate, { species: speciesName(name, texts) })),
    html("li", { class: "soft" }, measuredOn(rates, texts)));
}

/** Returns a sentence on the images of a measurement. */
export function measuredOn({ bpcer, apcer, sources, held_out: isHeldOut }, texts) {
  const attacks = apcer.all ? [apcer.all] : Object.values(apcer);
  const images = attacks.reduce((sum, { of }) => sum + of, bpcer.of);
  return texts.text(`verify.rates.measured.${isHeldOut ? "held-out" : "same"}`, { images, sources });
}

export function speciesName(name, texts) {
  const key = `verify.species.${name}`;
  return texts.has(key) ? texts.text(key) : name;
}
