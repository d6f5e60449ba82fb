"""Renders what DocC made of the library products as pages of the documentation site.

DocC resolves the links between symbols and checks the documentation; its archive holds one JSON file for each symbol. Here each module and
each type becomes a page, with its members as sections, readable without JavaScript.
"""

import html
import json
import pathlib
import re

# Conformances that the compiler adds to almost every type.
SILENT = {"Swift.Copyable", "Swift.Escapable", "Swift.SendableMetatype"}
# Sections that repeat what is documented elsewhere.
SKIPPED = {"Default Implementations"}
# IDs of template.html.
TEMPLATE_IDS = {"main", "query", "found"}
TYPES = {"module", "struct", "class", "enum", "protocol", "extension", "extendedModule", "extendedStructure", "extendedClass",
         "extendedEnumeration", "extendedProtocol", "unknownExtendedType"}


def slug(text):
    return re.sub(r"\W+", "-", text).strip("-").lower() or "operator"


class Symbol:
    """A symbol as DocC describes it."""

    def __init__(self, document):
        self.document = document
        self.id = document["identifier"]["url"]
        self.references = document["references"]
        self.title = document["metadata"]["title"]
        self.kind = document["metadata"].get("symbolKind", "")
        self.path = document["variants"][0]["paths"][0].removeprefix("/documentation/")

    @property
    def is_page(self):
        return self.kind in TYPES

    def part(self, kind):
        return next((each for each in self.document.get("primaryContentSections", []) if each["kind"] == kind), None)


class SwiftPage:
    """The page of a module or a type."""

    source = None

    def __init__(self, symbol):
        self.symbol = symbol
        self.address = f"swift/{symbol.path}.html"
        self.base = "../" * self.address.count("/")
        self.title = symbol.title
        self.headings = [(1, slug(symbol.title), symbol.title)]
        self.description = plain(symbol.document.get("abstract", []), symbol.references) or f"{symbol.title} of Mien's Swift API."


def plain(inline, references):
    """Returns inline content as text without markup."""
    parts = []
    for each in inline:
        kind = each["type"]
        if kind == "reference":
            parts.append(references.get(each["identifier"], {}).get("title", ""))
        else:
            parts.append(each.get("text") or each.get("code") or plain(each.get("inlineContent", []), references))
    return "".join(parts)


