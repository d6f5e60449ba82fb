// Content credentials (C2PA) of a file: who signed what and when, and what changed since. Never a verdict on the photo.

import { html } from "../core/dom.js";
import { facts, section, sign, time } from "./components.js";

const signs = { trusted: "pass", untrusted: "not-checked", expired: "not-checked", invalid: "fail" };

/** Builds the section on a file's provenance; `null` if there is none to show. All texts of a credential come from the file. */
export function provenanceSection(provenance, texts) {
  if (!provenance) return null;
  const { status, credential, address } = provenance;
  const parts = status === "credential" ? credentialParts(credential, texts) : [
    html("p", {}, texts.text(`verify.provenance.${status}`)),
    address ? facts([[texts.text("verify.provenance.fact.address"), code(address)]]) : null,
  ];
  return section("provenance", texts.text("verify.provenance"), html("div", {
    class: "provenance", "data-provenance": credential?.trust ?? status,
  }, ...parts.filter(Boolean)));
}

function credentialParts(credential, texts) {
  const name = credential.signer?.common_name ?? credential.signer?.issuer ?? texts.text("verify.provenance.nameless");
  const changes = credential.changed.map((change) => html("li", {}, changeText(change, texts)));
  return [
    html("p", { class: "headline", "data-status": signs[credential.trust] },
      sign(signs[credential.trust]), html("span", { dir: "auto" }, texts.text(`verify.provenance.${credential.trust}`, { name }))),
    changes.length > 0 ? html("ul", { class: "limits changes" }, changes) : null,
    facts([
      [texts.text("verify.line.signer"), credential.signer?.common_name ?? null],
      [texts.text("verify.provenance.fact.organization"), credential.signer?.issuer ?? null],
      [texts.text("verify.provenance.fact.time"),
        stamp(credential.signed_at, texts) ?? texts.text("verify.provenance.fact.no-time")],
      [texts.text("verify.provenance.fact.revocation"), texts.text(`verify.provenance.revocation.${credential.revocation}`)],
      [texts.text("verify.provenance.fact.software"), credential.generators.map(software).join(", ") || null],
      [texts.text("verify.provenance.fact.source"), sources(credential, texts)],
    ]),
    list("verify.provenance.history", credential.actions.map((action) => actionText(action, texts)), texts),
    list("verify.provenance.sources", credential.ingredients.map((file) => ingredientText(file, texts)), texts),
    html("details", { class: "codes" },
      html("summary", {}, texts.text("verify.provenance.codes", { number: credential.validation.length })),
      html("ul", { dir: "ltr" }, credential.validation.map(({ code: name, kind, part }) =>
        html("li", { "data-kind": kind }, code(name), part ? html("small", {}, part.split("/").at(-1)) : "")))),
    html("p", { class: "soft" }, texts.text("verify.provenance.note")),
  ];
}

function list(key, items, texts) {
  if (items.length === 0) return null;
  return html("div", {}, html("h3", {}, texts.text(key)),
    html("ul", { class: "limits" }, items.map((item) => html("li", { dir: "auto" }, item))));
}

function changeText({ part, statement }, texts) {
  return texts.text(`verify.provenance.changed.${part}`, { name: statement ?? "" });
}

function software({ name, version }) {
  return version ? `${name} ${version}` : name;
}

/** Returns the stated origins, each once; codes without a text are shown as they are. */
function sources({ actions }, texts) {
  const named = [...new Set(actions.map(({ source_type: type }) => type).filter(Boolean))];
  return named.map((type) => known(`verify.provenance.source.${type}`, type, texts)).join(", ") || null;
}

function actionText(action, texts) {
  const name = known(`verify.provenance.action.${action.name.replace(/^c2pa\./, "")}`, action.name, texts);
  const details = [action.software ? software(action.software) : null, stamp(action.when, texts)];
  return [name, ...details.filter(Boolean)].join(" · ");
}

function ingredientText(file, texts) {
  const name = file.title ?? texts.text("verify.provenance.untitled");
  const signer = file.signer?.common_name ?? file.signer?.issuer;
  const origin = signer
    ? texts.text("verify.provenance.file.signed", { name, signer }) : texts.text("verify.provenance.file.unsigned", { name });
  return file.changed.length > 0 ? `${origin} ${texts.text("verify.provenance.file.changed")}` : origin;
}

function known(key, fallback, texts) {
  return texts.has(key) ? texts.text(key) : fallback;
}

/** Formats a time that a file states; `null` without one. What is no time is shown as it is. */
function stamp(text, texts) {
  if (!text) return null;
  return Number.isNaN(Date.parse(text)) ? text : time(text, texts.locale);
}

function code(text) {
  return html("code", { class: "digest", dir: "ltr" }, text);
}
