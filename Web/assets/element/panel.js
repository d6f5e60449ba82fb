// Frame around the screens: the brand, the language list, the close button, and the powered-by line.

import { html, svg } from "../core/dom.js";
import { fillLanguages } from "../core/language-list.js";
import { buildScreens } from "../core/check-template.js";

export class Panel {
  #texts;
  #logo = html("img", { class: "logo", part: "logo", alt: "", hidden: true });
  #name = html("span", { class: "name", part: "brand", hidden: true });
  #byText = html("span");
  #byLogo = html("img", { part: "powered-by-logo", alt: "", hidden: true });
  #by = html("p", { class: "powered-by", part: "powered-by", hidden: true }, this.#byText, this.#byLogo,
    html("span", { class: "mien" }, "Mien"));
  languages = html("select", { part: "languages", "data-text-label": "page.language" });
  sound = html("button",
    { class: "icon", part: "sound", type: "button", id: "sound", hidden: true, "data-text-label": "sound" },
    svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" },
      svg("path", { d: "M4 9.5v5h3.5L12 18.5v-13L7.5 9.5z" }),
      svg("path", { class: "on", d: "M15.5 9a4.2 4.2 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11" }),
      svg("path", { class: "off", d: "M16 9.5l5 5M21 9.5l-5 5" })));
  close = html("button", { class: "icon close", part: "close", type: "button", "data-text-label": "element.close" },
    svg("svg", { viewBox: "0 0 24 24", "aria-hidden": "true" }, svg("path", { d: "M6 6l12 12M18 6L6 18" })));
  leave = html("button",
    { class: "button quiet", part: "button", type: "button", id: "leave", "data-text": "element.close" });
  element;

  constructor(texts) {
    this.#texts = texts;
    const slotted = (name, ...parts) => [html("slot", { name }, ...parts)];
    this.element = html("div", { class: "panel", part: "panel", role: "group" },
      html("div", { class: "top", part: "header" },
        html("div", { class: "brand" }, html("slot", { name: "logo" }, this.#logo, this.#name)),
        this.languages, this.sound, this.close),
      html("div", { class: "screens" }, buildScreens({ level: 2, slotted, leave: this.leave })),
      html("div", { class: "bottom", part: "footer" }, html("slot", { name: "footer" }, this.#by)));
  }

  /** Applies the options; call it again when they change. */
  show({ branding, user, tasks, modal, fixedLanguage }) {
    const { name, logo, logoAlt, hideLogoOnMobile } = branding;
    setPicture(this.#logo, logo, logoAlt ?? name ?? "");
    this.#logo.toggleAttribute("data-not-on-mobile", hideLogoOnMobile);
    this.#name.textContent = name ?? "";
    this.#name.hidden = !name || Boolean(logo);
    this.#showPoweredBy(branding);
    this.close.hidden = !modal;
    this.leave.hidden = !modal;
    this.languages.hidden = fixedLanguage;
    const find = (selector) => this.element.querySelector(selector);
    const turn = tasks?.length > 0 && tasks.every(({ kind }) => kind === "head-turn");
    const what = turn ? "welcome.1" : "welcome.tasks";
    find(".facts .fact-title").dataset.text = `${what}.title`;
    find(".facts p").dataset.text = `${what}.text`;
    this.fill(user);
  }

  /** Fills in the texts in the current language. */
  fill({ firstName }) {
    const { language, direction } = this.#texts;
    this.element.lang = language;
    this.element.dir = direction;
    this.element.setAttribute("aria-label", this.#texts.text("element.label"));
    fillLanguages(this.languages, language);
    this.#texts.fill(this.element);
    if (firstName) {
      this.element.querySelector("#welcome-title").textContent = this.#texts.text("welcome.hello", { name: firstName });
    }
    if (this.#byText.dataset.own === undefined) this.#byText.textContent = this.#texts.text("element.powered-by");
  }

  #showPoweredBy({ showPoweredBy, poweredByText, poweredByLogo }) {
    this.#by.hidden = !showPoweredBy;
    if (poweredByText) this.#byText.dataset.own = "";
    else delete this.#byText.dataset.own;
    this.#byText.textContent = poweredByText ?? "";
    setPicture(this.#byLogo, poweredByLogo, "");
    this.#by.toggleAttribute("data-mien", !poweredByLogo);
  }
}

function setPicture(picture, address, alternative) {
  picture.hidden = !address;
  picture.alt = alternative;
  if (!address) picture.removeAttribute("src");
  else if (picture.getAttribute("src") !== address) picture.src = address;
}
