// What this device remembers: choices, numbers, and how often. A text is never kept longer than the tab, and one that
// can only be opened so many times is not kept at all.

import { forgetSheet, ownSheet } from "./own.js";

const names = { messages: "mien.messages", choices: "mien.choices", told: "mien.told", counts: "mien.counts" };
const draftName = "mien.draft";
const most = 50;

/** The avatar, and whether the neutral face is taken first. */
export function choices() {
  const { avatar, calibrate } = read(names.choices, {});
  const known = avatar === "fox" || (avatar === "own" && ownSheet() !== null);
  return { avatar: known ? avatar : "bear", calibrate: calibrate === true };
}

export function choose(changes) {
  write(names.choices, { ...choices(), ...changes });
}

/** The messages sent and received, the newest first: `{ id, sent, receipt, at, opened }`. */
export function messages() {
  const found = read(names.messages, []);
  return Array.isArray(found) ? found.filter((entry) => typeof entry?.id === "string") : [];
}

/** Adds a message, or changes what is known of it. */
export function keep(id, changes) {
  const before = messages();
  const known = before.find((entry) => entry.id === id) ?? { id, sent: false, at: Date.now(), opened: false };
  write(names.messages, [{ ...known, ...changes }, ...before.filter((entry) => entry.id !== id)].slice(0, most));
}

export function forget(id) {
  write(names.messages, messages().filter((entry) => entry.id !== id));
  forgetText(id);
}

/** Forgets messages, choices and counts. */
export function forgetAll() {
  for (const { id } of messages()) forgetText(id);
  forgetSheet();
  keepDraft(null);
  for (const name of Object.values(names)) {
    try {
      localStorage.removeItem(name);
    } catch {
      // storage is switched off: nothing was kept
    }
  }
}

/** How often: `locked`, `opened`, `wrong`. */
export function counts() {
  return { locked: 0, opened: 0, wrong: 0, ...read(names.counts, {}) };
}

export function count(name) {
  const before = counts();
  write(names.counts, { ...before, [name]: before[name] + 1 });
}

/** The text of a message that was opened in this tab, or null. */
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
    // storage is switched off: it is shown once
  }
}

function forgetText(id) {
  try {
    sessionStorage.removeItem(`mien.text.${id}`);
  } catch {
    // nothing was kept
  }
}

/** What was being written in this tab, by the names of its fields. */
export function draft() {
  try {
    return JSON.parse(sessionStorage.getItem(draftName)) ?? {};
  } catch {
    return {};
  }
}

/** Keeps what is being written for this tab, or forgets it for null. */
export function keepDraft(fields) {
  try {
    if (fields) sessionStorage.setItem(draftName, JSON.stringify(fields));
    else sessionStorage.removeItem(draftName);
  } catch {
    // storage is switched off: it is lost with the page
  }
}

/** Whether the tour has been shown; from now on it has. */
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
    // storage is switched off or full: it lasts as long as the page
  }
}
