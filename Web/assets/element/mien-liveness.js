// The `<mien-liveness>` element: takes options, dispatches events, and runs the check in its shadow tree.

import { readAbilities } from "../core/accessibility-form.js";
import { Flow } from "../core/check-controller.js";
import { html } from "../core/dom.js";
import { home } from "../core/files.js";
import { bestLanguage } from "../core/languages.js";
import { Texts } from "../core/texts.js";
import { brandRules } from "./branding.js";
import { Narrator } from "./narrator.js";
import { readBranding, readFlag, readJSON, readUser, watched } from "./options.js";
import { outcomeOf, progressOf } from "./outcome.js";
import { Panel } from "./panel.js";
import { SessionSource } from "./session-source.js";
import { loadSheets, sheetsFor } from "./stylesheets.js";
import { readTasks } from "./tasks.js";

/**
 * Properties that are stored unchanged. `session` is a function that requests `{ sessionId, sessionToken }` from the
 * integrator's backend and is called for every attempt; `metadata` is returned with the outcome; the others are called
 * with the detail of the event of the same name.
 */
const plain = ["session", "metadata", "onSuccess", "onFailure", "onClose", "onProgress"];
const properties = [
  ...plain, "sessionId", "sessionToken", "publicKey", "sandboxEnvironment", "tasks", "abilities", "user", "branding", "allowAudio",
  "cameraId", "modal", "language", "server",
];

export class MienLiveness extends HTMLElement {
  static observedAttributes = watched;

  // Accessors instead of fields: a field would overwrite a value set before the element was defined.
  static {
    for (const name of plain) {
      Object.defineProperty(this.prototype, name, {
        get() {
          return this.#given[name] ?? null;
        },
        set(value) {
          this.#given[name] = value;
          if (name === "session") this.#flow?.offer();
        },
      });
    }
  }

  #given = {};
  #shadow = this.attachShadow({ mode: "open" });
  #building = null;
  #texts;
  #panel;
  #dialog;
  #flow;
  #narrator;
  #source;
  #open = false;
  #picture = null;
  #lastTold = "";

