// Which screen is seen, where the focus goes, and how a check's end is told.

import { hasText, text } from "../shared/texts.js";

/** Shows one screen, moves the focus to its heading (not for the first one), and names it in the window's title. */
export function showScreen(name, { focus = true } = {}) {
  for (const section of document.querySelectorAll("[data-screen]")) {
    if (section !== document.body) section.hidden = section.dataset.screen !== name;
  }
  document.body.dataset.screen = name;
  document.title = text(`title.${name}`);
  scrollTo(0, 0);
  if (focus) document.querySelector(`section[data-screen="${name}"] h1`).focus({ preventScroll: true });
}

/**
 * Tells how it ended. `key` names the texts (`key.title`, `key.text`, `key.step.1` …), `tone` the emblem (`good`, `bad`,
 * `late`, `wait`), `note` a closing sentence, `again` the button's text key or null, `reference` the check's id.
 */
export function showEnding({ key, tone, note = null, again = null, reference = null }, announcer) {
  const title = text(`${key}.title`);
  const words = text(`${key}.text`);
  document.getElementById("emblem").dataset.tone = tone;
  document.getElementById("ending-title").textContent = title;
  document.getElementById("ending-text").textContent = words;
  document.getElementById("ending-steps").replaceChildren(...steps(key));
  const button = document.getElementById("again");
  button.hidden = again === null;
  button.textContent = again === null ? "" : text(again);
  document.getElementById("leave").hidden = again === null;
  document.getElementById("ending-note").textContent = note === null ? "" : text(note);
  document.getElementById("ending-reference").textContent =
    reference === null ? "" : text("ending.reference", { id: reference });
  showScreen("ending");
  document.title = `${title} · Mien`;
  announcer.interrupt(`${title}. ${words}`);
}

function steps(key) {
  const items = [];
  for (let number = 1; hasText(`${key}.step.${number}`); number += 1) {
    const item = document.createElement("li");
    item.textContent = text(`${key}.step.${number}`);
    items.push(item);
  }
  return items;
}
