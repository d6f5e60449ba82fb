"""Tests of the way through the pages: navigation, front page, page for developers, and addresses without a page."""

from __future__ import annotations

import pytest

from browser.axe import serious_violations
from browser.environment import DESKTOP, PHONE, SMALL, BrowserEnvironment, equal, screen, true, until
from browser.page_checks import SMALL_TEXT, TEXTS

AREAS = {"check": "check", "messages": "encode", "photos": "verify", "scans": "scan", "developers": "developers"}
PAGES = {
    "": None, "check": "check", "encode": "messages", "decode": "messages", "profile": "messages", "verify": "photos",
    "methodology": "photos", "scan": "scans", "scans": "scans", "developers": "developers", "status": "developers", "console": None,
    "nothing/here": None,
}
EN = TEXTS["en"]


def opened(env: BrowserEnvironment, page, name: str) -> None:
    page.goto(f"{env.server.url}/{name}")
    page.wait_for_selector("html[data-ready]", state="attached")


def test_every_page_has_the_navigation(env: BrowserEnvironment) -> None:
    """Every page leads to the five areas, and marks its own."""
    with env.page(env.browser()) as page:
        for name, area in PAGES.items():
            opened(env, page, name)
            links = page.locator(".areas a")
            equal(links.all_inner_texts(), [EN[f"nav.{each}"] for each in AREAS], f"areas on /{name}")
            equal([link.get_attribute("href") for link in links.all()], [f"/{path}" for path in AREAS.values()], f"links on /{name}")
            current = page.locator(".areas a[aria-current]").all_inner_texts()
            equal(current, [EN[f"nav.{area}"]] if area else [], f"the area of /{name}")
            true(page.get_attribute("meta[name=description]", "content") or name == "nothing/here", f"/{name} has a description")


def test_menu_of_phones_works_with_the_keyboard(env: BrowserEnvironment) -> None:
    """On a phone, the areas are in a menu that opens, closes and leads on."""
    with env.page(env.browser(), size=PHONE) as page:
        opened(env, page, "verify")
        true(not page.is_visible("#areas"), "the menu is closed")
        page.focus("#menu")
        page.keyboard.press("Enter")
        page.wait_for_selector("#areas", state="visible")
        equal(page.get_attribute("#menu", "aria-expanded"), "true", "the state of the button")
        env.shoot(page, "menu")
        equal(serious_violations(page), [], "axe with the menu open")
        page.keyboard.press("Tab")
        page.keyboard.press("Escape")
        true(not page.is_visible("#areas"), "Escape closes it")
        equal(page.evaluate("document.activeElement.id"), "menu", "the focus returns")
        page.click("#menu")
        page.click(f"#areas >> text={EN['nav.scans']}")
        page.wait_for_url("**/scan")


@pytest.mark.parametrize("language", sorted(TEXTS))
def test_header_of_narrow_phones_is_one_line(env: BrowserEnvironment, language: str) -> None:
    """Brand, menu, language and the button for signing in are beside each other at 320 pixels, each large enough to touch."""
    with env.page(env.browser(), size=SMALL, language=language) as page:
        page.route("**/v1/account", lambda route: route.fulfill(content_type="application/json", body='{"can_sign_in": true}'))
        for name in ("verify", "check"):
            opened(env, page, name)
            equal(page.is_visible("#sign-in"), name == "verify", f"a button for signing in on /{name}")
            boxes = page.evaluate("""() => [...document.querySelectorAll("body > header.bar > :not(.tabs)")]
              .map((element) => element.getBoundingClientRect()).filter(({ width }) => width > 0)
              .map(({ top, bottom, left, right, height, width }) => ({ middle: Math.round((top + bottom) / 2), left, right, height, width }))""")
            equal(len({box["middle"] for box in boxes}), 1, f"lines of the header on /{name}: {boxes}")
            true(all(box["left"] >= 0 and box["right"] <= SMALL["width"] for box in boxes), f"the header on /{name} is in the window: {boxes}")
            true(all(min(box["height"], box["width"]) >= 24 for box in boxes), f"sizes on /{name}: {boxes}")


def test_check_by_link_shows_nothing_of_this_server(env: BrowserEnvironment) -> None:
    """A person whom another service has sent sees the check alone."""
    check = env.server.create("turn-right")
    with env.page(env.browser()) as page:
        page.goto(f"{env.server.url}/check#id={check['id']}&token={check['token']}")
        page.wait_for_selector(screen("welcome"))
        equal(page.locator(".areas").count(), 0, "areas")


