// How long data stays, and what was deleted at the end of that time.

import { html } from "../core/dom.js";
import { json } from "../scan/api.js";
import { heading, section } from "../scan/components.js";
import { facts, number, textOrCode, timeElement } from "./components.js";

const kinds = ["checks", "images", "clips", "templates", "captures", "scans", "unfinished_scans", "messages", "lockouts"];

export async function retentionView(texts) {
  const { retention_seconds: kept, deleted, last_report: last } = await json("GET", "/v1/retention");
  const counts = (found) => facts(ordered(found).map(([kind, count]) => [textOrCode("console.kept", kind, texts), number(count, texts.locale, 12)]));
  const none = html("p", { class: "soft" }, texts.text("console.retention.nothing"));
  return { element: html("div", { class: "page" }, heading(texts.text("console.tab.retention")),
    html("p", { class: "soft" }, texts.text("console.retention.lead")),
    facts(ordered(kept).map(([kind, seconds]) => [textOrCode("console.kept", kind, texts), span(seconds, texts)])),
    section("deleted", texts.text("console.retention.deleted"), Object.keys(deleted).length > 0 ? counts(deleted) : none),
    last ? section("last", texts.text("console.retention.last"), html("p", {}, timeElement(last.at, texts.locale)), counts(last.deleted)) : []) };
}

function ordered(found) {
  return Object.entries(found).sort(([one], [other]) => kinds.indexOf(one) - kinds.indexOf(other));
}

function span(seconds, texts) {
  if (seconds === null) return texts.text("console.retention.forever");
  const [unit, size] = seconds >= 2 * 86_400 ? ["day", 86_400] : seconds >= 2 * 3600 ? ["hour", 3600] : ["minute", 60];
  return new Intl.NumberFormat(texts.locale, { style: "unit", unit, unitDisplay: "long", maximumFractionDigits: 1 }).format(seconds / size);
}
