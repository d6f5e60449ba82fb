// Shared code of the three message pages: texts, screens, language.

import { missingSupport } from "../core/camera.js";
import { Screens } from "../core/screens.js";
import { loadPageTexts, showPage } from "../page/language.js";
import { endingForError, endingForUnsupportedBrowser, fillEnding } from "./error-screens.js";
import { Performing } from "./performance-screen.js";

/** Adds the screens to the page and loads its texts. */
export async function openPage(name, ...parts) {
  document.getElementById("main").append(...parts);
  const texts = await loadPageTexts();
  document.title = `${texts.text(`messages.tab.${name}`)} · Mien`;
  showPage();
  return texts;
}

/** Controller of a page with a camera: one screen at a time, and one performance at most. */
export class Flow {
  #screens;
  #again = () => {};
  #back;

  constructor(texts, back) {
    this.texts = texts;
    this.performing = new Performing(texts);
    this.#screens = new Screens(document, texts, this.performing.announcer);
    this.#back = back;
    this.on("stop", () => this.#back());
    this.on("back", () => this.#back());
    this.on("again", () => this.#again());
    addEventListener("pagehide", () => this.performing.stop());
    addEventListener("pageshow", ({ persisted }) => {
      if (persisted && ["permission", "perform"].includes(this.current)) this.#back(); // the camera is off
    });
  }

  on(id, action, event = "click") {
    document.getElementById(id).addEventListener(event, action);
  }

  get current() {
    return this.#screens.current;
  }

  show(name, options) {
    document.body.dataset.screen = name;
    this.#screens.show(name, options);
    scrollTo(0, 0);
  }

  /** Shows the ending; `again` is the action of *Try again*. */
  end(ending, again) {
    this.performing.stop();
    this.#again = again;
    const said = fillEnding(ending, this.texts);
    this.show("ending");
    this.performing.announcer.interrupt(said);
  }

  endWithError(error, again) {
    if (error instanceof TypeError || error instanceof ReferenceError) console.error(error);
    this.end(endingForError(error, this.texts), again);
  }

  /**
   * Runs a performance. Returns `null` if there is no camera, if it failed, or if it was stopped; errors have then been
   * shown. `refused` shows an error in its own way, or returns `false`.
   */
  async perform({ create, avatar, again, refused = () => false, sequence = null, title }) {
    const missing = missingSupport();
    if (missing) {
      this.end(endingForUnsupportedBrowser(missing), again);
      return null;
    }
    try {
      return await this.performing.run({ create, avatar, sequence, title, show: (name) => this.show(name) });
    } catch (error) {
      if (!refused(error)) this.endWithError(error, again);
      return null;
    }
  }
}
