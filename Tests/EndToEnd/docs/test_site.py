"""The documentation site as it is built: complete, without dead links, readable without JavaScript."""

import html.parser
import pathlib
import re
import subprocess
import urllib.parse

import pytest

from support.program import ROOT


class Reader(html.parser.HTMLParser):
    """Collects the anchors and links of a page."""

    def __init__(self, text):
        super().__init__()
        self.anchors, self.links, self.headings, self.inline = set(), [], [], []
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        attributes = dict(attributes)
        if attributes.get("id"):
            assert attributes["id"] not in self.anchors, f"two elements have the ID {attributes['id']}"
            self.anchors.add(attributes["id"])
        self.links += [attributes[name] for name in ("href", "src") if attributes.get(name)]
        if tag == "h1":
            self.headings.append(tag)
        self.inline += [f"{tag} {name}" for name in attributes if name == "style" or name.startswith("on")]
        if tag == "script" and "src" not in attributes or tag == "style":
            self.inline.append(tag)


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    output = tmp_path_factory.mktemp("site") / "docs"
    ended = subprocess.run([ROOT / "scripts/make-docs", output], capture_output=True, text=True, timeout=300)
    assert ended.returncode == 0, ended.stdout + ended.stderr
    return output


def test_every_link_of_the_site_leads_somewhere(site):
    pages = {path: Reader(path.read_text()) for path in site.rglob("*.html")}
    assert len(pages) > 80
    checked = 0
    for path, page in pages.items():
        assert len(page.headings) == 1, f"{path.name} has {len(page.headings)} first-level headings"
        for link in page.links:
            parts = urllib.parse.urlsplit(link)
            if parts.scheme:
                assert parts.scheme in ("https", "http", "mailto"), (path.name, link)
                continue
            target = (path.parent / urllib.parse.unquote(parts.path)).resolve() if parts.path else path
            assert target.is_file(), f"{path.relative_to(site)}: {link}"
            if parts.fragment:
                assert parts.fragment in pages[target].anchors, f"{path.relative_to(site)}: {link}"
            checked += 1
    assert checked > 5000


def test_pages_load_nothing_from_elsewhere_and_run_no_inline_code(site):
    for path in site.rglob("*.html"):
        text = path.read_text()
        assert not Reader(text).inline, (path.name, Reader(text).inline)
        assert 'src="http' not in text and '<link rel="stylesheet" href="http' not in text, path.name


def test_swift_modules_have_their_reference(site):
    overview = site / "swift.html"
    if not overview.exists():
        pytest.skip("the Swift modules are not built")
    listed = re.findall(r"^ +- (Mien\w+)$", (ROOT / ".spi.yml").read_text(), re.M)
    shown = re.findall(r"<code>(Mien\w+)</code></a></th>", overview.read_text())
    # A build of one product compiles not all of them.
    assert set(shown) <= set(listed) and {"MienCore", "MienLiveness", "MienClient", "MienServer"} <= set(shown), shown
    page = (site / "swift/miencore/score.html").read_text()
    assert "<h1" in page and "swift.html" in page and re.search(r'<a href="[^"]*swift/miencore[^"]*">', page)
    assert '"swift/miencore/score.html"' in (site / "search-index.js").read_text()


def test_products_and_documented_modules_are_the_same():
    """Compares the manifest of the Swift Package Index with the library products."""
    products = re.findall(r"\.library\(\s*name: \"\w+\",\s*targets: \[(.*?)\]", (ROOT / "Package.swift").read_text(), re.S)
    modules = {name for targets in products for name in re.findall(r'"(\w+)"', targets)}
    assert modules == set(re.findall(r"^ +- (Mien\w+)$", (ROOT / ".spi.yml").read_text(), re.M))


def test_pictures_are_small_described_and_used(site):
    pictures = {path.name: path.stat().st_size for path in (site / "pictures").iterdir()}
    assert {"check.gif", "message.gif", "viewer.png", "console.png"} <= set(pictures) and sum(pictures.values()) < 1_500_000, pictures
    text = "".join(path.read_text() for path in site.rglob("*.html"))
    for name in pictures:
        described = re.findall(rf'<img src="[^"]*pictures/{re.escape(name)}" alt="([^"]*)"', text)
        assert described and all(len(words) > 10 for words in described), name


def test_a_dead_link_stops_the_build(tmp_path):
    import shutil

    copy = tmp_path / "copy"
    shutil.copytree(ROOT / "Documentation", copy / "Documentation")
    for name in (".spi.yml", "README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md", "CODE_OF_CONDUCT.md", "LICENSE", "Clients", "Web", "scripts", "Apps"):
        source = ROOT / name
        shutil.copytree(source, copy / name) if source.is_dir() else shutil.copy(source, copy / name)
    page = copy / "Documentation/guides/Messages.md"
    page.write_text(page.read_text() + "\n[nowhere](Nowhere.md) and [no heading](Scans.md#no-such-heading)\n")
    (copy / "Documentation/guides/Unlisted.md").write_text("# Unlisted\n")
    ended = subprocess.run([copy / "scripts/make-docs", tmp_path / "out"], capture_output=True, text=True, timeout=300)
    assert ended.returncode != 0 and not (tmp_path / "out").exists()
    for words in ("Nowhere.md does not exist", "no-such-heading matches no heading", "does not list Documentation/guides/Unlisted.md"):
        assert words in ended.stderr, ended.stderr


def test_the_interface_is_complete(site):
    import json

    text = (site / "api.html").read_text()
    document = json.loads((ROOT / "Web/openapi.json").read_text())
    operations = [operation["operationId"] for item in document["paths"].values() for name, operation in item.items() if name != "parameters"]
    assert len(operations) > 60
    for name in operations:
        assert f'id="{name}"' in text, name
    for name in document["components"]["schemas"]:
        assert f'id="schema-{name}"' in text, name
    assert pathlib.Path(site / "search-index.js").stat().st_size > 100_000
