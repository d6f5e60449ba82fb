// The API reference, rendered from the OpenAPI document of this server, with a form to try each operation.

import { html } from "../core/dom.js";
import { operationsByTag, typeOf } from "./openapi.js";
import { TryForm } from "./try-form.js";

const searchDelay = 250; // milliseconds after the last keystroke of a search

/** Loads the document and shows its operations; the rest of the page works without it. */
export async function showReference(texts) {
  const place = document.getElementById("operations");
  let described;
  try {
    const reply = await fetch("/openapi.json");
    if (!reply.ok) throw new Error(String(reply.status));
    described = await reply.json();
  } catch {
    place.replaceChildren(html("p", { class: "wrong" }, texts.text("status.lost")));
    return;
  }
  const groups = operationsByTag(described).map(({ tag, operations }) => {
    const rows = operations.map((operation) => ({ operation, element: row(operation, described, texts) }));
    // The document is in English in every language of the page.
    const element = html("details", { class: "group", lang: "en", dir: "ltr" },
      html("summary", {}, html("h3", {}, title(tag)), html("span", { class: "type" }, String(operations.length))), rows.map((each) => each.element));
    return { element, rows };
  });
  place.replaceChildren(...groups.map(({ element }) => element));
  watchSearch(groups, texts);
}

function watchSearch(groups, texts) {
  const find = document.getElementById("find");
  const found = document.getElementById("found");
  let timer = 0;
  document.getElementById("try").addEventListener("submit", (event) => event.preventDefault());
  find.addEventListener("input", () => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      const words = find.value.toLowerCase().split(/\s+/).filter(Boolean);
      let count = 0;
      for (const { element, rows } of groups) {
        let shown = 0;
        for (const { operation, element: row } of rows) {
          const text = `${operation.method} ${operation.path} ${operation.summary}`.toLowerCase();
          row.hidden = !words.every((word) => text.includes(word));
          shown += row.hidden ? 0 : 1;
        }
        element.hidden = shown === 0;
        element.open = words.length > 0;
        count += shown;
      }
      found.textContent = texts.text("developers.found", { number: count });
      found.classList.toggle("visually-hidden", count > 0);
    }, searchDelay);
  });
}

/** Builds an operation that unfolds; its parts are built when it is opened first. */
function row(operation, described, texts) {
  const { method, path, summary } = operation;
  const element = html("details", { class: "operation", "data-method": method },
    html("summary", {}, html("span", { class: "method" }, method), html("code", {}, path), html("span", { class: "summary" }, summary)));
  element.addEventListener("toggle", () => {
    if (element.open && element.childElementCount === 1) element.append(details(operation, described, texts));
  });
  return element;
}

function details(operation, described, texts) {
  const { description, parameters, body, responses } = operation;
  const part = (key) => html("h4", { lang: texts.language, dir: texts.direction }, texts.text(`developers.${key}`));
  return html("div", { class: "details" },
    paragraphs(description),
    parameters.length > 0 ? [part("parameters"), table(parameters.map(({ name, in: place, required, schema, description: text }) => (
      { name, type: `${place}, ${typeOf(described, schema)}`, isRequired: required, description: text ?? schema?.description ?? "" })), texts)] : [],
    body ? [part("body"), html("p", {}, html("code", {}, body.type)), paragraphs(body.description), body.fields.length > 0 ? table(body.fields, texts) : []].flat() : [],
    part("responses"),
    html("ul", { class: "responses" }, responses.map(({ status, description: text, type, example }) => html("li", {},
      html("p", {}, html("strong", {}, status), " ", plain(text), type ? [" ", html("code", {}, type)] : []),
      example ? html("pre", { tabindex: "0", role: "region", "aria-label": `${status} ${operation.id}` }, html("code", {}, example)) : []))),
    new TryForm(operation, texts).element);
}

function table(fields, texts) {
  return html("ul", { class: "fields" }, fields.map(({ name, type, isRequired, description }) => html("li", {},
    html("p", {}, html("code", {}, name), " ", html("span", { class: "type" }, type),
      isRequired ? [" ", html("span", { class: "required", lang: texts.language, dir: texts.direction }, texts.text("developers.required"))] : []),
    description ? html("p", {}, plain(description)) : [])));
}

function paragraphs(text) {
  return text.split(/\n\n+/).filter(Boolean).map((each) => html("p", {}, plain(each)));
}

/** Returns the parts of a text in Markdown: words between backquotes are code, and links are their text. */
function plain(text) {
  return text.replace(/\[([^\]]+)\]\([^)]+\)/g, "$1").split("`").map((part, index) => (index % 2 === 1 ? html("code", {}, part) : part));
}

/** Returns a tag as a heading: `people-and-templates` is `People and templates`. */
function title(tag) {
  const words = tag.replaceAll("-", " ");
  return words[0].toUpperCase() + words.slice(1);
}
