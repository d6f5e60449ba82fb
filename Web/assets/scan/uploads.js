// Uploads all files of a scan, three at a time, and reports progress per file and in total, speed, and time left.

import { sendFile } from "./tus.js";

const atOnce = 3;
const span = 8_000; // milliseconds; window for the speed

export class Uploads {
  #files;
  #changed;
  #stop = new AbortController();
  #marks = [];
  #lost = new Map();

  /**
   * `files` are `{ name, blob, upload, fresh }`, without `upload` if the server has the whole file; `changed(this)` is
   * called if there is something new to show.
   */
  constructor(files, changed) {
    this.#files = files.map((file) => (file.upload
      ? { ...file, sent: 0, state: "waiting" } : { ...file, sent: file.blob.size, state: "done" }));
    this.#changed = changed;
  }

  /** State of each file: `{ name, bytes, sent, state }`; `state` is `waiting`, `sending`, `done` or `lost`. */
  get files() {
    return this.#files.map(({ name, blob, sent, state }) => ({ name, bytes: blob.size, sent, state }));
  }

  get bytes() {
    return this.#files.reduce((sum, { blob }) => sum + blob.size, 0);
  }

  get sent() {
    return this.#files.reduce((sum, { sent }) => sum + sent, 0);
  }

  /** Bytes per second, or `null` while unknown. */
  get speed() {
    const [first, last] = [this.#marks[0], this.#marks.at(-1)];
    return first && last.at - first.at > 400 ? ((last.sent - first.sent) * 1000) / (last.at - first.at) : null;
  }

  /** Seconds left, or `null` while unknown. */
  get left() {
    const { speed } = this;
    return speed > 0 ? (this.bytes - this.sent) / speed : null;
  }

  /** Seconds until the next attempt while the server does not respond, otherwise 0. */
  get lost() {
    return this.#lost.size > 0 ? Math.min(...this.#lost.values()) : 0;
  }

  stop() {
    this.#stop.abort();
  }

  /** Uploads everything. If a file fails, stops the others and rethrows its error. */
  async run() {
    const waiting = this.#files.filter(({ state }) => state !== "done");
    const lane = async () => {
      for (let file = waiting.shift(); file; file = waiting.shift()) await this.#send(file);
    };
    try {
      await Promise.all(Array.from({ length: atOnce }, lane));
    } catch (error) {
      this.#stop.abort();
      throw error;
    }
  }

  async #send(file) {
    file.state = "sending";
    await sendFile(file.upload, file.blob, {
      fresh: file.fresh, signal: this.#stop.signal,
      progress: (bytes) => {
        file.sent = bytes;
        this.#mark();
      },
      lost: (seconds) => {
        if (seconds > 0) this.#lost.set(file, seconds);
        else this.#lost.delete(file);
        file.state = seconds > 0 ? "lost" : "sending";
        this.#marks = [];
        this.#changed(this);
      },
    });
    file.state = "done";
    this.#mark();
  }

  #mark() {
    const at = performance.now();
    this.#marks.push({ at, sent: this.sent });
    while (at - this.#marks[0].at > span) this.#marks.shift();
    this.#changed(this);
  }
}
