"""What axe finds wrong on a page for people who see, hear or move otherwise than most."""

from __future__ import annotations

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page


def violations(page: Page, only: str | None = None) -> list[dict]:
    """All that axe finds, or what it finds by one of its rules."""
    # Half a megabyte of script, of which one page needs one.
    if page.evaluate('typeof axe === "undefined"'):
        page.evaluate(AXE_SCRIPT)
    options: dict = {"resultTypes": ["violations"]}
    if only:
        options["runOnly"] = {"type": "rule", "values": [only]}
    return page.evaluate("async (options) => (await axe.run(options)).violations", options)


def serious(page: Page, only: str | None = None) -> list:
    """The rules that are broken seriously or critically, with the places."""
    return [(found["id"], [node["target"] for node in found["nodes"]])
            for found in violations(page, only) if found["impact"] in ("serious", "critical")]
