// Options of a message that the sender can choose: form fields and request values.

import { html } from "../core/dom.js";

const lengths = Array.from({ length: 10 }, (_, index) => index + 3);
const views = [1, 3, 10];
const attempts = [3, 10, 30];
const wait = 600; // seconds until the next attempt, doubling each time; the server's default is an hour
const lives = [["hour", 1, 3600], ["day", 1, 86_400], ["day", 7, 604_800], ["day", 30, 2_592_000], ["day", 365, 31_536_000]];
const standard = { steps: "5", views: "", attempts: "10", after: "hour", life: "2592000" };

/** Builds the fields; `fillOptions` inserts the texts that depend on the language. */
export function optionFields() {
  return html("details", { class: "able" },
    html("summary", { "data-text": "messages.write.more" }),
    html("div", { class: "boxes" },
      tick("secret", "messages.write.secret"),
      list("steps", "messages.write.steps", lengths.map((length) => [length, null])),
      list("views", "messages.write.views", [["", "messages.write.views.any"], ...views.map((count) => [count, null])]),
      list("attempts", "messages.write.attempts", attempts.map((count) => [count, null])),
      list("after", "messages.write.after", [["hour", "messages.write.after.hour"], ["wait", "messages.write.after.wait"]]),
      list("life", "messages.write.expires", lives.map(([, , seconds]) => [seconds, null])),
      tick("watch", "messages.write.watch")));
}

/** Formats numbers and times in the page's language, and selects the defaults. */
export function fillOptions(language) {
  const number = new Intl.NumberFormat(language);
  for (const id of ["steps", "views", "attempts"]) {
    for (const option of find(id).options) {
      if (option.value && !option.dataset.text) option.textContent = number.format(Number(option.value));
    }
  }
  lives.forEach(([unit, count], index) => {
    const format = new Intl.NumberFormat(language, { style: "unit", unit, unitDisplay: "long" });
    find("life").options[index].textContent = format.format(count);
  });
  for (const [id, value] of Object.entries(standard)) find(id).value = value;
  find("form").addEventListener("reset", () => setTimeout(() => {
    for (const [id, value] of Object.entries(standard)) find(id).value = value;
  }));
}

/** Returns the chosen options as fields of the request. */
export function chosenOptions() {
  return {
    mode: find("secret").checked ? "secret" : "open",
    ...(find("views").value ? { views: Number(find("views").value) } : {}),
    attempts: Number(find("attempts").value),
    ...(find("after").value === "wait" ? { first_wait: wait } : {}),
    expires_in: Number(find("life").value),
    ...(find("watch").checked ? { requires_passive: true } : {}),
  };
}

/** Returns the values of all fields, by field ID. */
export function draftOf(form) {
  return Object.fromEntries([...form.elements].filter((field) => field.id && field.type !== "submit")
    .map((field) => [field.id, field.type === "checkbox" ? field.checked : field.value]));
}

export function takeUpDraft(form, draft) {
  for (const field of form.elements) {
    if (!(field.id in draft)) continue;
    if (field.type === "checkbox") field.checked = draft[field.id] === true;
    else field.value = draft[field.id];
    if (field instanceof HTMLSelectElement && field.selectedIndex < 0) field.value = standard[field.id];
  }
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
