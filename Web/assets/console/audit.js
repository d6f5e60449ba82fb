// Entries of the audit log about a record.

import { html } from "../core/dom.js";
import { json, query } from "../scan/api.js";
import { section } from "../scan/components.js";
import { errorMessage } from "../scan/format.js";
import { code, table, textOrCode, textWithElements, timeElement } from "./components.js";

export function auditSection(kind, id, texts) {
  const place = html("div", {});
  const column = (name) => texts.text(`console.audit.${name}`);
  json("GET", `/v1/audit?${query({ about: `${kind}/${id}` })}`).then(({ entries }) => {
    place.replaceChildren(entries.length === 0 ? html("p", { class: "soft" }, column("none"))
      : table("audit", [column("time"), column("action"), column("actor")], entries.map(({ at, action, actor }) => [
        timeElement(at, texts.locale), textOrCode("console.action", action, texts), actorText(actor, texts)])));
  }, (error) => {
    // A key without the scope cannot read the log.
    place.replaceChildren(html("p", { class: "soft" }, errorMessage(error, texts)));
  });
  return section("audit", texts.text("console.audit"), place);
}

/** Describes the actor, with the ID of a key or user; other IDs are digests, which mean nothing to people. */
function actorText(actor, texts) {
  const [kind, ...rest] = actor.startsWith("key_") ? ["key", actor] : actor.split("/");
  const key = `console.actor.${kind}`;
  return texts.has(key) ? textWithElements(key, { id: code(rest.join("/")) }, texts) : code(actor);
}
