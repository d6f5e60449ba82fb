"""Visitors of the scan pages."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path

from browser.environment import BrowserEnvironment


def new_scan(env: BrowserEnvironment, page, kind: str) -> None:
    """Opens the page of a new scan and answers what is scanned."""
    page.goto(env.server.url + "/scan")
    page.click(f"#kind-{kind}")
    page.wait_for_selector("#depth-files", state="attached")


@contextmanager
def visitor(env: BrowserEnvironment, clip: Path | None = None, **look):
    with env.page(env.browser(clip), **look) as page:
        yield page