  connectedCallback() {
    this.#upgrade();
    this.#ready().then(() => {
      if (this.isConnected && !this.modal && !this.#open) this.open({ focus: false });
    }, reportError);
  }

  disconnectedCallback() {
    this.#flow?.leave();
    this.#forget();
    this.#open = false;
    if (this.#dialog?.open) this.#dialog.close();
  }

  attributeChangedCallback(name, before, now) {
    if (before === now || !this.#flow) return;
    if (name === "lang") this.#speak(this.#preferredLanguages());
    else if (name === "abilities") this.abilities = readAbilities(now);
    else this.#refresh();
    const isSession = name === "session-id" || name === "session-token";
    if (isSession && this.#open && this.sessionId && this.sessionToken) this.#flow.welcome();
  }

  /** Shows the check; in a dialog of its own if `modal` is set. */
  async open({ focus = true } = {}) {
    await this.#ready();
    if (!this.isConnected) throw new TypeError("mien-liveness: the element is not in the document");
    this.#open = true;
    this.#place();
    this.#flow.camera.preferredId = this.cameraId;
    if (readFlag(this, "skip-welcome")) await this.#flow.start();
    else this.#flow.welcome({ focus });
  }

  /** Ends the check and hides it. The camera is off when this returns. */
  close() {
    if (!this.#open) return;
    this.#open = false;
    this.#flow.leave();
    this.#forget();
    this.#panel.element.hidden = true;
    if (this.#dialog.open) this.#dialog.close();
    this.#tell("close", { sessionId: this.sessionId || null });
  }

  get isOpen() {
    return this.#open;
  }

  /** URL of the server; by default, the origin of this module. */
  get server() {
    return this.getAttribute("server") ?? home;
  }

  set server(address) {
    this.setAttribute("server", address);
  }

  get sessionId() {
    return this.getAttribute("session-id") ?? "";
  }

  set sessionId(id) {
    this.setAttribute("session-id", id);
  }

  /** Session token. Set as a property, it does not appear in the document. */
  get sessionToken() {
    return this.#given.sessionToken ?? this.getAttribute("session-token") ?? "";
  }

  set sessionToken(token) {
    this.#given.sessionToken = token;
    if (this.#open && this.sessionId) this.#flow?.welcome();
  }

  get publicKey() {
    return this.getAttribute("public-key") ?? "";
  }

  set publicKey(key) {
    this.setAttribute("public-key", key);
  }

  get sandboxEnvironment() {
    return this.getAttribute("sandbox-environment") !== "false";
  }

  set sandboxEnvironment(on) {
    this.setAttribute("sandbox-environment", String(Boolean(on)));
  }

  /**
   * Requested tasks. They are passed to the session function. With a given session, they are sent to the server, which
   * refuses them if the backend chose other tasks.
   */
  get tasks() {
    return this.#given.tasks ?? readTasks(readJSON(this, "tasks"));
  }

  set tasks(tasks) {
    this.#given.tasks = readTasks(tasks);
    this.#refresh();
  }

  /**
   * Abilities of the user: any of "neck", "eyelids", "mouth" and "sight"; `null` for all of them. They are passed to
   * the session function, and the server chooses suitable tasks. The user can change them before the check.
   */
  get abilities() {
    if (this.#flow) return this.#flow.abilities;
    return this.#given.abilities !== undefined ? this.#given.abilities : readAbilities(this.getAttribute("abilities"));
  }

  set abilities(abilities) {
    this.#given.abilities = readAbilities(abilities);
    if (!this.#flow) return;
    this.#flow.abilities = this.#given.abilities;
    this.#refresh();
  }

  get user() {
    return readUser(this, this.#given.user);
  }

  set user(user) {
    this.#given.user = user;
    this.#refresh();
  }

  get branding() {
    return readBranding(this, this.#given.branding);
  }

  set branding(branding) {
    this.#given.branding = branding;
    this.#refresh();
  }

  get allowAudio() {
    return readFlag(this, "allow-audio");
  }

  set allowAudio(on) {
    this.toggleAttribute("allow-audio", Boolean(on));
  }

  get modal() {
    return readFlag(this, "modal");
  }

  set modal(on) {
    this.toggleAttribute("modal", Boolean(on));
  }

  /** ID of the camera in use, or of the one to open first. */
  get cameraId() {
    return this.#flow?.camera.deviceId || (this.getAttribute("camera-id") ?? "");
  }

  set cameraId(id) {
    this.setAttribute("camera-id", id);
  }

  /** Code of the current language. */
  get language() {
    return this.#texts?.language ?? bestLanguage(this.#preferredLanguages()).code;
  }

  set language(tag) {
    this.lang = tag;
  }

  #ready() {
    this.#building ??= this.#build().catch((error) => {
      this.#building = null; // so that open() can try again
      throw error;
    });
    return this.#building;
  }

  async #build() {
    const [sheets, texts] = await Promise.all([loadSheets(), Texts.load(this.#preferredLanguages(), this.server)]);
    this.#texts = texts;
    this.#panel = new Panel(texts);
    this.#panel.element.hidden = true;
    this.#dialog = html("dialog", { part: "dialog" });
    this.#shadow.replaceChildren(this.#dialog, this.#panel.element);
    this.#restyle = () => {
      const brand = this.branding.color ? brandRules(this.branding.color) : null;
      this.#shadow.adoptedStyleSheets = sheetsFor(sheets, this.getAttribute("scheme"), brand);
    };
    this.#narrator = new Narrator(texts);
    this.#source = new SessionSource(() => this.#sessionOptions());
    const { abilities } = this;
    this.#flow = new Flow({
      root: this.#shadow, texts, source: this.#source, notice: this.#notice, server: this.server,
      narrator: this.#narrator,
    });
    this.#flow.abilities = abilities;
    this.#listen();
    this.#refresh();
  }

  #restyle = () => {};

  #listen() {
    this.#panel.close.addEventListener("click", () => this.close());
    this.#panel.leave.addEventListener("click", () => this.close());
    this.#panel.languages.addEventListener("change", () => this.#speak([this.#panel.languages.value]));
    this.#dialog.addEventListener("cancel", (event) => {
      event.preventDefault(); // close() below also ends the check
      this.close();
    });
    this.#dialog.addEventListener("close", () => {
      if (!this.#dialog.open) this.close(); // the event is asynchronous: the dialog may be open again
    });
    this.#panel.sound.addEventListener("click", () => this.#hear(!this.#narrator.isOn));
  }

  #hear(on) {
    this.#narrator.isOn = on;
    this.#panel.sound.setAttribute("aria-pressed", String(this.#narrator.isOn));
  }

  /** Moves the panel into the dialog or the shadow tree, and shows it. */
  #place() {
    const { element } = this.#panel;
    element.hidden = false;
    if (this.modal) {
      this.#dialog.append(element);
      this.#dialog.setAttribute("aria-label", this.#texts.text("element.label"));
      if (!this.#dialog.open) this.#dialog.showModal();
    } else {
      if (this.#dialog.open) this.#dialog.close();
      this.#shadow.append(element);
    }
  }

  /** Applies changed options. */
  #refresh() {
    if (!this.#flow) return;
    const { branding, user, tasks, modal } = this;
    if (branding.color && !brandRules(branding.color)) {
      console.warn(`mien-liveness: "${branding.color}" is not a color like #0b5d4e; it is left out`);
    }
    this.#restyle();
    this.#panel.show({ branding, user, tasks, modal, fixedLanguage: readFlag(this, "fixed-language") });
    this.#voice();
  }

  /** Enables the narrator if the page allows audio or the user has limited sight. */
  #voice() {
    const wanted = this.allowAudio || this.abilities?.includes("sight") === false;
    this.#panel.sound.hidden = !wanted || !Narrator.isPossible;
    this.#hear(wanted);
  }

  async #speak(preferred) {
    try {
      await this.#texts.change(preferred);
    } catch (error) {
      reportError(error); // the current language stays
      this.#panel.languages.value = this.#texts.language;
      return;
    }
    this.#flow.redraw();
    this.#panel.fill(this.user);
  }

  #preferredLanguages() {
    return [this.lang, this.closest("[lang]")?.lang, ...navigator.languages];
  }

  #sessionOptions() {
    const { session, sessionId, sessionToken, tasks, user, publicKey, sandboxEnvironment, language } = this;
    const metadata = this.metadata ?? readJSON(this, "metadata");
    const request = { tasks, user, publicKey, sandboxEnvironment, metadata, language };
    return { session, sessionId, sessionToken, server: this.server, request };
  }

  /** Callbacks of `Flow`. An ending's note, which points back to another app, does not apply inside the element. */
  #notice = {
    screen: (name) => {
      if (name === "welcome" || name === "permission") this.#forget();
      this.#panel.element.scrollTop = 0;
      this.#dialog.scrollTop = 0;
    },
    able: () => this.#voice(),
    amend: (ending) => ({ ...ending, note: null }),
    step: (step, picture) => {
      const isFirst = this.#picture === null && step.outline.length > 0;
      if (isFirst || step.instruction === "hold-still") this.#picture = picture;
      this.#feel(step);
      this.#tell("progress", progressOf(step));
    },
    ending: async (ending, session) => {
      const picture = this.#picture;
      this.#forget();
      const passed = ending.over?.state === "passed";
      this.#vibrate(passed ? [60, 80, 120] : [200]);
      const faceImage = picture ? await dataAddress(picture) : null;
      const { metadata } = this.#sessionOptions().request;
      const outcome = outcomeOf(ending, { session, metadata, faceImage });
      if (outcome) this.#tell(outcome.name, outcome.detail);
    },
  };

  /** Discards the stored face image, so that it is never reported with another check. */
  #forget() {
    this.#picture = null;
    this.#lastTold = "";
  }

  /** Vibrates briefly when the instruction changes. */
  #feel({ instruction, task }) {
    const { kind, prompt: { next, done, index } = {} } = task ?? {};
    const told = [instruction, kind, next, done, index].join();
    if (this.#lastTold !== "" && told !== this.#lastTold) this.#vibrate([40]);
    this.#lastTold = told;
  }

  #vibrate(pattern) {
    if (!readFlag(this, "no-vibration")) navigator.vibrate?.(pattern);
  }

  /** Notifies the page. The events do not bubble: a "close" must not close a dialog that contains the element. */
  #tell(name, detail) {
    this.dispatchEvent(new CustomEvent(name, { detail }));
    this[`on${name[0].toUpperCase()}${name.slice(1)}`]?.(detail);
  }

  /** Reapplies properties that were set before the element was defined. */
  #upgrade() {
    for (const name of properties) {
      if (!Object.hasOwn(this, name)) continue;
      const value = this[name];
      delete this[name];
      this[name] = value;
    }
  }
}

function dataAddress(picture) {
  return new Promise((done, fail) => {
    const reader = new FileReader();
    reader.onload = () => done(reader.result);
    reader.onerror = () => fail(reader.error);
    reader.readAsDataURL(picture);
  });
}
