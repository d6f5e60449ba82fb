"""Texts of all languages, and checks of keyboard order and text sizes."""

from __future__ import annotations

import json
from pathlib import Path

WEB = Path(__file__).parents[3] / "Web"
TEXTS = {file.stem: json.loads(file.read_text()) for file in sorted((WEB / "assets/texts").glob("*.json"))}


def press_until(page, wanted: str, most: int = 16) -> None:
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == wanted:
            return
    raise AssertionError(f"Tab does not reach #{wanted}")


def tab_to(page, selector: str, *, back: bool = False, most: int = 80) -> None:
    """Presses Tab, or Shift and Tab, until an element has the focus."""
    for _ in range(most):
        page.keyboard.press("Shift+Tab" if back else "Tab")
        if page.evaluate("(selector) => document.activeElement.matches(selector)", selector):
            return
    raise AssertionError(f"Tab does not reach {selector}")


SMALL_TEXT = """
() => [...document.querySelectorAll("body *")]
  .filter((element) => [...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim()))
  .filter((element) => element.getClientRects().length && parseFloat(getComputedStyle(element).fontSize) < 16)
  .map((element) => element.outerHTML.slice(0, 80))
"""
