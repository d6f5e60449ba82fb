"""Access to `<mien-liveness>` on the page of another site."""

from __future__ import annotations

import json
from pathlib import Path

from browser.environment import BrowserEnvironment, until

WEB = Path(__file__).parents[3] / "Web"
TEXTS = {name: json.loads((WEB / f"assets/texts/{name}.json").read_text()) for name in ("en", "de", "ar", "he")}
LISTEN = """
addEventListener("DOMContentLoaded", () => {
  globalThis.heard = [];
  const check = document.getElementById("check");
  for (const name of ["success", "failure", "close", "progress"]) {
    check.addEventListener(name, ({ detail }) => heard.push({ name, detail }));
  }
});
"""
IN_SHADOW = "document.getElementById('check').shadowRoot.getElementById('%s')"


def visit(env: BrowserEnvironment, page, attributes: str, **rest) -> None:
    page.add_init_script(LISTEN)
    page.goto(env.site.show(attributes, **rest))
    until(page, "document.getElementById('check').shadowRoot !== null")
    until(page, f"{IN_SHADOW % 'begin'} !== null && check.isOpen || check.modal && {IN_SHADOW % 'begin'} !== null")


def shown(page, name: str) -> str:
    return page.evaluate(f"{IN_SHADOW % name}.textContent")


def await_ending(page, seconds: float = 120) -> str:
    until(page, "!check.shadowRoot.querySelector('[data-screen=ending]').hidden", seconds)
    return shown(page, "ending-title")


def received_events(page, name: str) -> list[dict]:
    return page.evaluate("(name) => heard.filter((event) => event.name === name).map((event) => event.detail)", name)
