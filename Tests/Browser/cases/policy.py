"""Tests of the content security policy: no inline code, nothing from other hosts. Runs last, to cover all other tests."""

from __future__ import annotations

import re
from pathlib import Path
from urllib.parse import urlsplit

from cases import case
from stage import Stage, equal, true

WEB = Path(__file__).parents[3] / "Web"
POLICY = {
    "default-src": "'none'", "script-src": "'self'", "style-src": "'self'", "img-src": "'self' blob: data:",
    "media-src": "'self' blob:", "connect-src": "'self'", "font-src": "'self'", "base-uri": "'none'",
    "form-action": "'none'", "frame-ancestors": "'none'",
}


@case("the pages come with the strict policy, and it is in force")
def in_force(stage: Stage) -> None:
    with stage.page(stage.browser()) as page:
        for path in ("/", "/check", "/encode", "/decode", "/profile", "/scan", "/scans", "/status"):
            header = page.goto(stage.server.url + path).headers["content-security-policy"]
            found = dict(part.strip().split(" ", 1) for part in header.split(";") if part.strip())
            equal(found, POLICY, f"policy of {path}")
        before = len(stage.violations)
        page.evaluate("""() => {
          const script = document.createElement("script");
          script.textContent = "globalThis.planted = true";
          document.head.append(script);
        }""")
        page.wait_for_timeout(100)
        equal(page.evaluate("globalThis.planted ?? false"), False, "a planted script runs")
        true(len(stage.violations) > before, "the watch sees a violation")
        del stage.violations[before:]


@case("nothing inline and no other host is named in the files")
def files(stage: Stage) -> None:
    for page in WEB.glob("*.html"):
        text = page.read_text()
        equal(re.findall(r"\sstyle=|\son\w+=|<style|javascript:", text), [], f"inline code in {page.name}")
        equal(re.findall(r"<script(?![^>]*\ssrc=)", text), [], f"inline script in {page.name}")
    for file in WEB.rglob("*"):
        if file.suffix in (".html", ".js", ".css", ".json"):
            equal(re.findall(r"https?://(?!www\.w3\.org/)[\w$]", file.read_text()), [], f"addresses in {file.name}")


@case("in all tests: no policy violation, no script error, no request to another host")
def all_quiet(stage: Stage) -> None:
    equal(stage.violations, [], "violations")
    equal(stage.errors, [], "script errors")
    equal(stage.hosts - stage.hosts_elsewhere, {urlsplit(stage.server.url).netloc}, "hosts")
