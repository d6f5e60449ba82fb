"""Visitors of the scan pages."""

from __future__ import annotations

from contextlib import contextmanager
from pathlib import Path

from browser.environment import BrowserEnvironment


@contextmanager
def visitor(env: BrowserEnvironment, clip: Path | None = None, **look):
    with env.page(env.browser(clip), **look) as page:
        yield page
