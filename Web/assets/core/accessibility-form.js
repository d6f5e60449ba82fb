// Accessibility options selected before the check: the server then chooses other tasks.

import { html } from "./dom.js";

const abilities = ["neck", "eyelids", "mouth", "sight"];

/** Builds the collapsed list on the welcome screen; `AbleForm` adds its behavior. */
export function ableList() {
  const boxes = abilities.map((name) => html("label", {},
    html("input", { type: "checkbox", value: name }),
    html("span", { "data-text": `able.${name}` })));
  return html("details", { class: "able", id: "able", part: "able", hidden: true },
    html("summary", {}, html("span", { "data-text": "able.title" })),
    html("p", { id: "able-lead", "data-text": "able.lead" }),
    html("div", { class: "boxes", role: "group", "aria-labelledby": "able-lead" }, boxes),
    html("p", { class: "nothing", role: "status" },
      html("span", { id: "able-nothing", hidden: true, "data-text": "able.nothing" })));
}

export class AbleForm {
  #list;
  #begin;
  #nothing;
  #boxes;

  /** Calls `told` with the abilities on every change. */
  constructor(root, told = () => {}) {
    this.#list = root.getElementById("able");
    this.#begin = root.getElementById("begin");
    this.#nothing = root.getElementById("able-nothing");
    this.#boxes = [...this.#list.querySelectorAll("input")];
    this.#list.addEventListener("change", () => {
      this.#show();
      told(this.abilities);
    });
  }

  /** Shows the list only if a new check can be requested. */
  set offered(on) {
    this.#list.hidden = !on;
    this.#show();
  }

  /** Names of the user's abilities; `null` for all of them. */
  get abilities() {
    const able = this.#boxes.filter(({ checked }) => !checked).map(({ value }) => value);
    return able.length === abilities.length ? null : able;
  }

  set abilities(able) {
    for (const box of this.#boxes) box.checked = able !== null && !able.includes(box.value);
    this.#list.open ||= able !== null;
    this.#show();
  }

  /** Disables the start button if the user has none of the abilities that a task needs: neck, eyelids or mouth. */
  #show() {
    const able = this.abilities;
    const isNothing = !this.#list.hidden && able !== null && able.every((name) => name === "sight");
    this.#nothing.hidden = !isNothing;
    this.#begin.disabled = isNothing;
  }
}

/** Parses a list of abilities; returns `null` for all of them. Throws a `TypeError` for an unknown name. */
export function readAbilities(given) {
  if (given === null || given === undefined) return null;
  const names = typeof given === "string" ? given.split(/[\s,]+/).filter(Boolean) : given;
  const known = Array.isArray(names) && names.every((name) => abilities.includes(name));
  if (!known) throw new TypeError(`mien-liveness: abilities are of ${abilities.join(", ")}`);
  const able = abilities.filter((name) => names.includes(name));
  return able.length === abilities.length ? null : able;
}
