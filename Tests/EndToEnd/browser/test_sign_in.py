"""Tests of signing in to the pages of a server without public access."""

from __future__ import annotations

import subprocess
import tempfile
from contextlib import contextmanager
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urlsplit

import pytest

from browser.axe import serious_violations
from browser.environment import DESKTOP, PHONE, SMALL, BrowserEnvironment, equal, true, until
from browser.page_checks import SMALL_TEXT
from browser.photo_pages import Api, EN
from browser.server import Server

WEB = Path(__file__).parents[3] / "Web"
PASSWORD = "correct horse battery"


@contextmanager
def server_with_users(env: BrowserEnvironment):
    """Starts a server that requires sign-in, with two users."""
    with tempfile.TemporaryDirectory(prefix="mien-accounts-") as folder:
        # These tests send no frames, so no models are loaded.
        server = Server.start(env.program, Path(folder), WEB, "http://127.0.0.1:9", "--no-demo", "--models", "/nowhere")
        env.hosts_elsewhere.add(urlsplit(server.url).netloc)
        try:
            for name, role in (("anna", "operator"), ("vera", "verifier")):
                subprocess.run([env.program, "users", "add", name, "--role", role, "--data", folder], input=PASSWORD,
                               text=True, check=True, capture_output=True, timeout=300)
            yield server
        finally:
            server.stop()


def test_user_signs_in_sees_scans_and_signs_out(env: BrowserEnvironment) -> None:
    """A user signs in, sees the scans and the own name, and signs out with one press."""
    with server_with_users(env) as server, env.page(env.browser()) as page:
        page.goto(server.url + "/scans")
        form = page.locator("#wrong form.sign-in")
        form.wait_for()
        true(page.get_by_text(EN["account.key"]).is_visible(), "a key is taken too")
        # Uses the keyboard only, and the attributes that password managers and screen readers rely on.
        name, password = form.get_by_label(EN["account.name"]), form.get_by_label(EN["account.password"])
        equal([field.get_attribute("autocomplete") for field in (name, password)], ["username", "current-password"], "fields")
        name.focus()
        page.keyboard.type("anna")
        page.keyboard.press("Tab")
        page.keyboard.type("wrong horse battery")
        page.keyboard.press("Enter")
        page.wait_for_selector("form.sign-in .wrong:not(:empty)")
        equal(form.locator(".wrong").inner_text(), EN["account.wrong"], "what is said of a wrong password")
        equal(password.input_value(), "", "a wrong password stays nowhere")
        page.keyboard.type(PASSWORD)
        page.keyboard.press("Enter")
        page.wait_for_selector("#signed-in")
        equal(page.inner_text("#signed-in"), EN["account.as"].replace("{name}", "anna"), "the signed-in user")
        until(page, "document.getElementById('count').textContent !== ''")
        equal(page.locator("form.sign-in").count(), 0, "the sign-in form is not shown again")
        equal(page.evaluate("document.cookie"), "", "no script sees the cookie")
        page.reload()
        page.wait_for_selector("#signed-in")
        page.goto(server.url + "/scan")
        page.wait_for_selector("#signed-in")
        page.click("#sign-out")
        page.wait_for_selector("#sign-in")
        page.goto(server.url + "/scans")
        page.locator("#wrong form.sign-in").wait_for()


def test_verifier_sees_only_permitted_actions(env: BrowserEnvironment) -> None:
    """A verifier sees the scans and no action that would be rejected; page buttons are disabled where there is no page."""
    with server_with_users(env) as server, env.page(env.browser()) as page:
        api = Api(SimpleNamespace(server=server))
        api.request("POST", "/v1/scans", {"label": "A head", "kind": "object", "files": [{"name": "a.r3d", "bytes": 9}]})
        api.request("POST", "/v1/subjects", {"name": "Ada"})
        page.goto(server.url + "/scans")
        form = page.locator("#wrong form.sign-in")
        form.wait_for()
        true(page.locator("#next").is_disabled() and page.locator("#before").is_disabled(), "there is nowhere to turn to yet")
        true(page.locator("#more-subjects").is_hidden(), "nor among people")
        actions = "[...document.querySelectorAll('[data-action]')].map(made => made.dataset.action).sort().join()"
        for name, seen in (("vera", "scan.export,scan.export"),
                           ("anna", "scan.erase,scan.erase,scan.export,scan.export,scan.relabel,scan.work.change")):
            form.get_by_label(EN["account.name"]).fill(name)
            form.get_by_label(EN["account.password"]).fill(PASSWORD)
            page.keyboard.press("Enter")
            page.wait_for_selector("#scans [data-id]")
            page.fill("#work-day", "")
            page.wait_for_selector("[data-subject]")
            equal(page.evaluate(actions), seen, f"what {name} may do")
            equal(page.locator("#add-subject").count() == 1 and page.locator("summary").is_visible(), name == "anna", "a new person")
            if name == "vera":
                page.click("#scans a")
                page.wait_for_selector("#title")
                equal(page.locator("#erase, #cancel, #retry").count(), 0, "nothing of one scan can be changed")
                page.click("#sign-out")
                page.wait_for_selector("#sign-in")
                page.goto(server.url + "/scans")
                form.wait_for()


@pytest.mark.slow
def test_sign_in_fits_every_layout(env: BrowserEnvironment) -> None:
    """Signing in fits the bar and its dialog, in light, dark, small and right to left."""
    with server_with_users(env) as server:
        looks = {"desktop": (DESKTOP, {}), "dark": (PHONE, {"scheme": "dark"}), "small": (SMALL, {}),
                 "arabic": (DESKTOP, {"language": "ar"}), "german": (PHONE, {"language": "de"})}
        for name, (size, look) in looks.items():
            with env.page(env.browser(), size=size, **look) as page:
                page.goto(server.url + "/scans")
                page.locator("#wrong form.sign-in").wait_for()
                check_appearance(env, page, f"{name}-asked", size["width"])
                page.click("#sign-in")
                page.wait_for_selector("dialog[open]")
                check_appearance(env, page, f"{name}-dialog", size["width"])
                page.keyboard.press("Escape")
                page.wait_for_selector("dialog", state="detached")
                page.click("#sign-in")
                page.fill("dialog input[name=name]", "vera")
                page.fill("dialog input[name=password]", PASSWORD)
                page.press("dialog input[name=password]", "Enter")
                page.wait_for_selector("#signed-in")
                check_appearance(env, page, f"{name}-signed-in", size["width"])


def check_appearance(env: BrowserEnvironment, page, name: str, width: int) -> None:
    """Takes a screenshot for manual review and checks the layout."""
    env.shoot(page, f"accounts-{name}")
    wide = page.evaluate("document.documentElement.scrollWidth")
    true(wide <= width, f"{name} is {wide} wide")
    equal(page.evaluate(SMALL_TEXT), [], f"small text on {name}")
    equal(serious_violations(page), [], f"axe on {name}")
    equal([word for word in page.evaluate("document.body.innerText").split() if word.startswith("account.")], [],
          f"texts that are missing on {name}")
