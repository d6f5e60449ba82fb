"""Accessibility violations found by axe."""

from __future__ import annotations

from axe_playwright_python.base import AXE_SCRIPT
from playwright.sync_api import Page


def violations(page: Page, only: str | None = None) -> list[dict]:
    """Returns all violations, or those of one rule."""
    # Injects axe's half megabyte of script only once per page.
    if page.evaluate('typeof axe === "undefined"'):
        page.evaluate(AXE_SCRIPT)
    options: dict = {"resultTypes": ["violations"]}
    if only:
        options["runOnly"] = {"type": "rule", "values": [only]}
    return page.evaluate("async (options) => (await axe.run(options)).violations", options)


def serious_violations(page: Page, only: str | None = None) -> list:
    """Returns serious and critical violations, with their elements."""
    return [(found["id"], [node["target"] for node in found["nodes"]])
            for found in violations(page, only) if found["impact"] in ("serious", "critical")]
