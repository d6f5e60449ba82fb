// List of the element's events, newest first. Consecutive events with the same content are counted in one line.

import { html } from "../core/dom.js";

const most = 60;

export class EventList {
  #list;
  #last = null;

  constructor(list) {
    this.#list = list;
  }

  add(name, detail) {
    const words = name === "progress" ? wordsOfProgress(detail) : JSON.stringify(short(detail));
    this.#list.querySelector(".none")?.remove();
    if (this.#last?.key === name + words) {
      this.#last.times += 1;
      this.#last.count.textContent = `× ${this.#last.times}`;
      return;
    }
    const count = html("span", { class: "times" });
    this.#last = { key: name + words, times: 1, count };
    this.#list.prepend(html("li", { "data-name": name }, html("b", {}, name), html("code", {}, words), count));
    while (this.#list.childElementCount > most) this.#list.lastElementChild.remove();
  }
}

function wordsOfProgress({ state, instruction, side, hints, task }) {
  return [state, task?.kind, instruction, side, ...hints].filter(Boolean).join(" · ");
}

/** Truncates the face image's data URL, which is long and unreadable. */
function short(detail) {
  const { faceImage, ...rest } = detail ?? {};
  return faceImage ? { ...rest, faceImage: `${faceImage.slice(0, 23)}…` } : rest;
}
