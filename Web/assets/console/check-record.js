// One check: result, reasons, evidence, pictures, signature and audit entries.

import { html } from "../core/dom.js";
import { isReadOnly } from "../page/account.js";
import { confirmAction } from "../page/confirm-dialog.js";
import { showError } from "../page/error-banner.js";
import { json } from "../scan/api.js";
import { announce, button, section } from "../scan/components.js";
import { errorMessage } from "../scan/format.js";
import { publishedRates } from "../verify/error-rates.js";
import { auditSection } from "./audit.js";
import { reasonTitle, stateChip } from "./checks.js";
import { findingTable, matchFacts } from "./findings.js";
import { mediaSection } from "./media.js";
import { code, codeWithTooltip, copyableID, facts, number, textOrCode, timeElement } from "./components.js";
import { signatureLine } from "./signature.js";
import { turnCurve } from "./turn-curve.js";

/** Loads a check and builds its view; `erased` is called after it was deleted. */
export async function checkRecord(texts, id, erased) {
  let check = await read(id);
  const rates = await publishedRates();
  const element = html("div", { class: "page record" });
  const view = { element, id, look, lists: ["checks"] };
  draw();
  return view;

  /** Draws the check again once it is decided. */
  async function look() {
    if (check.state !== "open" && check.clip !== "pending") return;
    try {
      const now = await read(id);
      if (now.state === check.state && now.clip === check.clip) return;
      check = now;
      draw();
      announce(texts.text(`console.check.${check.state}`));
    } catch (error) {
      showError(errorMessage(error, texts));
    }
  }

  function draw() {
    const focused = element.contains(document.activeElement);
    element.replaceChildren(...parts(check, rates, texts, erase));
    if (focused) document.getElementById("title")?.focus();
  }

  async function erase() {
    if (!(await confirmAction(texts.text("console.erase.sure"), texts.text("scan.erase"), texts.text("scan.keep")))) return;
    try {
      await json("DELETE", `/v1/checks/${encodeURIComponent(id)}`);
      erased();
      announce(texts.text("console.erased"));
      location.hash = "#checks";
    } catch (error) {
      showError(errorMessage(error, texts));
    }
  }
}

function read(id) {
  return json("GET", `/v1/checks/${encodeURIComponent(id)}`);
}

function parts(check, rates, texts, erase) {
  const { id, state, evidence, findings, match, previous_attempts: attempts, reference, person } = check;
  const turns = evidence && evidence.outbound_path.length + evidence.return_path.length > 1;
  return [
    html("p", {}, html("a", { class: "back", href: "#checks" }, texts.text("console.back"))),
    html("div", { class: "head" },
      html("h1", { id: "title", tabindex: "-1" }, html("bdi", {}, reference || person || texts.text("console.check"))), stateChip(state, texts)),
    html("p", {}, copyableID(id, texts)),
    html("div", { class: "two" }, state === "open" ? [] : section("verdict", texts.text("console.verdict"), ...verdict(check, texts)),
      section("about", texts.text("console.about"), facts([
        [texts.text("console.person"), person], [texts.text("console.reference"), reference],
        [texts.text("console.level"), check.assurance && textOrCode("console.level", check.assurance, texts)],
        [texts.text("console.tasks"), taskNames(check, texts)],
        [texts.text("console.bits"), number(check.bits_of_choice, texts.locale)],
        [texts.text("console.created"), timeElement(check.created_at, texts.locale)],
        [texts.text("console.expires"), state === "open" ? timeElement(check.expires_at, texts.locale) : null],
        [texts.text("console.decided"), check.decided_at && timeElement(check.decided_at, texts.locale)],
      ]))),
    turns ? section("turn", texts.text("console.curve"), turnCurve(evidence, texts)) : [],
    findings.length > 0 ? section("findings", texts.text("console.findings"), findingTable(findings, rates, texts)) : [],
    match ? section("match", texts.text("console.match"), matchFacts(match, texts)) : [],
    attempts ? section("attempts", texts.text("console.attempts"), html("ol", { class: "attempts" }, attempts.map((attempt) => html("li", {},
      timeElement(attempt.ended_at, texts.locale), " · ", html("strong", {}, reasonTitle(attempt.reason, texts)), " ", code(attempt.reason))))) : [],
    mediaSection(check, texts),
    check.signed ? section("signature", texts.text("console.signature"), signatureLine(check, texts)) : [],
    isReadOnly() ? [] : auditSection("check", id, texts),
    isReadOnly() ? [] : html("div", { class: "actions" }, button("erase", texts.text("console.erase"), erase, "button grave")),
  ].flat();
}

function verdict({ reason, feedback, source, basis, frames }, texts) {
  const key = `reason.${reason}.text`;
  return [
    reason ? html("p", { class: "lead" }, html("strong", {}, reasonTitle(reason, texts)), " ", code(reason)) : [],
    // The texts of reasons address the person who did the check.
    reason && texts.has(key) ? html("p", {}, texts.text("console.told"), " ", html("q", {}, texts.text(key))) : [],
    facts([
      [texts.text("console.source"), textOrCode("console.source", source, texts)],
      [texts.text("console.basis"), textOrCode("console.basis", basis, texts)],
      [texts.text("console.frames"), frames === undefined ? null : number(frames, texts.locale, 6)],
      [texts.text("console.feedback"), feedback ? html("ul", {}, feedback.map(({ code: each }) => html("li", {}, codeWithTooltip(`console.feedback.${each}`, each, texts)))) : null],
    ]),
  ].flat();
}

function taskNames({ challenge, tasks }, texts) {
  const names = tasks ?? (challenge === "tasks" ? [] : ["head-turn"]);
  return names.map((name) => textOrCode("console.signal", name, texts)).join(", ");
}
