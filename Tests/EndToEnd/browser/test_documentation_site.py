"""The documentation site as the server serves it: search, keyboard, phone and desktop, dark and light, without JavaScript."""

from __future__ import annotations

import urllib.request

from browser.axe import serious_violations
from browser.environment import DESKTOP, PHONE, BrowserEnvironment, equal, true, until
from browser.message_pages import visitor


def test_the_front_page_leads_to_the_documentation(env: BrowserEnvironment) -> None:
    with visitor(env) as (page, _):
        page.goto(env.server.url + "/")
        page.click('a[href="/docs/"]')
        page.wait_for_selector("h1")
        equal(page.inner_text("h1"), "Mien", "the first page is the README")
        page.click(".pages >> text=Your first check")
        page.wait_for_selector("#create-a-check")
        true(page.url.endswith("/docs/tutorials/firstcheck.html"), page.url)
    # Without the slash, the relative links of the first page would lead elsewhere.
    with urllib.request.urlopen(env.server.url + "/docs") as reply:
        true(reply.url.endswith("/docs/"), reply.url)


def test_search_finds_sections_with_the_keyboard(env: BrowserEnvironment) -> None:
    with visitor(env) as (page, _):
        page.goto(env.server.url + "/docs/")
        page.keyboard.press("/")
        page.keyboard.type("verify signature webhook")
        page.wait_for_selector('#found [role="option"]')
        true(any("Webhooks" in text for text in page.locator("#found small").all_inner_texts()), "a section of the page on webhooks")
        page.keyboard.type(" qqq")
        page.wait_for_selector("#found .none")
        page.fill("#query", "choose an assurance")
        until(page, "document.querySelector('#found [aria-selected=true]')?.textContent.startsWith('Choose an assurance')")
        page.keyboard.press("Enter")
        page.wait_for_url("**/guides/liveness.html#choose-an-assurance")


def test_pages_are_accessible_on_every_screen(env: BrowserEnvironment) -> None:
    for size, scheme in ((PHONE, "dark"), (DESKTOP, "light"), ({"width": 320, "height": 640}, "light")):
        with visitor(env, size=size, scheme=scheme) as (page, _):
            for path in ("", "guides/sessions.html", "reference/threatmodel.html", "api.html"):
                page.goto(env.server.url + "/docs/" + path)
                page.wait_for_selector("search:not([hidden])")
                env.shoot(page, f"docs-{path.replace('/', '-') or 'index'}-{size['width']}-{scheme}")
                true(page.evaluate("document.documentElement.scrollWidth") <= size["width"], f"{path} scrolls sideways at {size['width']}")
                # The page of the interface has tens of thousands of elements.
                if path != "api.html":
                    equal(serious_violations(page), [], f"{path} at {size['width']} in {scheme}")


def test_pages_read_the_same_without_javascript(env: BrowserEnvironment) -> None:
    context = env.browser().new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(env.server.url + "/docs/guides/messages.html")
    true(page.is_visible("h1") and page.is_visible(".pages a[aria-current=page]") and not page.is_visible("search"), "text and navigation")
    context.close()
