// Runs one check with the page's own modules under Node: the clip takes the camera's place. Prints the result as JSON.
//
// usage: node slow-links-client.mjs WEB SERVER CHECK-ID TOKEN FRAMES TIMELINE SEED
//
// FRAMES holds folders of the same JPEG frames (15 per second) in several qualities; TIMELINE is JSON: { still: [first,
// last], turn: [[first, last], …] } in frames, or null to play all frames once from the first.

import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { pathToFileURL } from "node:url";

const [web, server, id, token, folder, timelineText, seed] = process.argv.slice(2);
const timeline = JSON.parse(timelineText);
globalThis.addEventListener ??= () => {};
globalThis.removeEventListener ??= () => {};
globalThis.location ??= { origin: server };
const module = (name) => import(pathToFileURL(join(web, "assets/core", name)));
const { runCheck } = await module("check-session.js");
const { withClient } = await module("session-client.js");

const qualities = readdirSync(folder).sort().map((name) =>
  readdirSync(join(folder, name)).sort().map((file) => readFileSync(join(folder, name, file))));
const rate = 15;

/** Adds a quantization table that no component uses: no check accepts a frame of another one. */
function distinct(jpeg) {
  const table = Buffer.alloc(69);
  table.set([0xff, 0xdb, 0, 67, 3]);
  for (let index = 5; index < 69; index += 1) table[index] = 1 + Math.floor(Math.random() * 254);
  return Buffer.concat([jpeg.subarray(0, 2), table, jpeg.subarray(2)]);
}

class Clip {
  #began = performance.now() - (Number(seed) * 17) % 67; // the camera's phase
  #last = -1;
  #due = -Infinity;
  #turnAt = Infinity;
  sent = 0;
  bytes = 0;

  /** The person sees the prompt and starts to turn after a moment. */
  turnSoon() {
    if (this.#turnAt !== Infinity) return;
    // With the camera's next frame then.
    const slots = Math.ceil(((performance.now() + 500 - this.#began) / 1000) * rate);
    this.#turnAt = this.#began + (slots * 1000) / rate;
  }

  #index(now) {
    if (!timeline) return Math.floor(((now - this.#began) / 1000) * rate);
    const [first, last] = timeline.still;
    let frame = Math.floor(((now - Math.min(now, this.#turnAt)) / 1000) * rate + 1e-6);
    if (now >= this.#turnAt) {
      for (const [from, to] of timeline.turn) {
        if (frame < to - from) return from + frame;
        frame -= to - from;
      }
    } else frame = Math.floor(((now - this.#began) / 1000) * rate);
    const length = last - first;
    const place = frame % (2 * length);
    return first + (place < length ? place : 2 * length - place);
  }

  async next(plan = { bytes: 9_500, gap: 65 }) {
    await sleep(this.#due - 10 - performance.now()); // as the page's FrameSource does
    // Frames have times of the camera; the still part repeats frames, so that its slot counts and not its picture.
    let slot = this.#slot();
    while (slot === this.#last) {
      await sleep(3);
      slot = this.#slot();
    }
    this.#last = slot;
    const capturedAt = performance.now();
    this.#due = Math.max(this.#due, capturedAt - plan.gap / 2) + plan.gap;
    const index = this.#index(capturedAt);
    if (index >= qualities[0].length) return new Promise(() => {});
    const sizes = qualities.map((frames) => frames[index]);
    const fitting = sizes.filter((jpeg) => jpeg.length <= plan.bytes * 1.1);
    const picked = fitting.sort((one, other) => other.length - one.length)[0] ?? sizes.sort((one, other) => one.length - other.length)[0];
    const picture = new Blob([distinct(picked)], { type: "image/jpeg" });
    this.sent += 1;
    this.bytes += picture.size;
    return { picture, capturedAt };
  }

  #slot() {
    return Math.floor(((performance.now() - this.#began) / 1000) * rate);
  }
}

function sleep(milliseconds) {
  return milliseconds > 0 ? new Promise((done) => setTimeout(done, milliseconds)) : Promise.resolve();
}

const clip = new Clip();
const began = performance.now();
let steps = 0;
const abort = new AbortController();
setTimeout(() => abort.abort(), 45_000).unref();
const show = (step) => {
  steps += 1;
  if (step.state === "tracking") clip.turnSoon();
};
const outcome = await runCheck({
  session: withClient({ id, token }), server, frames: clip, signal: abort.signal, show, cover: () => {},
});
const seconds = (performance.now() - began) / 1000;
const { state = outcome.kind, reason = outcome.code ?? null } = outcome.step ?? {};
console.log(JSON.stringify({
  state, reason, seconds: Number(seconds.toFixed(2)), sent: clip.sent, steps, bytes: clip.bytes,
  rate: Number((steps / seconds).toFixed(1)),
}));
process.exit(0);
