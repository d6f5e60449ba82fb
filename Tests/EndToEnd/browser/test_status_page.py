"""Tests of the status page with live graphs, against a server under load."""

from __future__ import annotations

from browser.axe import serious_violations
from browser.environment import DESKTOP, PHONE, SMALL, BrowserEnvironment, equal, true, until
from browser.page_checks import SMALL_TEXT
from browser.photo_pages import Api, EN


def figure(name: str) -> str:
    return f"Number(document.querySelector('#{name} strong').textContent.replace('–', '-1'))"


def test_graphs_update_pause_and_report_outages(env: BrowserEnvironment) -> None:
    """Live graphs show the load, stop while paused, and say when the server is unreachable."""
    api = Api(env)
    with env.page(env.browser()) as page:
        page.goto(env.server.url + "/status")
        page.wait_for_selector('.badge[data-status="ready"]')
        for _ in range(20):
            api.request("POST", "/v1/checks", {})
            page.wait_for_timeout(150)
        until(page, f"{figure('requests')} >= 0")
        true(page.inner_text("#answers strong").endswith("ms"), "how long an answer takes")
        said = page.get_attribute("#requests svg", "aria-label")
        true(said.startswith(EN["status.requests"] + ": ") and "–" not in said, f"what is said of a graph: {said}")
        until(page, "document.querySelector('#requests .line:not(.second)').getAttribute('d').includes('L')")
        page.click("#hold")
        page.wait_for_timeout(300)
        line = page.get_attribute("#requests .line:not(.second)", "d")
        page.wait_for_timeout(4500)
        equal(page.get_attribute("#requests .line:not(.second)", "d"), line, "a line that is held")
        page.click("#hold")
        page.route("**/metrics", lambda route: route.abort())
        page.wait_for_selector("#wrong:not([hidden])")
        equal(page.inner_text("#wrong"), EN["status.lost"], "the text without a response")
        equal(page.inner_text("#requests strong"), "–", "an unknown value")
        page.unroute("**/metrics")
        page.wait_for_selector("#wrong", state="hidden")
    looks = {"desktop": (DESKTOP, {}), "dark": (PHONE, {"scheme": "dark"}), "small": (SMALL, {}),
             "arabic": (DESKTOP, {"language": "ar"})}
    for name, (size, look) in looks.items():
        with env.page(env.browser(), size=size, **look) as page:
            page.goto(env.server.url + "/status")
            page.wait_for_selector('.badge[data-status="ready"]')
            # Rates need two readings.
            until(page, "document.querySelector('#requests .line:not(.second)').getAttribute('d') !== ''")
            if env.screenshots:
                page.screenshot(path=env.screenshots / f"status-{name}.png", full_page=True)
            wide = page.evaluate("document.documentElement.scrollWidth")
            true(wide <= size["width"], f"{name} is {wide} wide")
            equal(page.evaluate(SMALL_TEXT), [], f"small text on {name}")
            equal(serious_violations(page), [], f"axe on {name}")
            equal([word for word in page.evaluate("document.body.innerText").split() if word.startswith("status.")], [],
                  f"texts that are missing on {name}")
