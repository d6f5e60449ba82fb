// A check from its welcome to its ending, in any root that holds the screens: the page or the element's shadow tree.
// It shows what the server says and decides nothing.

import { AbleForm } from "./able.js";
import { Announcer } from "./announcer.js";
import { CameraChoice } from "./camera-choice.js";
import { Camera, CameraTrouble, missingSupport } from "./camera.js";
import { ofOutcome, ofTrouble } from "./endings.js";
import { FrameSource } from "./frames.js";
import { askForCheck, runCheck } from "./run.js";
import { Screens } from "./screens.js";
import { Stage } from "./stage/stage.js";
import { StepView } from "./step-view.js";

export class Flow {
  #root;
  #texts;
  #source;
  #notice;
  #server;
  #camera;
  #announcer;
  #screens;
  #view;
  #stage;
  #choice;
  #able;
  #session = null;
  #running = new AbortController();

  /**
   * - `source`: `create(signal, abilities)` gives the session `{ id, token, client, began }`, `renewable`: another one
   *   can be asked for
   * - `notice`: told of each `screen(name)`, each `step(step, picture)`, and each `ending(ending, session)`
   * - `server`: the address that the check's requests go to
   */
  constructor({ root, texts, source, notice, server, narrator = null }) {
    this.#root = root;
    this.#texts = texts;
    this.#source = source;
    this.#notice = notice;
    this.#server = server;
    this.#camera = new Camera(root.getElementById("video"));
    this.#announcer = new Announcer(root, narrator);
    this.#screens = new Screens(root, texts, this.#announcer);
    this.#view = new StepView(root, texts, this.#announcer);
    this.#stage = new Stage(root);
    this.#choice = new CameraChoice(root, texts, this.#camera, (error) => this.#trouble(error));
    this.#able = new AbleForm(root, (abilities) => notice.able?.(abilities));
    this.#camera.onLost = () => this.#trouble(new CameraTrouble("lost"));
    const press = (id, action) => root.getElementById(id).addEventListener("click", action);
    press("begin", () => this.start());
    press("again", () => this.start());
    press("stop", () => this.stop());
  }

  get camera() {
    return this.#camera;
  }

  /** What the person can do, as far as it was said; null for everything. */
  get abilities() {
    return this.#able.abilities;
  }

  set abilities(able) {
    this.#able.abilities = able;
  }

  /** Lets the person say what they cannot do, where a check for them can be asked for. */
  offer() {
    this.#able.offered = this.#source.renewable;
  }

  /** The first screen, or why this browser cannot go on. */
  welcome({ focus = false } = {}) {
    this.#halt();
    const missing = missingSupport();
    if (missing) this.#end({ key: `trouble.${missing}`, trouble: missing, tone: "wait" });
    else {
      this.offer();
      this.#show("welcome", { focus });
    }
  }

  /** From a press of a button to an ending. */
  async start() {
    this.#halt();
    this.#session = null; // what goes wrong before there is another is not that one's
    const { signal } = (this.#running = new AbortController());
    this.#announcer.hush();
    this.#stage.clear();
    try {
      this.#show("permission");
      await this.#camera.open();
      if (signal.aborted) return;
      this.#view.clear("check.starting");
      this.#show("check");
      await this.#choice.refresh();
      const cover = (key) => this.#view.cover(key);
      const create = () => this.#source.create(signal, this.abilities);
      const session = await askForCheck({ create, signal, cover });
      if (signal.aborted) return;
      this.#session = session;
      const show = (step, picture) => {
        this.#view.show(step);
        this.#stage.show(step);
        this.#notice.step?.(step, picture);
      };
      const frames = new FrameSource(this.#root.getElementById("video"));
      const outcome = await runCheck({ session, server: this.#server, frames, signal, show, cover });
      if (outcome.kind !== "stopped") this.#end(ofOutcome(outcome, this.#means));
    } catch (error) {
      if (!signal.aborted && error.code !== "overtaken") this.#trouble(error);
    }
  }

  /** Ends the check because the person wants to. */
  stop() {
    this.#end({ key: "stopped", tone: "wait", again: "again.try" });
  }

  /** Stops everything, and says nothing. */
  leave() {
    this.#halt();
    this.#announcer.hush();
  }

  /** Everything once more in the language that the texts speak now. */
  retell() {
    this.#announcer.hush();
    this.#texts.fill(this.#root);
    if (this.#screens.current === "check") this.#view.repeat();
    if (this.#screens.current === "ending") this.#screens.repeat();
    if (this.#camera.isOpen) this.#choice.refresh();
  }

  get #means() {
    return { texts: this.#texts, renewable: this.#source.renewable };
  }

  #halt() {
    this.#running.abort();
    this.#camera.close();
  }

  #show(name, options) {
    this.#screens.show(name, options);
    this.#notice.screen?.(name);
  }

  #trouble(error) {
    this.#end(ofTrouble(error, this.#means));
  }

  #end(ending) {
    this.#halt();
    const told = this.#screens.end(this.#notice.amend?.(ending, this.#session) ?? ending);
    this.#notice.screen?.("ending", told.title);
    this.#notice.ending?.({ ...ending, ...told }, this.#session);
  }
}
