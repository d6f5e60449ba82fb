"""Builds the documentation site: Markdown in Documentation/ and Web/openapi.json to static pages that need no JavaScript.

The pages link to each other by relative paths, so that they can be served below any path or opened from disk. A link or an anchor that
does not exist, and a document that the navigation does not list, are errors.
"""

import argparse
import html
import json
import os
import pathlib
import re
import shutil
import string
import sys

from markdown_it import MarkdownIt

import api
import swift_api

SITE = pathlib.Path(__file__).resolve().parent
DOCUMENTS = SITE.parent
ROOT = DOCUMENTS.parent
# Files outside Documentation/ that are pages as well.
OTHERS = {
    ROOT / "README.md": "index.html", ROOT / "CONTRIBUTING.md": "contributing.html", ROOT / "SECURITY.md": "security.html",
    ROOT / "CHANGELOG.md": "changelog.html", ROOT / "CODE_OF_CONDUCT.md": "code-of-conduct.html",
    ROOT / "Clients/python/README.md": "clients/python.html", ROOT / "Clients/element/README.md": "clients/element.html",
}


def anchor(title):
    """Returns the anchor of a heading as GitHub generates it."""
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


class Page:
    """A Markdown document and its place on the site."""

    def __init__(self, source, address):
        self.source, self.address = source, address
        self.base = "../" * address.count("/")
        self.tokens = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"]).parse(source.read_text())
        self.headings = []
        known = set()
        for token, inline in zip(self.tokens, self.tokens[1:]):
            if token.type != "heading_open":
                continue
            title = "".join(child.content for child in inline.children if child.type in ("text", "code_inline"))
            name = unique = anchor(re.sub(r"[`*]", "", inline.content) if "](" not in inline.content else title)
            number = 0
            while unique in known:
                number += 1
                unique = f"{name}-{number}"
            known.add(unique)
            token.attrSet("id", unique)
            self.headings.append((int(token.tag[1]), unique, title))
        self.anchors = known
        self.title = next((title for level, _, title in self.headings if level == 1), source.stem)

    @property
    def description(self):
        """Returns the text of the first paragraph, at most 160 characters."""
        for token, inline in zip(self.tokens, self.tokens[1:]):
            if token.type == "paragraph_open" and token.level == 0:
                text = "".join(child.content if child.type != "softbreak" else " " for child in inline.children)
                return text if len(text) <= 160 else text[:157].rsplit(" ", 1)[0] + "…"
        return self.title

    def sections(self):
        """Yields heading, anchor and plain text of each section, for the search."""
        heading, name, text = self.title, "", []
        for index, token in enumerate(self.tokens):
            if token.type == "heading_open":
                if text:
                    yield heading, name, " ".join(text)
                heading, name, text = self.tokens[index + 1].content.replace("`", ""), token.attrGet("id"), []
            elif token.type in ("fence", "code_block"):
                text.append(token.content)
            elif token.type == "inline" and self.tokens[index - 1].type != "heading_open":
                text.append("".join(child.content or " " for child in token.children))
        if text:
            yield heading, name, " ".join(text)