def test_front_page_has_a_card_for_each_job(env: BrowserEnvironment) -> None:
    """Each job has a picture, a sentence and a button that leads to its page; what Mien does not do is said, too."""
    with env.page(env.browser()) as page:
        opened(env, page, "")
        cards = page.locator(".jobs > li")
        equal(cards.count(), len(AREAS), "cards")
        for card, (area, path) in zip(cards.all(), AREAS.items()):
            equal(card.locator("h2").inner_text(), EN[f"nav.{area}"], "the name of a job")
            equal(card.locator("p").inner_text(), EN[f"home.job.{area}"], "its sentence")
            true(card.locator("svg").bounding_box()["width"] > 50, "its picture")
            equal(card.locator("a.button").get_attribute("href"), f"/{path}", "its button")
        equal(page.locator("#not li").count(), 5, "limits")


def test_developers_try_an_operation_with_a_key(env: BrowserEnvironment) -> None:
    """The reference shows every operation of the document, and sends one with the key of the page."""
    with env.page(env.browser()) as page:
        document = page.request.get(env.server.url + "/openapi.json").json()
        count = sum(method in ("get", "post", "put", "patch", "delete") for methods in document["paths"].values() for method in methods)
        opened(env, page, "developers")
        page.wait_for_selector(".operation", state="attached")
        equal(page.locator(".operation").count(), count, "operations")
        page.fill("#find", "create check")
        page.wait_for_selector(".group[open] .operation:visible")
        row = page.locator('.operation:visible:has(summary code:text-is("/v1/checks"))[data-method="POST"]')
        row.locator("summary").click()
        equal(serious_violations(page), [], "axe with an operation open")
        env.shoot(page, "reference")
        row.locator("textarea").fill('{"reference": "from the reference"}')
        row.get_by_role("button", name=EN["developers.send"]).click()
        row.locator(".told", has_text="401").wait_for()
        page.fill("#key", env.server.key)
        row.get_by_role("button", name=EN["developers.send"]).click()
        row.locator(".told", has_text="201").wait_for()
        made = row.locator(".trial pre").inner_text()
        true('"token"' in made and '"id"' in made, made)


def test_addresses_without_a_page_say_so(env: BrowserEnvironment) -> None:
    """A browser gets a page in its language; a program gets problem details."""
    with env.page(env.browser(), language="de-DE") as page:
        reply = page.goto(env.server.url + "/nothing/here")
        equal(reply.status, 404, "status")
        page.wait_for_selector("html[data-ready]", state="attached")
        equal(page.inner_text("h1"), TEXTS["de"]["not-found.title"], "heading")
        page.click("main a.button")
        page.wait_for_url(env.server.url + "/")
        problem = page.request.get(env.server.url + "/v1/nothing", headers={"Accept": "text/html"})
        equal((problem.status, problem.headers["content-type"]), (404, "application/problem+json"), "an address of the API")
        plain = page.request.get(env.server.url + "/nothing", headers={"Accept": "*/*"})
        equal(plain.json()["code"], "not-found", "for a program")


@pytest.mark.parametrize("name", ["", "developers", "nothing/here"])
def test_new_pages_fit_and_are_accessible(env: BrowserEnvironment, name: str) -> None:
    looks = {"desktop": (DESKTOP, {}), "dark": (PHONE, {"scheme": "dark"}), "small": (SMALL, {}), "arabic": (PHONE, {"language": "ar"}),
             "japanese": (DESKTOP, {"language": "ja", "scheme": "dark"})}
    for look, (size, options) in looks.items():
        with env.page(env.browser(), size=size, **options) as page:
            opened(env, page, name)
            if name == "developers":
                page.wait_for_selector(".group")
                until(page, "document.querySelector('#check').shadowRoot?.getElementById('begin') != null")
            if env.screenshots:
                page.screenshot(path=env.screenshots / f"{name.split('/')[0] or 'home'}-{look}.png", full_page=True)
            wide = page.evaluate("document.documentElement.scrollWidth")
            true(wide <= size["width"], f"/{name} {look} is {wide} wide")
            equal(page.evaluate(SMALL_TEXT), [], f"small text on /{name} {look}")
            equal(serious_violations(page), [], f"axe on /{name} {look}")
