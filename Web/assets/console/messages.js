// List of locked messages: their public states only.

import { html } from "../core/dom.js";
import { chip, dateTime } from "./components.js";
import { choice, dayInputs, RecordList } from "./record-list.js";

const states = ["open", "read", "expired", "deleted"];
const tones = { ready: "good", waiting: "wait" };

export function messageList(texts) {
  return new RecordList(texts, {
    title: texts.text("console.tab.messages"), path: "/v1/messages", member: "messages",
    columns: ["id", "state", "mode", "avatar", "steps", "attempts_left", "waits_until", "views_left", "requires_frames",
      "requires_passive", "created_at", "expires_at"],
    inputs: [
      ["state", texts.text("scan.state"), choice(texts, states, (state) => texts.text(`console.message.${state}`))],
      ...dayInputs(texts),
    ],
    row: (message) => row(message, texts),
  }).start();
}

function row(message, texts) {
  const { id, state, mode, steps, created_at: created, expires_at: expires } = message;
  const details = [dateTime(created, texts.locale), texts.text(`console.mode.${mode}`),
    texts.text("console.steps", { number: steps }), texts.text("console.until-time", { time: dateTime(expires, texts.locale) })];
  return html("li", { "data-state": state },
    html("div", { class: "what" },
      html("p", {}, html("code", { dir: "ltr" }, id)),
      html("p", { class: "soft" }, details.flatMap((each, index) => [index ? " · " : "", html("bdi", {}, each)]))),
    chip(tones[state] ?? "plain", texts.text(`console.message.${state}`)));
}
