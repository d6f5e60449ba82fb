// Reads an OpenAPI 3.1 document as far as a reference needs it: operations by tag, parameters, and examples of bodies.

const methods = ["get", "post", "put", "patch", "delete"];
const deepest = 6;

/** Returns the operations by tag: `[{ tag, operations: [{ id, method, path, summary, description, parameters, body, responses }] }]`. */
export function operationsByTag(document) {
  const groups = new Map();
  for (const [path, item] of Object.entries(document.paths)) {
    for (const method of methods.filter((name) => name in item)) {
      const given = item[method];
      const tag = given.tags?.[0] ?? path.split("/")[2] ?? "other";
      if (!groups.has(tag)) groups.set(tag, []);
      groups.get(tag).push({
        id: given.operationId ?? `${method} ${path}`, method: method.toUpperCase(), path,
        summary: given.summary ?? "", description: given.description ?? "",
        parameters: [...(item.parameters ?? []), ...(given.parameters ?? [])].map((each) => resolved(document, each)),
        body: bodyOf(document, given.requestBody), responses: responsesOf(document, given.responses),
        isOpen: (given.security ?? document.security ?? []).every((each) => Object.keys(each).length === 0),
      });
    }
  }
  return [...groups].map(([tag, operations]) => ({ tag, operations }));
}

function bodyOf(document, given) {
  if (!given) return null;
  const body = resolved(document, given);
  const [type, media] = Object.entries(body.content ?? {})[0] ?? [];
  if (!type) return null;
  const isText = type.endsWith("json");
  return {
    type, isText, isRequired: body.required === true, description: body.description ?? "",
    fields: isText ? fieldsOf(document, media.schema) : [],
    example: isText ? JSON.stringify(media.example ?? exampleOf(document, media.schema, true), null, 2) : "",
  };
}

function responsesOf(document, given = {}) {
  return Object.entries(given).map(([status, each]) => {
    const response = resolved(document, each);
    const [type, media] = Object.entries(response.content ?? {})[0] ?? [];
    const example = type?.endsWith("json") && !type.includes("problem")
      ? JSON.stringify(media.example ?? exampleOf(document, media.schema), null, 2) : "";
    return { status, description: response.description ?? "", type: type ?? "", example };
  });
}

/** Returns the members of an object: `[{ name, type, isRequired, description }]`. */
function fieldsOf(document, schema) {
  const { properties = {}, required = [] } = resolved(document, schema ?? {});
  return Object.entries(properties).map(([name, each]) => ({
    name, type: typeOf(document, each), isRequired: required.includes(name), description: resolved(document, each).description ?? "",
  }));
}

/** Returns the type of a schema in words: `string`, `array of object`, or its permitted values. */
export function typeOf(document, schema) {
  const found = resolved(document, schema ?? {});
  if ("const" in found) return JSON.stringify(found.const);
  if (found.enum) return found.enum.map((value) => JSON.stringify(value)).join(" | ");
  const choices = found.oneOf ?? found.anyOf;
  if (choices) return [...new Set(choices.map((each) => typeOf(document, each)))].join(" | ");
  const type = [found.type ?? "any"].flat().join(" | ");
  return type === "array" ? `array of ${typeOf(document, found.items)}` : type;
}

/** Returns a value that a schema permits; of an object for a request only the required members. */
function exampleOf(document, schema, isRequest = false, depth = 0) {
  const found = resolved(document, schema ?? {});
  if ("example" in found) return found.example;
  if (found.examples?.length > 0) return found.examples[0];
  if ("const" in found) return found.const;
  if ("default" in found) return found.default;
  if (found.enum) return found.enum[0];
  const choices = found.oneOf ?? found.anyOf ?? found.allOf;
  if (choices) return exampleOf(document, choices[0], isRequest, depth);
  const type = [found.type].flat()[0];
  if (type === "object" || found.properties) {
    if (depth >= deepest) return {};
    const members = Object.entries(found.properties ?? {}).filter(([name]) => !isRequest || found.required?.includes(name));
    return Object.fromEntries(members.map(([name, each]) => [name, exampleOf(document, each, isRequest, depth + 1)]));
  }
  if (type === "array") return depth >= deepest || !found.items ? [] : [exampleOf(document, found.items, isRequest, depth + 1)];
  if (type === "integer" || type === "number") return found.minimum ?? 0;
  if (type === "boolean") return false;
  if (type === "null") return null;
  return { "date-time": "2026-01-31T12:00:00Z", uri: location.origin }[found.format] ?? "…";
}

/** Follows references within the document. */
function resolved(document, value) {
  let found = value;
  for (let steps = 0; found?.$ref && steps < 10; steps += 1) {
    const place = found.$ref.split("/").slice(1).map((part) => part.replaceAll("~1", "/").replaceAll("~0", "~"));
    const target = place.reduce((object, part) => object?.[part], document);
    const { $ref, ...own } = found;
    found = { ...target, ...own };
  }
  return found ?? {};
}