class Site:
    def __init__(self, archive=None):
        """Reads the documents, and DocC's archive of the Swift API if there is one."""
        self.problems = []
        self.swift = swift_api.SwiftReference(archive) if archive else None
        self.groups = []
        listed = []
        for group in json.loads((SITE / "navigation.json").read_text()):
            files = [DOCUMENTS / name for name in group.get("pages", [])]
            files += sorted((DOCUMENTS / group["folder"]).glob("*.md")) if "folder" in group else []
            pages = []
            for file in files:
                if not file.exists():
                    self.problems.append(f"navigation.json lists {file.relative_to(ROOT)}, which does not exist")
                    continue
                pages.append(Page(file, file.relative_to(DOCUMENTS).with_suffix(".html").as_posix().lower()))
            listed += files
            self.groups.append((group["title"], pages))
        for file in sorted(DOCUMENTS.rglob("*.md")):
            if file not in listed and SITE not in file.parents:
                self.problems.append(f"navigation.json does not list {file.relative_to(ROOT)}")
        self.ordered = [page for _, pages in self.groups for page in pages]
        self.others = [Page(file, address) for file, address in OTHERS.items() if file.exists()]
        self.pages = {page.source: page for page in self.ordered + self.others}
        self.description = json.loads((ROOT / "Web/openapi.json").read_text())

    def link(self, page, target):
        """Returns the address on the site of a link of a page, or `None` if it leads to a file that is no page."""
        if re.match(r"[a-z]+:", target):
            return target
        file, _, name = target.partition("#")
        place = (page.source.parent / file).resolve() if file else page.source
        if place == ROOT / "Web/openapi.json":
            return page.base + "api.html"
        if place.is_dir():
            first = next((other for other in self.ordered if place in other.source.parents), None)
            return os.path.relpath(first.address, pathlib.PurePosixPath(page.address).parent) if first else None
        found = self.pages.get(place)
        if found is None:
            if not place.exists():
                self.problems.append(f"{page.source.relative_to(ROOT)}: {target} does not exist")
            return None
        if name and name not in found.anchors:
            self.problems.append(f"{page.source.relative_to(ROOT)}: {target} matches no heading")
        relative = os.path.relpath(found.address, pathlib.PurePosixPath(page.address).parent)
        return (relative if file else "") + (f"#{name}" if name else "")

    def picture(self, page, target):
        """Returns the address on the site of a picture, which must be one of Documentation/pictures and say what it shows."""
        place = (page.source.parent / target).resolve()
        if place.parent != DOCUMENTS / "pictures" or not place.is_file():
            self.problems.append(f"{page.source.relative_to(ROOT)}: {target} is no picture of Documentation/pictures")
        return f"{page.base}pictures/{place.name}"

    def body(self, page):
        """Returns a page's HTML: links lead to pages of the site, tables scroll on their own, and headings have anchors."""
        for token in page.tokens:
            open_links = []
            for child in token.children or []:
                if child.type == "link_open":
                    address = self.link(page, child.attrGet("href"))
                    open_links.append(address)
                    if address is None:
                        child.tag, child.attrs = "span", {"class": "file"}
                    else:
                        child.attrSet("href", address)
                elif child.type == "link_close" and open_links.pop() is None:
                    child.tag = "span"
                elif child.type == "image":
                    child.attrSet("src", self.picture(page, child.attrGet("src")))
                    child.attrSet("loading", "lazy")
        markdown = MarkdownIt("commonmark", {"html": False}).enable(["table", "strikethrough"])
        text = markdown.renderer.render(page.tokens, markdown.options, {})
        text = text.replace("<table>", '<div class="scroll" tabindex="0"><table>').replace("</table>", "</table></div>")
        text = re.sub(r"<pre>", '<pre tabindex="0">', text)
        return re.sub(
            r'(<h([2-4]) id="([^"]+)">)(.*?)(</h\2>)',
            lambda found: f'{found[1]}{found[4]} <a class="anchor" href="#{found[3]}" aria-label="Link to this section">#</a>{found[5]}', text)

    def navigation(self, page):
        lines = []
        groups = self.groups
        if self.swift:
            swift = ("Swift API", [self.swift.overview(), *self.swift.modules])
            # The pages of types are many, and list only the modules.
            groups = [swift] if isinstance(page, swift_api.SwiftPage) else [*groups, swift]
        for title, pages in groups:
            if not pages:
                continue
            lines.append(f"<h2>{html.escape(title)}</h2><ul>")
            for each in pages:
                current = ' aria-current="page"' if each.address == page.address else ""
                lines.append(f'<li><a href="{page.base}{each.address}"{current}>{html.escape(each.title)}</a></li>')
            lines.append("</ul>")
        return "\n".join(lines)

    def pager(self, page):
        if page not in self.ordered:
            return ""
        place = self.ordered.index(page)
        links = []
        if place > 0:
            before = self.ordered[place - 1]
            links.append(f'<a rel="prev" href="{page.base}{before.address}"><small>Previous</small> {html.escape(before.title)}</a>')
        if place + 1 < len(self.ordered):
            after = self.ordered[place + 1]
            links.append(f'<a rel="next" href="{page.base}{after.address}"><small>Next</small> {html.escape(after.title)}</a>')
        return f'<nav class="pager" aria-label="Pages in order">{"".join(links)}</nav>'

    def write(self, output, page, body, headings):
        contents = "".join(
            f'<li class="level-{level}"><a href="#{name}">{html.escape(title)}</a></li>' for level, name, title in headings if level in (2, 3))
        text = string.Template((SITE / "template.html").read_text()).substitute(
            title=html.escape(page.title), description=html.escape(page.description, quote=True), base=page.base,
            navigation=self.navigation(page), body=body, pager=self.pager(page),
            contents=f"<h2>On this page</h2><ul>{contents}</ul>" if contents else "")
        file = output / page.address
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text)

    def build(self, output):
        index = []
        for page in self.ordered + self.others:
            self.write(output, page, self.body(page), page.headings)
            index += [[page.address, page.title, heading, name, text[:1500]] for heading, name, text in page.sections()]
        reference = api.Reference(self.description)
        self.write(output, reference, reference.body(), reference.headings)
        index += [["api.html", reference.title, *entry] for entry in reference.sections()]
        if self.swift:
            overview = self.swift.overview()
            self.write(output, overview, overview.body(), overview.headings)
            for page in self.swift.pages.values():
                self.write(output, page, self.swift.body(page), page.headings)
            index += self.swift.index()
        (output / "search-index.js").write_text(f"globalThis.documentationIndex = {json.dumps(index, ensure_ascii=False)};\n")
        shutil.copytree(DOCUMENTS / "pictures", output / "pictures")
        (output / "style").mkdir(exist_ok=True)
        for file in (ROOT / "Web/assets/style/tokens.css", ROOT / "Web/assets/style/dark.css", SITE / "docs.css"):
            shutil.copy(file, output / "style" / file.name)
        shutil.copy(SITE / "docs.js", output / "docs.js")


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("output", type=pathlib.Path, help="folder of the site, which is replaced")
    parser.add_argument("--swift", type=pathlib.Path, metavar="ARCHIVE", help="DocC's archive of the library products")
    given = parser.parse_args()
    output = given.output
    site = Site(given.swift)
    partial = output.with_name(output.name + ".partial")
    shutil.rmtree(partial, ignore_errors=True)
    partial.mkdir(parents=True)
    site.build(partial)
    if site.problems:
        shutil.rmtree(partial)
        sys.exit("\n".join(site.problems))
    shutil.rmtree(output, ignore_errors=True)
    partial.rename(output)
    print(f"{len(site.pages) + 1 + (len(site.swift.pages) + 1 if site.swift else 0)} pages in {output}")


main()
