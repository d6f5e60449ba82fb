// Webhooks and their deliveries.

import { html } from "../core/dom.js";
import { isReadOnly } from "../page/account.js";
import { showError } from "../page/error-banner.js";
import { json } from "../scan/api.js";
import { announce, button, heading } from "../scan/components.js";
import { errorMessage } from "../scan/format.js";
import { chip, code, facts, timeElement } from "./components.js";

const tones = { pending: "wait", delivered: "good", failed: "bad" };

export async function webhookList(texts) {
  const { webhooks } = await json("GET", "/v1/webhooks");
  const element = html("div", { class: "page" }, heading(texts.text("console.tab.webhooks")),
    webhooks.length === 0 ? html("p", { class: "soft" }, texts.text("console.webhook.none")) : []);
  const shown = webhooks.map((webhook) => new Deliveries(webhook, texts));
  element.append(...shown.map((each) => each.element));
  await Promise.all(shown.map((each) => each.look()));
  return { element, lists: ["webhooks"], look: () => Promise.all(shown.map((each) => each.look())) };
}

/** A webhook with its newest deliveries. */
class Deliveries {
  #webhook;
  #texts;
  #rows = html("ul", { class: "records" });
  #known = "";

  constructor(webhook, texts) {
    this.#webhook = webhook;
    this.#texts = texts;
    const { id, url, events, disabled_at: disabled, created_at: created } = webhook;
    const ping = button(`ping-${id}`, texts.text("console.webhook.ping"), () => this.#send("ping", "console.webhook.pinged"), "button quiet");
    ping.hidden = isReadOnly() || disabled !== undefined;
    this.element = html("section", { class: "block", "aria-labelledby": `url-${id}` },
      html("div", { class: "head" }, html("h2", { id: `url-${id}` }, html("bdi", { dir: "ltr" }, url)),
        chip(disabled ? "bad" : "good", texts.text(disabled ? "console.webhook.disabled" : "console.webhook.active"))),
      facts([[texts.text("console.webhook.events"), html("span", {}, events.flatMap((each, index) => [index ? ", " : "", code(each)]))],
        [texts.text("console.created"), timeElement(created, texts.locale)],
        [texts.text("console.webhook.disabled"), disabled && timeElement(disabled, texts.locale)]]),
      html("div", { class: "row" }, ping), html("h3", {}, texts.text("console.webhook.deliveries")), this.#rows);
  }

  async look() {
    try {
      const { messages } = await json("GET", `${this.#path}/messages`);
      const now = JSON.stringify(messages);
      if (now === this.#known) return;
      const focused = document.activeElement?.id;
      const rows = messages.map((message) => this.#row(message));
      this.#rows.replaceChildren(...(rows.length ? rows : [html("li", {}, this.#texts.text("console.none"))]));
      if (focused) document.getElementById(focused)?.focus();
      this.#known = now;
    } catch (error) {
      showError(errorMessage(error, this.#texts));
    }
  }

  get #path() {
    return `/v1/webhooks/${encodeURIComponent(this.#webhook.id)}`;
  }

  #row(message) {
    const texts = this.#texts;
    const { id, event, check, state, attempts, last_result: last, created_at: created, next_at: next } = message;
    const details = [timeElement(created, texts.locale), texts.text("console.delivery.attempts", { number: attempts }),
      last && texts.text("console.delivery.last", { code: last }), next && [texts.text("console.delivery.next"), " ", timeElement(next, texts.locale)]]
      .filter(Boolean);
    const again = button(`resend-${id}`, texts.text("console.delivery.resend"),
      () => this.#send(`messages/${encodeURIComponent(id)}/resend`, "console.delivery.resent"), "plain");
    again.setAttribute("aria-label", `${texts.text("console.delivery.resend")}: ${id}`);
    again.hidden = isReadOnly() || state === "pending" || this.#webhook.disabled_at !== undefined;
    return html("li", { "data-id": id, "data-state": state },
      html("div", { class: "what" }, html("p", {}, code(event), " ",
        check ? html("a", { href: `#checks/${encodeURIComponent(check)}` }, texts.text("console.capture.check")) : []),
      html("p", { class: "soft" }, details.flatMap((each, index) => [index ? " · " : "", html("bdi", {}, each)].flat()))),
      chip(tones[state], texts.text(`console.delivery.${state}`)), html("div", { class: "row" }, again));
  }

  async #send(action, messageKey) {
    try {
      await json("POST", `${this.#path}/${action}`);
      announce(this.#texts.text(messageKey));
      await this.look();
    } catch (error) {
      showError(errorMessage(error, this.#texts));
    }
  }
}
