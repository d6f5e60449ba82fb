// The camera step: places that fill up, the recognized expression, and the progress of the hold. The server decides;
// this code displays.

import { Announcer } from "../core/announcer.js";
import { html, svg } from "../core/dom.js";
import { CameraChoice } from "../core/camera-choice.js";
import { Camera, CameraError } from "../core/camera.js";
import { FrameSource } from "../core/frames.js";
import { runCheck } from "../core/check-session.js";
import { Problem } from "../core/session-client.js";
import { TimeRing, timeRing } from "../core/time-ring.js";
import { ExpressionGuide } from "./expression-guide.js";
import { screen } from "./screen.js";
import { sprite } from "./sprites.js";

const over = ["recorded", "opened", "wrong", "suspect", "locked", "expired", "gone"];

const guide = new ExpressionGuide();

/** Builds the screens `permission` and `perform`. */
export function performingScreens() {
  return [
    screen("permission", "card", "permission.title",
      html("p", { class: "lead", "data-text": "permission.lead" })),
    html("section", { class: "screen live", "data-screen": "perform", "aria-labelledby": "instruction", hidden: true },
      html("div", { class: "told" },
        html("h1", { class: "title", id: "instruction", tabindex: "-1" }),
        html("p", { class: "hint", id: "hint", "data-empty": true },
          svg("svg", { viewBox: "0 0 20 20", "aria-hidden": "true" }, svg("path", { d: "M10 5v6M10 14.5v.1" })),
          html("span", { id: "hint-text" }))),
      html("div", { class: "performing" },
        guide.element,
        html("div", { class: "stage", id: "stage", dir: "ltr" },
          html("video", { id: "video", playsinline: true, muted: true, autoplay: true, "aria-hidden": "true" }),
          html("div", { class: "cover", id: "cover", hidden: true },
            html("div", {},
              html("span", { class: "spinner", "aria-hidden": "true" }),
              html("p", { id: "cover-text", dir: "auto" }))))),
      html("ol", { class: "places mirrored", id: "places", "data-text-label": "messages.places" }),
      html("div", { class: "below" },
        timeRing(),
        html("p", { class: "choice", id: "choice", hidden: true },
          html("label", { for: "cameras", "data-text": "camera.choose" }),
          html("select", { id: "cameras" })),
        html("button", { class: "plain", type: "button", id: "stop", "data-text": "messages.cancel" }))),
    html("p", { class: "visually-hidden", id: "polite", "aria-live": "polite" }),
    html("p", { class: "visually-hidden", id: "assertive", "aria-live": "assertive" }),
  ];
}

export class Performing {
  #texts;
  #camera = new Camera(document.getElementById("video"));
  #choice;
  #time = new TimeRing(document.getElementById("remaining"));
  #running = new AbortController();
  #fail = () => {};
  #places = [];
  #filled = 0;
  #avatar = "bear";
  #sequence = null;
  announcer = new Announcer(document);

  constructor(texts) {
    this.#texts = texts;
    this.#choice = new CameraChoice(document, texts, this.#camera, (error) => this.#fail(error));
    this.#camera.onLost = () => this.#fail(new CameraError("lost"));
  }

