// Live graphs of this server from its own `/metrics`: the change every two seconds, over five minutes.

import { html } from "../core/dom.js";
import { showAccount } from "../page/account.js";
import { loadPageTexts, showPage } from "../page/language.js";
import { watchStatus } from "../page/health-badge.js";
import { Graph } from "./graph.js";
import { parse, quantile, sum } from "./metrics.js";

const interval = 2_000;
const timeoutMilliseconds = 5_000;
const points = 150;

const texts = await loadPageTexts();
await showAccount(texts);
document.title = `${texts.text("status.title")} · Mien`;

const digits = new Intl.NumberFormat(texts.locale, { maximumSignificantDigits: 3 });
const plain = (value) => digits.format(value);
const milliseconds = new Intl.NumberFormat(texts.locale, {
  style: "unit", unit: "millisecond", unitDisplay: "short", maximumSignificantDigits: 3,
});
const time = (seconds) => milliseconds.format(seconds * 1000);
const told = (values) => texts.text("status.told", values);
const graph = (id, key, floor, say = plain, other = null) =>
  new Graph({ id, name: texts.text(key), points, say, told, floor, other: other && texts.text(other) });

const requests = graph("requests", "status.requests", 1);
const answers = graph("answers", "status.answers", 0.01, time, "status.most");
const errors = graph("errors", "status.errors", 1);
const frames = graph("frames", "status.frames", 1);
const frameTime = graph("frame-time", "status.frame-time", 0.05, time, "status.most");
const checks = graph("checks", "status.checks", 1);
const underWay = graph("under-way", "status.under-way", 1);
const performances = graph("performances", "status.performances", 1);
const waiting = graph("waiting", "status.waiting", 1);
const queues = ["scans", "clips", "webhooks"].map((name) => [name, graph(`queue-${name}`, `status.queue.${name}`, 1)]);
const database = graph("database", "status.database", 0.005, time, "status.most");
const files = graph("files", "status.files", 0.005, time, "status.most");
const models = graph("models", "status.models", 0.005, time, "status.most");
const graphs = [requests, answers, errors, frames, frameTime, checks, performances, underWay, waiting,
  ...queues.map(([, each]) => each), database, files, models];

const words = html("span", {}, texts.text("home.status.unknown"));
const badge = html("p", { class: "badge", role: "status", "data-status": "unknown" }, words);
const wrong = html("p", { class: "wrong", id: "wrong", role: "alert", hidden: true });
const quiet = html("p", { class: "soft", id: "quiet" }, texts.text("status.measuring"));
const hold = html("button", { class: "button quiet", type: "button", id: "hold", "aria-pressed": "false" }, texts.text("status.hold"));
let isHeld = false;
hold.addEventListener("click", () => {
  isHeld = !isHeld;
  hold.setAttribute("aria-pressed", String(isHeld));
});

document.getElementById("main").append(html("div", { class: "page" },
  html("div", { class: "head" },
    html("div", {}, html("h1", {}, texts.text("status.title")), html("p", { class: "soft" }, texts.text("status.lead"))),
    hold),
  badge, wrong, html("div", { class: "graphs" }, graphs.map(({ element }) => element)), quiet,
  html("p", { class: "soft" }, html("a", { href: "/metrics" }, texts.text("status.numbers")))));
for (const { element } of graphs) element.hidden = true;
watchStatus(badge, words, texts);
showPage();

let before = null; // { samples, at }
look();

async function look() {
  if (!isHeld && document.visibilityState === "visible") await read();
  setTimeout(look, interval);
}

async function read() {
  let now;
  try {
    const reply = await fetch("/metrics", { cache: "no-store", signal: AbortSignal.timeout(timeoutMilliseconds) });
    if (!reply.ok) throw new Error(String(reply.status));
    now = { samples: parse(await reply.text()), at: performance.now() };
  } catch {
    wrong.textContent = texts.text("status.lost");
    wrong.hidden = false;
    for (const each of graphs) each.add(null);
    before = null;
    return;
  }
  wrong.hidden = true;
  show(now);
  if (before !== null) tellQuiet();
  before = now;
}

/** Hides the graphs in which nothing happened for five minutes, and names them instead. */
function tellQuiet() {
  for (const each of graphs) each.element.hidden = each.isQuiet;
  const names = graphs.filter(({ isQuiet }) => isQuiet).map(({ name }) => name);
  quiet.hidden = names.length === 0;
  quiet.textContent = texts.text("status.quiet", { names: new Intl.ListFormat(texts.language).format(names) });
}

function show({ samples, at }) {
  checks.add(sum(samples, "mien_checks_in_progress"));
  // This page's own request is one of them.
  underWay.add(Math.max(0, sum(samples, "mien_http_requests_in_flight") - 1));
  performances.add(sum(samples, "mien_performances_in_progress"));
  waiting.add(sum(samples, "mien_analyses_waiting"));
  // An unreachable database reports no queue.
  for (const [name, each] of queues) {
    const isTold = samples.some((sample) => sample.name === "mien_queue_depth");
    each.add(isTold ? sum(samples, "mien_queue_depth", ({ queue }) => queue === name) : null);
  }
  // A restarted server counts from zero.
  const grew = (name, fits) => sum(samples, name, fits) - sum(before.samples, name, fits);
  if (before === null || grew("mien_http_requests_total") < 0) {
    for (const each of [requests, answers, errors, frames, frameTime, database, files, models]) each.add(null);
    return;
  }
  const seconds = (at - before.at) / 1000;
  const own = (labels) => labels.route !== "/metrics" && labels.route !== "/health/ready";
  requests.add(grew("mien_http_requests_total", own) / seconds);
  errors.add(grew("mien_http_requests_total", (labels) => own(labels) && Object.values(labels).includes("5xx")) / seconds);
  frames.add(grew("mien_frames_total") / seconds);
  const within = (name, part, fits) => quantile(before.samples, samples, name, part, fits);
  answers.add(within("mien_http_request_duration_seconds", 0.5), within("mien_http_request_duration_seconds", 0.95));
  frameTime.add(within("mien_frame_duration_seconds", 0.5), within("mien_frame_duration_seconds", 0.95));
  database.add(within("mien_database_operation_duration_seconds", 0.5), within("mien_database_operation_duration_seconds", 0.95));
  files.add(within("mien_blob_operation_duration_seconds", 0.5), within("mien_blob_operation_duration_seconds", 0.95));
  const ofModels = ({ pool }) => pool === "models";
  models.add(within("mien_pool_wait_duration_seconds", 0.5, ofModels), within("mien_pool_wait_duration_seconds", 0.95, ofModels));
}
