// Runs a check from the welcome screen to its ending in any root that contains the screens: a page or the element's
// shadow tree. Displays the server's responses and makes no decisions.

import { AbleForm } from "./accessibility-form.js";
import { Announcer } from "./announcer.js";
import { CameraChoice } from "./camera-choice.js";
import { Camera, CameraError, missingSupport } from "./camera.js";
import { endingForError, endingForOutcome } from "./outcomes.js";
import { FrameSource } from "./frames.js";
import { LightSurface } from "./light-surface.js";
import { askForCheck, runCheck } from "./check-session.js";
import { declineTask } from "./session-client.js";
import { Screens } from "./screens.js";
import { Stage } from "./overlay/stage.js";
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
  #light;
  #decline;
  #wasTooSlow = false;
  #session = null;
  #running = new AbortController();

  /**
   * - `source`: `create(signal, abilities)` returns the session `{ id, token, client, began }`; `renewable` is `true`
   *   if another one can be requested; `match` is the `FaceMatch` of its checks, if they may have one
   * - `notice`: receives each `screen(name)`, `step(step, picture)` and `ending(ending, session)`
   * - `server`: base URL of the check's requests
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
    this.#choice = new CameraChoice(root, texts, this.#camera, (error) => this.#endWithError(error));
    this.#able = new AbleForm(root, (abilities) => notice.able?.(abilities));
    this.#decline = root.getElementById("decline");
    this.#light = new LightSurface(root.querySelector("section[data-screen=check]"), () => this.#declineLateLight());
    this.#camera.onLost = () => this.#endWithError(new CameraError("lost"));
    const press = (id, action) => root.getElementById(id).addEventListener("click", action);
    press("begin", () => this.begin());
    press("again", () => (this.#source.match?.isRefused ? this.welcome({ focus: true }) : this.begin()));
    press("agree", () => this.#consent(true));
    press("disagree", () => this.#consent(false));
    press("stop", () => this.stop());
    press("decline", () => {
      this.#light.clear();
      this.#declineTask();
    });
  }

  get camera() {
    return this.#camera;
  }

  /** Abilities selected by the user; `null` for all of them. */
  get abilities() {
    return this.#able.abilities;
  }

  set abilities(able) {
    this.#able.abilities = able;
  }

  /** Shows the accessibility options if a new check can be requested. */
  offer() {
    this.#able.offered = this.#source.renewable;
  }

  /** Shows the welcome screen, or the reason why this browser cannot run a check. */
  welcome({ focus = false } = {}) {
    this.#halt();
    const missing = missingSupport();
    if (missing) this.#end({ key: `trouble.${missing}`, trouble: missing, tone: "wait" });
    else {
      this.offer();
      this.#show("welcome", { focus });
    }
  }

  /** Starts a check, and before the camera opens asks for consent if the check compares the face with a picture. */
  async begin() {
    this.#halt();
    const { match } = this.#source;
    if (!match) return this.start();
    this.#session = null;
    const { signal } = (this.#running = new AbortController());
    try {
      const asks = await match.mustAsk();
      if (signal.aborted) return;
      if (asks) this.#show("consent");
      else await this.start();
    } catch (error) {
      if (!signal.aborted) this.#endWithError(error);
    }
  }

  async #consent(agrees) {
    const { signal } = this.#running;
    const buttons = ["agree", "disagree"].map((id) => this.#root.getElementById(id));
    for (const button of buttons) button.disabled = true;
    try {
      if (agrees) this.#source.match.agree();
      else await this.#source.match.decline();
      if (!signal.aborted) await this.start();
    } catch (error) {
      if (!signal.aborted) this.#endWithError(error);
    } finally {
      for (const button of buttons) button.disabled = false;
    }
  }

  /** Runs a check from the press of a button to its ending. */
  async start() {
    this.#halt();
    this.#wasTooSlow = false;
    this.#session = null; // errors before the next session do not belong to the previous one
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
      const show = (step, picture, capturedAt) => {
        this.#view.show(step);
        this.#stage.show(step);
        this.#light.show(step, capturedAt);
        this.#offerToDecline(step);
        this.#notice.step?.(step, picture);
      };
      const frames = new FrameSource(this.#root.getElementById("video"));
      const outcome = await runCheck({ session, server: this.#server, frames, signal, show, cover });
      if (outcome.kind === "stopped") return;
      const match = outcome.kind === "step" ? await this.#source.match?.result(session) : null;
      if (!signal.aborted) this.#end({ ...endingForOutcome(outcome, this.#means), match });
    } catch (error) {
      if (!signal.aborted && error.code !== "leaseLost") this.#endWithError(error);
    }
  }

  /** Shows the ending of a check that was performed in another page, for example on a phone. */
  async conclude(session, outcome) {
    const match = outcome.kind === "step" ? await this.#source.match?.result(session) : null;
    this.#session = session;
    this.#end({ ...endingForOutcome(outcome, this.#means), match });
  }

  /** Ends the check at the user's request. */
  stop() {
    this.#end({ key: "stopped", tone: "wait", again: "again.try" });
  }

  /** Stops everything without showing an ending. */
  leave() {
    this.#halt();
    this.#announcer.hush();
  }

  /** Announces a sentence to screen readers, after what is being announced. */
  announce(sentence) {
    this.#announcer.say(sentence);
  }

  /** Redraws everything in the current language of the texts. */
  redraw() {
    this.#announcer.hush();
    this.#texts.fill(this.#root);
    if (this.#screens.current === "check") this.#view.repeat();
    if (this.#screens.current === "ending") this.#screens.repeat();
    if (this.#camera.isOpen) this.#choice.refresh();
  }

  get #means() {
    return { texts: this.#texts, renewable: this.#source.renewable };
  }

  /** Offers another task in place of a light task. */
  #offerToDecline({ state, task }) {
    const canDecline = ["instructing", "tracking"].includes(state) && task?.prompt?.light?.can_decline === true;
    this.#decline.hidden = !canDecline;
    this.#decline.disabled &&= canDecline; // until the server has replaced the task
  }

  /** Requests another task, once per check, if this device shows the colors too late: a face that does not follow them is suspect. */
  #declineLateLight() {
    if (this.#wasTooSlow || this.#decline.hidden || this.#decline.disabled) return;
    this.#wasTooSlow = true;
    this.#declineTask();
  }

  async #declineTask() {
    const { signal } = this.#running;
    this.#decline.disabled = true;
    try {
      await declineTask(this.#session, this.#server);
    } catch {
      if (!signal.aborted) this.#decline.disabled = false; // the next step shows the colors again
    }
  }

  #halt() {
    this.#running.abort();
    this.#light.clear();
    this.#decline.hidden = true;
    this.#camera.close();
  }

  #show(name, options) {
    this.#screens.show(name, options);
    this.#notice.screen?.(name);
  }

  #endWithError(error) {
    this.#end(endingForError(error, this.#means));
  }

  #end(ending) {
    this.#halt();
    const told = this.#screens.end(this.#notice.amend?.(ending, this.#session) ?? ending);
    this.#notice.screen?.("ending", told.title);
    this.#notice.ending?.({ ...ending, ...told }, this.#session);
  }
}
