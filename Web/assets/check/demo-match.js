// Face comparison of a demo check with the picture that the person chose on this page. It is sent after the person agrees.

import { resultOf } from "../core/face-match.js";

export class DemoMatch {
  #choice;
  #agreed = null;
  #refused = null;

  /** `choice` is the `ReferencePicture` of the page. */
  constructor(choice) {
    this.#choice = choice;
  }

  /** `true` if a picture was chosen that the person has not agreed to yet. */
  async mustAsk() {
    return this.#choice.picture !== null && this.#choice.picture !== this.#agreed;
  }

  /** `true` while the chosen picture is one that the server refused: the person must choose another one, or none. */
  get isRefused() {
    return this.#choice.picture !== null && this.#choice.picture === this.#refused;
  }

  refuse() {
    this.#refused = this.#choice.picture;
  }

  agree() {
    this.#agreed = this.#choice.picture;
  }

  async decline() {
    this.#choice.clear();
  }

  async result(session) {
    return this.#choice.picture ? resultOf(session) : null;
  }
}
