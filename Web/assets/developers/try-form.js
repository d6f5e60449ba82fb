// Form that sends an operation of the API to this server, and shows the response.

import { html } from "../core/dom.js";

const timeoutMilliseconds = 30_000;
const longest = 20_000; // characters of a response that are shown

export class TryForm {
  #operation;
  #texts;
  #inputs;
  #body = null;
  #told = html("p", { class: "told", role: "status" });
  #answer = html("pre", { tabindex: "0", hidden: true }, html("code"));
  element;

  constructor(operation, texts) {
    this.#operation = operation;
    this.#texts = texts;
    const { id, parameters, body } = operation;
    const name = (each) => `try-${id}-${each}`.replace(/[^\w-]+/g, "-");
    this.#inputs = parameters.filter((each) => ["path", "query"].includes(each.in)).map((parameter) => {
      const input = html("input", { type: "text", id: name(parameter.name), autocomplete: "off", spellcheck: "false" });
      return { parameter, input };
    });
    const fields = this.#inputs.map(({ parameter, input }) => field(parameter.name, input));
    if (body?.isText) {
      this.#body = html("textarea", { id: name("body"), rows: Math.min(14, body.example.split("\n").length + 1), spellcheck: "false" });
      this.#body.value = body.example;
      fields.push(field(texts.text("developers.body"), this.#body));
    } else if (body) {
      this.#body = html("input", { type: "file", id: name("body") });
      fields.push(field(texts.text("developers.body"), this.#body));
    }
    const send = html("button", { class: "button quiet", type: "submit", lang: texts.language, dir: texts.direction }, texts.text("developers.send"));
    this.#answer.setAttribute("aria-label", texts.text("developers.responses"));
    this.#answer.setAttribute("role", "region");
    this.element = html("form", { class: "trial" }, fields, html("p", {}, send), this.#told, this.#answer);
    this.element.addEventListener("submit", async (event) => {
      event.preventDefault();
      send.disabled = true;
      await this.#send();
      send.disabled = false;
    });
  }

  async #send() {
    const { method, path } = this.#operation;
    const key = document.getElementById("key").value.trim();
    const headers = key ? { Authorization: `Bearer ${key}` } : {};
    this.#told.textContent = "";
    this.#answer.hidden = true;
    const began = performance.now();
    try {
      const reply = await fetch(this.#address(path), {
        method, headers: { ...headers, ...this.#type() }, body: this.#content(), cache: "no-store", credentials: "omit",
        signal: AbortSignal.timeout(timeoutMilliseconds),
      });
      const shown = await readable(reply);
      const took = Math.round(performance.now() - began);
      this.#told.textContent = this.#texts.text("developers.answer", { status: `${reply.status} ${reply.statusText}`.trim(), milliseconds: took });
      this.#answer.firstElementChild.textContent = shown;
      this.#answer.hidden = shown === "";
    } catch {
      this.#told.textContent = this.#texts.text("status.lost");
    }
  }

  #address(path) {
    let address = path;
    const query = new URLSearchParams();
    for (const { parameter, input } of this.#inputs) {
      const value = input.value.trim();
      if (parameter.in === "path") address = address.replace(`{${parameter.name}}`, encodeURIComponent(value));
      else if (value !== "") query.set(parameter.name, value);
    }
    // The server reads a plus sign literally, not as a space.
    const asked = String(query).replaceAll("+", "%20");
    return asked ? `${address}?${asked}` : address;
  }

  #type() {
    const { body } = this.#operation;
    return body && !body.type.startsWith("multipart/") && this.#content() !== null ? { "Content-Type": body.type } : {};
  }

  #content() {
    if (!this.#body) return null;
    if (this.#body.type === "file") return this.#body.files[0] ?? null;
    return this.#body.value.trim() || null;
  }
}

function field(words, input) {
  return html("p", { class: "text-field" }, html("label", { for: input.id }, words), input);
}

/** Returns the body of a response as text; of other content only its type and size. */
async function readable(reply) {
  const type = reply.headers.get("Content-Type") ?? "";
  if (type.includes("event-stream")) {
    await reply.body.cancel();
    return type;
  }
  if (!/json|text|xml/.test(type)) {
    const { size } = await reply.blob();
    return size === 0 ? "" : `${type}, ${size} B`;
  }
  const text = await reply.text();
  try {
    return JSON.stringify(JSON.parse(text), null, 2).slice(0, longest);
  } catch {
    return text.slice(0, longest);
  }
}
