"""Renders the OpenAPI description as a page of the documentation site."""

import html
import json
import pathlib

from markdown_it import MarkdownIt

MARKDOWN = MarkdownIt("commonmark", {"html": False}).enable("table")
METHODS = ("get", "head", "post", "put", "patch", "delete", "options")


def prose(text):
    return MARKDOWN.render(text or "")


def inline(text):
    return MARKDOWN.renderInline((text or "").replace("\n", " "))


class Reference:
    """The page of all operations and schemas."""

    title = "API reference"
    address = "api.html"
    base = ""
    source = pathlib.Path("Web/openapi.json")
    description = "Every operation of the HTTP API of Mien, with parameters, bodies and replies."

    def __init__(self, document):
        self.document = document
        self.schemas = document["components"]["schemas"]
        self.headings = [(1, "api-reference", self.title)]
        for tag in document["tags"]:
            self.headings.append((2, f"tag-{tag['name']}", tag["name"].capitalize()))
            self.headings += [(3, operation["operationId"], operation["summary"]) for _, _, operation in self.operations(tag["name"])]
        self.headings.append((2, "schemas", "Schemas"))
        self.anchors = {name for _, name, _ in self.headings}

    def operations(self, tag):
        for path, item in self.document["paths"].items():
            for method in METHODS:
                if method in item and item[method].get("tags", [""])[0] == tag:
                    yield method, path, item[method]

    def sections(self):
        for tag in self.document["tags"]:
            for method, path, operation in self.operations(tag["name"]):
                yield operation["summary"], operation["operationId"], f"{method.upper()} {path} {operation.get('description', '')}"
        for name, schema in self.schemas.items():
            yield name, f"schema-{name}", schema.get("description", "") + " " + " ".join(schema.get("properties", {}))

    def type(self, schema):
        """Returns a type in words: a link to a schema, or the kind of value with its range."""
        if "$ref" in schema:
            name = schema["$ref"].rsplit("/", 1)[1]
            return f'<a href="#schema-{name}">{name}</a>'
        for key, word in (("oneOf", " or "), ("anyOf", " or "), ("allOf", " and ")):
            if key in schema:
                return word.join(self.type(part) for part in schema[key])
        if "const" in schema:
            return f"<code>{html.escape(json.dumps(schema['const']))}</code>"
        if "enum" in schema:
            return " or ".join(f"<code>{html.escape(json.dumps(value))}</code>" for value in schema["enum"])
        kind = schema.get("type", "any value")
        if isinstance(kind, list):
            return " or ".join(self.type({**schema, "type": each}) for each in kind)
        if kind == "array":
            return f"list of {self.type(schema.get('items', {}))}"
        if schema.get("format"):
            kind += f" ({html.escape(schema['format'])})"
        least, most = (schema.get(name, schema.get(other)) for name, other in (("minimum", "minLength"), ("maximum", "maxLength")))
        if least is not None or most is not None:
            unit = " characters" if "minLength" in schema or "maxLength" in schema else ""
            kind += f", {'' if least is None else f'{least:g}'}…{'' if most is None else f'{most:g}'}{unit}"
        return kind

    def members(self, schema):
        rows = []
        required = schema.get("required", [])
        for name, member in schema.get("properties", {}).items():
            needed = "" if name in required else " <small>optional</small>"
            rows.append(f"<tr><th scope=row><code>{html.escape(name)}</code>{needed}</th><td>{self.type(member)}</td>"
                        f"<td>{inline(member.get('description'))}</td></tr>")
        if not rows:
            return ""
        return ('<div class="scroll" tabindex="0"><table><thead><tr><th>Member</th><th>Type</th><th>Meaning</th></tr></thead>'
                f"<tbody>{''.join(rows)}</tbody></table></div>")

    def parameters(self, item):
        rows = []
        for parameter in item:
            if "$ref" in parameter:
                parameter = self.document["components"]["parameters"][parameter["$ref"].rsplit("/", 1)[1]]
            needed = "" if parameter.get("required") else " <small>optional</small>"
            rows.append(f"<tr><th scope=row><code>{html.escape(parameter['name'])}</code>{needed}</th><td>{parameter['in']}</td>"
                        f"<td>{self.type(parameter.get('schema', {}))}</td><td>{inline(parameter.get('description'))}</td></tr>")
        if not rows:
            return ""
        return ('<div class="scroll" tabindex="0"><table><thead><tr><th>Parameter</th><th>In</th><th>Type</th><th>Meaning</th></tr></thead>'
                f"<tbody>{''.join(rows)}</tbody></table></div>")

    def operation(self, method, path, operation):
        parts = [f'<section class="operation"><h3 id="{operation["operationId"]}">{html.escape(operation["summary"])} '
                 f'<a class="anchor" href="#{operation["operationId"]}" aria-label="Link to this section">#</a></h3>',
                 f'<p class="request"><strong class="{method}">{method.upper()}</strong> <code>{html.escape(path)}</code></p>',
                 prose(operation.get("description"))]
        shared = self.document["paths"][path].get("parameters", [])
        parts.append(self.parameters(shared + operation.get("parameters", [])))
        for kind, content in operation.get("requestBody", {}).get("content", {}).items():
            parts.append(f"<p>Body: {self.type(content.get('schema', {}))} as <code>{html.escape(kind)}</code></p>")
        rows = []
        for status, reply in operation["responses"].items():
            bodies = ", ".join(f"{self.type(content['schema'])}" for content in reply.get("content", {}).values() if "schema" in content)
            rows.append(f"<tr><th scope=row>{status}</th><td>{inline(reply.get('description'))}</td><td>{bodies}</td></tr>")
        parts.append('<div class="scroll" tabindex="0"><table><thead><tr><th>Status</th><th>Meaning</th><th>Body</th></tr></thead>'
                     f"<tbody>{''.join(rows)}</tbody></table></div></section>")
        return "".join(parts)

    def body(self):
        info = self.document["info"]
        parts = [f'<h1 id="api-reference">{self.title}</h1>', prose(info.get("description")),
                 '<p>The same as a file for tools: <code>/openapi.json</code> on your server.</p>']
        for tag in self.document["tags"]:
            parts.append(f'<h2 id="tag-{tag["name"]}">{tag["name"].capitalize()}</h2>{prose(tag.get("description"))}')
            parts += [self.operation(*entry) for entry in self.operations(tag["name"])]
        parts.append('<h2 id="schemas">Schemas</h2>')
        for name, schema in self.schemas.items():
            parts.append(f'<section><h3 id="schema-{name}">{name}</h3>{prose(schema.get("description"))}')
            parts.append(self.members(schema) or f"<p>{self.type(schema)}</p>")
            parts.append("</section>")
        return "\n".join(parts)
