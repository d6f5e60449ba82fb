"""Tests of the content security policy: no inline code, nothing from other hosts.

After every browser test, conftest.py checks that there was no violation, no script error and no request to another host.
"""

from __future__ import annotations

import re
from pathlib import Path

from browser.environment import BrowserEnvironment, equal, true

WEB = Path(__file__).parents[3] / "Web"
POLICY = {
    "default-src": "'none'", "script-src": "'self'", "style-src": "'self'", "img-src": "'self' blob: data:",
    "media-src": "'self' blob:", "connect-src": "'self'", "font-src": "'self'", "manifest-src": "'self'",
    "base-uri": "'none'",
    "form-action": "'none'", "frame-ancestors": "'none'",
}


def test_pages_have_the_strict_policy(env: BrowserEnvironment) -> None:
    """The pages have the strict policy, and it is enforced."""
    with env.page(env.browser()) as page:
        for path in ("/", "/check", "/encode", "/decode", "/profile", "/scan", "/scans", "/status", "/console", "/developers", "/nothing"):
            header = page.goto(env.server.url + path).headers["content-security-policy"]
            found = dict(part.strip().split(" ", 1) for part in header.split(";") if part.strip())
            equal(found, POLICY, f"policy of {path}")
        before = len(env.violations)
        page.evaluate("""() => {
          const script = document.createElement("script");
          script.textContent = "globalThis.planted = true";
          document.head.append(script);
        }""")
        page.wait_for_timeout(100)
        equal(page.evaluate("globalThis.planted ?? false"), False, "a planted script runs")
        true(len(env.violations) > before, "the watch sees a violation")
        del env.violations[before:]


def test_files_contain_no_inline_code_and_no_other_host(env: BrowserEnvironment) -> None:
    """The files contain no inline code and name no other host."""
    for page in WEB.glob("*.html"):
        text = page.read_text()
        equal(re.findall(r"\sstyle=|\son\w+=|<style|javascript:", text), [], f"inline code in {page.name}")
        equal(re.findall(r"<script(?![^>]*\ssrc=)", text), [], f"inline script in {page.name}")
    for file in WEB.rglob("*"):
        if file.suffix in (".html", ".js", ".css", ".json"):
            equal(re.findall(r"https?://(?!www\.w3\.org/)[\w$]", file.read_text()), [], f"addresses in {file.name}")