class SwiftReference:
    """All pages of a DocC archive."""

    def __init__(self, archive):
        self.symbols = {}
        for file in sorted(pathlib.Path(archive, "data/documentation").rglob("*.json")):
            document = json.loads(file.read_text())
            if document["kind"] == "symbol":
                symbol = Symbol(document)
                self.symbols[symbol.id] = symbol
        self.pages = {symbol.id: SwiftPage(symbol) for symbol in self.symbols.values() if symbol.is_page}
        self.modules = [page for page in self.pages.values() if page.symbol.kind == "module"]
        self.places = {}
        for page in self.pages.values():
            self.places[page.symbol.id] = (page, "")
            for _, members in self.sections(page.symbol):
                self.place_members(page, members)

    def place_members(self, page, members):
        known = TEMPLATE_IDS | {name for _, name, _ in page.headings}
        for member in members:
            if member.id in self.pages:
                continue
            name = unique = slug(member.title)
            number = 1
            while unique in known:
                number += 1
                unique = f"{name}-{number}"
            known.add(unique)
            page.headings.append((3, unique, member.title))
            self.places[member.id] = (page, unique)

    def sections(self, symbol):
        """Yields the groups of a symbol's members."""
        for section in symbol.document.get("topicSections", []):
            members = [self.symbols[each] for each in section["identifiers"] if each in self.symbols]
            if section["title"] not in SKIPPED and members:
                yield section["title"], members

    def link(self, page, identifier):
        """Returns the address of a symbol relative to a page; `None` for symbols of other packages."""
        place = self.places.get(identifier)
        if place is None:
            return None
        target, name = place
        return ("" if target is page else page.base + target.address) + (f"#{name}" if name else "" if target is not page else "#main")

    def inline(self, page, content, references):
        parts = []
        for each in content:
            kind = each["type"]
            if kind == "text":
                parts.append(html.escape(each["text"]))
            elif kind == "codeVoice":
                parts.append(f"<code>{html.escape(each['code'])}</code>")
            elif kind == "reference":
                found = references.get(each["identifier"], {})
                title = found.get("title", each["identifier"].rsplit("/", 1)[-1])
                address = found["url"] if found.get("type") == "link" else self.link(page, each["identifier"])
                # A link to a web page is text, a link to a symbol is code.
                text = html.escape(title) if found.get("type") == "link" else f"<code>{html.escape(title)}</code>"
                parts.append(f'<a href="{html.escape(address)}">{text}</a>' if address else text)
            elif kind in ("emphasis", "strong", "superscript", "subscript", "newTerm"):
                tag = {"emphasis": "em", "strong": "strong", "superscript": "sup", "subscript": "sub", "newTerm": "dfn"}[kind]
                parts.append(f"<{tag}>{self.inline(page, each['inlineContent'], references)}</{tag}>")
            else:
                raise ValueError(f"{page.title}: DocC's inline content {kind} is not known")
        return "".join(parts)

    def blocks(self, page, content, references):
        parts = []
        for each in content:
            kind = each["type"]
            if kind == "paragraph":
                parts.append(f"<p>{self.inline(page, each['inlineContent'], references)}</p>")
            elif kind == "heading":
                # DocC's own heading of the text after the abstract.
                if each["text"] not in ("Overview", "Discussion"):
                    parts.append(f"<p><strong>{html.escape(each['text'])}</strong></p>")
            elif kind == "codeListing":
                code = html.escape("\n".join(each["code"]))
                parts.append(f'<pre tabindex="0"><code>{code}</code></pre>')
            elif kind in ("unorderedList", "orderedList"):
                tag = "ul" if kind == "unorderedList" else "ol"
                items = "".join(f"<li>{self.blocks(page, item['content'], references)}</li>" for item in each["items"])
                parts.append(f"<{tag}>{items}</{tag}>")
            elif kind == "aside":
                body = self.blocks(page, each["content"], references)
                parts.append(f"<blockquote><p><strong>{html.escape(each.get('name') or each['style'].capitalize())}</strong></p>{body}</blockquote>")
            elif kind == "table":
                rows = [[self.blocks(page, cell, references) for cell in row] for row in each["rows"]]
                head = "".join(f"<th>{cell}</th>" for cell in rows[0])
                body = "".join(f"<tr>{''.join(f'<td>{cell}</td>' for cell in row)}</tr>" for row in rows[1:])
                parts.append(f'<div class="scroll" tabindex="0"><table><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table></div>')
            else:
                raise ValueError(f"{page.title}: DocC's block {kind} is not known")
        return "".join(parts)

    def declaration(self, page, symbol):
        declared = symbol.part("declarations")
        if not declared:
            return ""
        parts = []
        for token in declared["declarations"][0]["tokens"]:
            text = html.escape(token["text"])
            address = self.link(page, token["identifier"]) if token.get("identifier") else None
            parts.append(f'<a href="{address}">{text}</a>' if address else text)
        return f'<pre tabindex="0"><code>{"".join(parts)}</code></pre>'

    def text(self, page, symbol):
        """Returns everything that is written about a symbol."""
        references = symbol.references
        parts = [self.declaration(page, symbol)]
        if abstract := symbol.document.get("abstract"):
            parts.append(f"<p>{self.inline(page, abstract, references)}</p>")
        if described := symbol.part("parameters"):
            rows = "".join(f"<dt><code>{html.escape(each['name'])}</code></dt><dd>{self.blocks(page, each['content'], references)}</dd>"
                           for each in described["parameters"])
            parts.append(f"<dl>{rows}</dl>")
        for section in symbol.document.get("primaryContentSections", []):
            if section["kind"] == "content":
                # The section "Return Value" has a heading of this name.
                parts.append(self.blocks(page, section["content"], references))
        return "".join(parts)

    def conformances(self, page, symbol):
        names = []
        for section in symbol.document.get("relationshipsSections", []):
            if section["type"] != "conformsTo":
                continue
            for identifier in section["identifiers"]:
                title = symbol.references.get(identifier, {}).get("title", "")
                if title and title not in SILENT:
                    address = self.link(page, identifier)
                    code = f"<code>{html.escape(title.removeprefix('Swift.'))}</code>"
                    names.append(f'<a href="{address}">{code}</a>' if address else code)
        return f"<p>Conforms to {', '.join(names)}.</p>" if names else ""

    def parents(self, page):
        links = [f'<a href="{page.base}swift.html">Swift API</a>']
        for identifier in page.symbol.document.get("hierarchy", {}).get("paths", [[]])[0]:
            if identifier in self.pages:
                links.append(f'<a href="{page.base}{self.pages[identifier].address}">{html.escape(self.pages[identifier].title)}</a>')
        return f"<p>{' › '.join(links)}</p>"

    def body(self, page):
        symbol = page.symbol
        parts = [self.parents(page), f'<h1 id="{slug(symbol.title)}">{html.escape(symbol.title)}</h1>', self.text(page, symbol),
                 self.conformances(page, symbol)]
        for title, members in self.sections(symbol):
            parts.append(f"<h2>{html.escape(title)}</h2>")
            for member in members:
                if member.id in self.pages:
                    abstract = self.inline(page, member.document.get("abstract", []), member.references)
                    parts.append(f'<p><a href="{self.link(page, member.id)}"><code>{html.escape(member.title)}</code></a> {abstract}</p>')
                else:
                    _, name = self.places[member.id]
                    parts.append(f'<section class="operation"><h3 id="{name}"><code>{html.escape(member.title)}</code> '
                                 f'<a class="anchor" href="#{name}" aria-label="Link to this section">#</a></h3>'
                                 f"{self.text(page, member)}</section>")
        return "\n".join(parts)

    def overview(self):
        """Returns the page that lists the modules."""
        return Overview(self)

    def index(self):
        """Yields entries of the search: address, page, heading, anchor, and text."""
        for identifier, (page, name) in self.places.items():
            symbol = self.symbols[identifier]
            yield [page.address, page.title, symbol.title, name, plain(symbol.document.get("abstract", []), symbol.references)]


class Overview:
    """The first page of the Swift API."""

    source = None
    title = "Swift API"
    address = "swift.html"
    base = ""
    description = "Every public type and function of Mien's Swift libraries."

    def __init__(self, reference):
        self.reference = reference
        self.headings = [(1, "swift-api", self.title)]

    def body(self):
        rows = []
        for page in self.reference.modules:
            count = sum(1 for each, _ in self.reference.places.values() if each.address.startswith(page.address.removesuffix(".html") + "/"))
            rows.append(f'<tr><th scope=row><a href="{page.address}"><code>{page.title}</code></a></th><td>{count}</td></tr>')
        return (f'<h1 id="swift-api">{self.title}</h1><p>{self.description} '
                '<a href="architecture.html">Architecture</a> says what each module is for, and the '
                '<a href="guides/swiftsdk.html">Swift SDK guide</a> shows how an app uses the client.</p>'
                '<div class="scroll" tabindex="0"><table><thead><tr><th>Module</th><th>Documented symbols</th></tr></thead>'
                f'<tbody>{"".join(rows)}</tbody></table></div>')
