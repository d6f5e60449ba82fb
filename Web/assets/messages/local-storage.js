// Data stored on this device: choices, message IDs, and counters. A text is stored for the lifetime of the tab at most,
// and not at all if the message has a limited number of views.

import { forgetSheet, ownSheet } from "./custom-avatar.js";

const names = { messages: "mien.messages", choices: "mien.choices", told: "mien.told", counts: "mien.counts" };
const draftName = "mien.draft";
const most = 50;

/** Returns the chosen avatar. */
export function choices() {
  const { avatar } = read(names.choices, {});
  const known = avatar === "fox" || (avatar === "own" && ownSheet() !== null);
  return { avatar: known ? avatar : "bear" };
}

export function choose(changes) {
  write(names.choices, { ...choices(), ...changes });
}

/** Returns the sent and received messages, newest first: `{ id, sent, receipt, key, at, opened }`. */
export function messages() {
  const found = read(names.messages, []);
  return Array.isArray(found) ? found.filter((entry) => typeof entry?.id === "string") : [];
}

/** Adds a message or updates its stored data. */
export function keep(id, changes) {
  const before = messages();
  const known = before.find((entry) => entry.id === id) ?? { id, sent: false, at: Date.now(), opened: false };
  write(names.messages, [{ ...known, ...changes }, ...before.filter((entry) => entry.id !== id)].slice(0, most));
}

/** Returns the secret part of a message's link, or `null`. */
export function keyOf(id) {
  return messages().find((entry) => entry.id === id)?.key ?? null;
}

export function forget(id) {
  write(names.messages, messages().filter((entry) => entry.id !== id));
  forgetText(id);
}

/** Deletes all stored messages, texts, choices and counters, the draft, and the user's own avatar. */
export function forgetAll() {
  for (const { id } of messages()) forgetText(id);
  forgetSheet();
  keepDraft(null);
  for (const name of Object.values(names)) {
    try {
      localStorage.removeItem(name);
    } catch {
      // Storage is disabled: nothing was stored.
    }
  }
}

/** Returns the counters `locked`, `opened` and `wrong`. */
export function counts() {
  return { locked: 0, opened: 0, wrong: 0, ...read(names.counts, {}) };
}

export function count(name) {
  const before = counts();
  write(names.counts, { ...before, [name]: before[name] + 1 });
}

/** Returns the text of a message that was opened in this tab, or `null`. */
export function textOf(id) {
  try {
    return sessionStorage.getItem(`mien.text.${id}`);
  } catch {
    return null;
  }
}

export function keepText(id, text) {
  try {
    sessionStorage.setItem(`mien.text.${id}`, text);
  } catch {
    // Storage is disabled: the text is shown once.
  }
}

function forgetText(id) {
  try {
    sessionStorage.removeItem(`mien.text.${id}`);
  } catch {
    // Storage is disabled: nothing was stored.
  }
}

/** Returns the draft of this tab, by field ID. */
export function draft() {
  try {
    return JSON.parse(sessionStorage.getItem(draftName)) ?? {};
  } catch {
    return {};
  }
}

/** Stores the draft for this tab, or deletes it if `fields` is `null`. */
export function keepDraft(fields) {
  try {
    if (fields) sessionStorage.setItem(draftName, JSON.stringify(fields));
    else sessionStorage.removeItem(draftName);
  } catch {
    // Storage is disabled: the draft is lost with the page.
  }
}

/** Reports whether the tour has been shown, and marks it as shown. */
export function tourWasShown() {
  const shown = read(names.told, false);
  write(names.told, true);
  return shown === true;
}

function read(name, otherwise) {
  try {
    return JSON.parse(localStorage.getItem(name)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

function write(name, value) {
  try {
    localStorage.setItem(name, JSON.stringify(value));
  } catch {
    // Storage is disabled or full: the value is not stored.
  }
}
