// List of captured photos. Each links to its verification page.

import { html } from "../core/dom.js";
import { isReadOnly } from "../page/account.js";
import { confirmAction } from "../page/confirm-dialog.js";
import { json } from "../scan/api.js";
import { announce, button } from "../scan/components.js";
import { bytes, errorMessage } from "../scan/format.js";
import { showError } from "../page/error-banner.js";
import { chip, dateTime } from "./components.js";
import { choice, dayInputs, RecordList } from "./record-list.js";

const states = ["queued", "analyzed", "hash-only"];

export function captureList(texts) {
  const list = new RecordList(texts, {
    title: texts.text("console.tab.captures"), path: "/v1/captures", member: "captures",
    columns: ["id", "state", "received_at", "check", "bytes", "photo_type", "has_depth", "has_motion", "is_signed"],
    inputs: [
      ["check", texts.text("console.search.captures"), html("input", { type: "search", autocomplete: "off", spellcheck: "false", maxlength: 64 })],
      ["state", texts.text("scan.state"), choice(texts, states, (state) => texts.text(`console.capture.${state}`))],
      ...dayInputs(texts),
    ],
    row: (capture) => row(capture, texts, () => erase(capture.id, texts, list)),
  });
  return list.start();
}

function row(capture, texts, remove) {
  const { id, state, check, bytes: size, received_at: received } = capture;
  const details = [dateTime(received, texts.locale), bytes(size, texts.locale),
    capture.has_depth && texts.text("console.capture.depth"), capture.has_motion && texts.text("console.capture.motion"),
    capture.is_signed && texts.text("console.capture.signed")].filter(Boolean);
  const actions = [];
  if (check && check !== "") actions.push(html("a", { href: `#checks/${encodeURIComponent(check)}` }, texts.text("console.capture.check")));
  if (!isReadOnly()) {
    const made = button(null, texts.text("scan.erase"), remove, "plain");
    made.removeAttribute("id");
    made.setAttribute("aria-label", `${texts.text("scan.erase")}: ${id}`);
    made.dataset.action = "erase";
    actions.push(made);
  }
  return html("li", { "data-state": state },
    html("div", { class: "what" },
      html("a", { href: `/verify/${id}` }, html("bdi", {}, html("code", { dir: "ltr" }, id))),
      html("p", { class: "soft" }, details.flatMap((each, index) => [index ? " · " : "", html("bdi", {}, each)]))),
    chip(state === "analyzed" ? "good" : "plain", texts.text(`console.capture.${state}`)),
    actions.length > 0 ? html("div", { class: "row" }, actions) : []);
}

async function erase(id, texts, list) {
  if (!(await confirmAction(texts.text("console.capture.sure"), texts.text("scan.erase"), texts.text("scan.keep")))) return;
  try {
    await json("DELETE", `/v1/captures/${encodeURIComponent(id)}`);
    list.remove(id);
    announce(texts.text("console.erased"));
    document.getElementById("title").focus();
  } catch (error) {
    showError(errorMessage(error, texts));
  }
}
