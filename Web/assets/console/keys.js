// List of API keys, without their secrets.

import { html } from "../core/dom.js";
import { json } from "../scan/api.js";
import { heading } from "../scan/components.js";
import { chip, code, dateTime } from "./components.js";

const tones = { active: "good", expired: "plain", revoked: "bad" };

export async function keyList(texts) {
  const { keys } = await json("GET", "/v1/keys");
  return { element: html("div", { class: "page" }, heading(texts.text("console.tab.keys")),
    html("p", { class: "soft" }, texts.text("console.key.lead")),
    html("ul", { class: "records" }, keys.map((key) => row(key, texts)))) };
}

function row(key, texts) {
  const { id, name, scopes, state, created_at: created, expires_at: expires, last_used_at: used } = key;
  const at = (text) => dateTime(text, texts.locale);
  const details = [`${texts.text("console.created")}: ${at(created)}`,
    used ? texts.text("console.key.used", { time: at(used) }) : texts.text("console.key.unused"),
    expires && texts.text("console.until-time", { time: at(expires) })].filter(Boolean);
  return html("li", { "data-id": id, "data-state": state },
    html("div", { class: "what" }, html("p", {}, name ? [html("strong", {}, html("bdi", {}, name)), " "] : [], code(id)),
      html("p", { class: "soft" }, details.flatMap((each, index) => [index ? " · " : "", html("bdi", {}, each)])),
      html("p", { class: "soft" }, `${texts.text("console.key.scopes")}: `,
        scopes ? scopes.flatMap((each, index) => [index ? ", " : "", code(each)]) : texts.text("scan.any"))),
    chip(tones[state], texts.text(`console.key.${state}`)));
}