  /**
   * Runs a performance from the camera permission to the final step; returns `null` if it was stopped. `create`
   * requests the performance from the server, `show` switches the screen. `sequence` has the expressions to make, if they
   * are known; otherwise `title` is the key of the text above all that count. Throws a `CameraError`, a `Problem` or an
   * `Unreachable`.
   */
  async run({ create, show, avatar, sequence = null, title = "messages.guide.any" }) {
    this.stop();
    const { signal } = (this.#running = new AbortController());
    const lost = new Promise((_, fail) => (this.#fail = fail));
    lost.catch(() => {}); // the camera may be lost after the race has settled
    this.#avatar = avatar;
    this.#sequence = sequence;
    guide.show(this.#texts, avatar, sequence, sequence ? "messages.clue.open" : title);
    this.announcer.hush();
    try {
      return await Promise.race([this.#perform(create, show, signal), lost]);
    } catch (error) {
      if (signal.aborted) return null; // closing the camera makes the pending frame request fail
      throw error;
    } finally {
      if (this.#running.signal === signal) this.stop();
    }
  }

  /** Stops the performance and closes the camera. */
  stop() {
    this.#running.abort();
    this.#camera.close();
  }

  async #perform(create, show, signal) {
    show("permission");
    await this.#camera.open();
    if (signal.aborted) return null;
    const session = await create();
    if (signal.aborted) return null;
    this.#begin(session.steps);
    show("perform");
    await this.#choice.refresh();
    const outcome = await runCheck({
      session, signal, over, frames: new FrameSource(document.getElementById("video")),
      show: (step) => this.#show(step),
      cover: (key) => this.#cover(key),
    });
    if (outcome.kind === "problem") throw new Problem(performanceErrorCode(outcome.code));
    if (outcome.kind === "stopped") return null;
    this.#fill(outcome.step.performed);
    return { session, step: outcome.step };
  }

  #begin(steps) {
    this.#filled = 0;
    this.#places = Array.from({ length: steps }, () => html("li", { class: "place" }));
    const list = document.getElementById("places");
    list.replaceChildren(...this.#places);
    list.toggleAttribute("data-many", steps > 6);
    this.#fill([]);
    this.#tell(this.#texts.text("messages.make"));
    this.#hint("");
    this.#time.clear();
    document.getElementById("cover").hidden = true;
  }

  #show(step) {
    const texts = this.#texts;
    document.getElementById("cover").hidden = true;
    this.#fill(step.performed);
    guide.mark(step.performed.length, step.neutral ? step.seen ?? null : null);
    const place = this.#places[step.performed.length];
    this.#seeing(place, step);
    const seen = step.seen && texts.text(`expression.${step.seen}`);
    const next = this.#sequence?.[step.performed.length];
    let told = texts.text(next ? `expression.${next}` : "messages.make");
    if (seen && step.neutral && !step.repeated) told = texts.text("messages.hold", { name: seen });
    else if (!step.neutral) told = texts.text("messages.relax");
    const face = step.face === "one-face" ? "" : texts.text(`hint.${step.face}`);
    this.#tell(told);
    this.#hint(face || (step.repeated ? texts.text("messages.repeated") : ""));
    this.#time.show(step.remaining_ms, texts);
    if (face) this.announcer.say(face);
    else if (step.repeated) this.announcer.say(texts.text("messages.repeated"));
    else if (!seen) this.announcer.say(`${this.#progress(step.performed)} ${told}.`);
  }

  /** Shows the recognized expression and the progress of the hold in the place to fill. */
  #seeing(place, step) {
    for (const each of this.#places) each.classList.toggle("next", each === place);
    if (!place) return;
    // Until the face has been neutral, the expression seen is still the previous one and belongs to no place.
    const seen = step.neutral ? (step.seen ?? null) : null;
    place.style.setProperty("--hold", String(seen ? step.hold : 0));
    const shown = place.firstElementChild?.dataset.expression ?? null;
    if (shown !== seen) place.replaceChildren(...(seen ? [sprite(this.#avatar, seen)] : []));
  }

  #fill(performed) {
    this.#places.forEach((place, index) => {
      const name = performed[index];
      if (!name) {
        place.setAttribute("aria-label", this.#texts.text("messages.place-empty", { number: index + 1 }));
        return;
      }
      if (place.dataset.filled === name) return;
      place.dataset.filled = name;
      place.classList.remove("next");
      place.setAttribute("aria-label", this.#texts.text(`expression.${name}`));
      place.replaceChildren(sprite(this.#avatar, name));
    });
    if (performed.length > this.#filled) navigator.vibrate?.(30);
    this.#filled = performed.length;
  }

  #progress(performed) {
    if (!performed.length) return "";
    const name = this.#texts.text(`expression.${performed.at(-1)}`);
    const done = this.#texts.text("count.done", { number: performed.length, count: this.#places.length });
    return `${name}. ${done}.`;
  }

  #cover(key) {
    const words = this.#texts.text(key === "busy" ? "cover.busy" : "messages.trouble.unreachable.text");
    document.getElementById("cover").hidden = false;
    set("cover-text", words);
    this.announcer.say(words);
  }

  #tell(words) {
    set("instruction", words);
  }

  #hint(words) {
    document.getElementById("hint").toggleAttribute("data-empty", words === "");
    if (words) set("hint-text", words);
  }
}

/**
 * Maps `not-found` to `token-expired`: the server deletes a performance some time after its end, which does not mean
 * that the message is missing.
 */
export function performanceErrorCode(code) {
  return code === "not-found" ? "token-expired" : code;
}

function set(id, words) {
  const element = document.getElementById(id);
  if (element.textContent !== words) element.textContent = words;
}
