"""Visitors of the message pages whose camera shows expressions, and layout checks."""

from __future__ import annotations

from contextlib import contextmanager

from browser.axe import serious_violations
from browser.camera_clips import shared_data
from browser.environment import BrowserEnvironment, equal, true
from browser.page_checks import SMALL_TEXT
from browser.synthetic_expressions import ExpressionCamera, Face
from support import synthetic_head

PERFORMANCE = {"id": "prf_scripted", "token": "scripted", "steps": 5, "expires_at": "2030-01-01T00:00:00Z"}


@contextmanager
def visitor(env: BrowserEnvironment, names: list[str] | None = None, **look):
    """Opens a page for a user who has seen the tour and makes these expressions."""
    with env.page(env.browser(), **look) as page:
        page.add_init_script("if (location.protocol !== 'about:') localStorage.setItem('mien.told', 'true')")
        actor = None
        if names is not None:
            actor = ExpressionCamera(page, synthetic_head.head(str(env.program), shared_data(), Face), names)
        yield page, actor


def check_appearance(env: BrowserEnvironment, page, name: str, width: int) -> None:
    """Takes a screenshot for manual review and checks the layout."""
    env.shoot(page, f"messages-{name}")
    wide = page.evaluate("document.documentElement.scrollWidth")
    true(wide <= width, f"{name} is {wide} wide")
    equal(page.evaluate(SMALL_TEXT), [], f"small text on {name}")
    equal(serious_violations(page), [], f"axe on {name}")


def lock(env: BrowserEnvironment, **options) -> dict:
    """Creates a message through the API."""
    return env.server._ask("/v1/messages", {"text": "x", "steps": ["smile", "wink_r", "smooch"]} | options)


def step(**changes) -> dict:
    """Returns a synthetic step, for tests of how each state is drawn."""
    return {"state": "performing", "face": "one-face", "hold": 0, "neutral": True, "performed": [], "count": 5,
            "repeated": False, "source": "observed", "remaining_ms": 90_000} | changes
