// Options of a message that the sender can choose: form fields and request values.

import { html } from "../core/dom.js";

const lengths = Array.from({ length: 10 }, (_, index) => index + 3);
const views = [1, 3, 10];
const attempts = [3, 10, 30];
const wait = 600; // seconds until the next attempt, doubling each time; the server's default is an hour
const lives = [["hour", 1, 3600], ["day", 1, 86_400], ["day", 7, 604_800], ["day", 30, 2_592_000], ["year", 1, 31_536_000]];
const stays = [0.5, 1, 2, 5]; // seconds
const standard = { steps: "5", attempts: "10", after: "hour", "gif-style": "classic", stay: "0.5" };
const standardChips = { views: "", life: "2592000" };

/** Builds the fields; `fillOptions` inserts the texts that depend on the language. */
export function optionFields() {
  return [
    chips("views", "messages.write.views", [["", "messages.write.views.any"], ...views.map((count) => [count, null])]),
    chips("life", "messages.write.expires", lives.map(([, , seconds]) => [seconds, null])),
    more(),
  ];
}

function more() {
  return html("details", { class: "able" },
    html("summary", { "data-text": "messages.write.more" }),
    html("div", { class: "boxes" },
      tick("secret", "messages.write.secret"),
      list("steps", "messages.write.steps", lengths.map((length) => [length, null])),
      list("attempts", "messages.write.attempts", attempts.map((count) => [count, null])),
      list("after", "messages.write.after", [["hour", "messages.write.after.hour"], ["wait", "messages.write.after.wait"]]),
      list("gif-style", "messages.write.gif", [["classic", "messages.write.gif.classic"], ["smooth", "messages.write.gif.smooth"]]),
      list("stay", "messages.write.stay", stays.map((seconds) => [seconds, null])),
      tick("link", "messages.write.link"),
      tick("watch", "messages.write.watch")));
}

/** Formats numbers and times in the page's language, and selects the defaults. */
export function fillOptions(language) {
  const number = new Intl.NumberFormat(language);
  for (const id of ["steps", "attempts"]) {
    for (const option of find(id).options) {
      if (option.value && !option.dataset.text) option.textContent = number.format(Number(option.value));
    }
  }
  for (const count of views) find(`views-${count}`).nextElementSibling.textContent = number.format(count);
  for (const [unit, count, seconds] of lives) {
    const format = new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" });
    find(`life-${seconds}`).nextElementSibling.textContent = format.format(count);
  }
  const format = new Intl.NumberFormat(language, { style: "unit", unit: "second", unitDisplay: "long" });
  stays.forEach((seconds, index) => {
    find("stay").options[index].textContent = format.format(seconds);
  });
  choose();
  find("form").addEventListener("reset", () => setTimeout(choose));
}

/** Selects the defaults. */
function choose() {
  for (const [id, value] of Object.entries(standard)) find(id).value = value;
  for (const [name, value] of Object.entries(standardChips)) find(`${name}-${value || "any"}`).checked = true;
}

/** Returns the chosen options as fields of the request. */
export function chosenOptions() {
  return {
    mode: find("secret").checked ? "secret" : "open",
    ...(chosen("views") ? { views: Number(chosen("views")) } : {}),
    attempts: Number(find("attempts").value),
    ...(find("after").value === "wait" ? { first_wait: wait } : {}),
    expires_in: Number(chosen("life")),
    ...(find("watch").checked ? { requires_passive: true } : {}),
    ...(find("link").checked ? { requires_link: true } : {}),
  };
}

/** Returns the chosen style of the GIF, and the seconds for which it shows the message ID. */
export function chosenLook() {
  return { style: find("gif-style").value, id_seconds: find("stay").value };
}

/** Returns the values of all fields, by field ID. */
export function draftOf(form) {
  return Object.fromEntries([...form.elements].filter((field) => field.id && field.type !== "submit")
    .map((field) => [field.id, isTicked(field) ? field.checked : field.value]));
}

export function takeUpDraft(form, draft) {
  for (const field of form.elements) {
    if (!(field.id in draft)) continue;
    if (isTicked(field)) field.checked = draft[field.id] === true;
    else field.value = draft[field.id];
    if (field instanceof HTMLSelectElement && field.selectedIndex < 0) field.value = standard[field.id];
  }
}

function isTicked({ type }) {
  return type === "checkbox" || type === "radio";
}

function chosen(name) {
  return find("form").elements[name].value;
}

/** Builds a choice of one of a few values, all in view. */
function chips(name, key, choices) {
  return html("fieldset", { class: "choices", id: name },
    html("legend", { "data-text": key }),
    html("div", { class: "row" }, choices.map(([value, words]) => html("label", { class: "choice-chip" },
      html("input", { type: "radio", name, value, id: `${name}-${value || "any"}` }),
      html("span", words === null ? {} : { "data-text": words })))));
}

function tick(id, key) {
  return html("label", {}, html("input", { type: "checkbox", id }), html("span", { "data-text": key }));
}

function list(id, key, choices) {
  return html("label", { for: id },
    html("span", { "data-text": key }),
    html("select", { id }, choices.map(([value, words]) =>
      html("option", words === null ? { value } : { value, "data-text": words }))));
}

function find(id) {
  return document.getElementById(id);
}
