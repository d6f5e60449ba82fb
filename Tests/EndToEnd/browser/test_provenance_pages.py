"""Tests of content credentials on the pages of files and captures: who signed, when, and what changed since."""

from __future__ import annotations

import json

import pytest

from browser.environment import DESKTOP, PHONE, BrowserEnvironment, equal, true
from browser.page_checks import TEXTS
from browser.photo_pages import Api, EN, upload
from browser.test_photo_pages import check_appearance, reported, visitor
from support import credentials as c

STUDIO = c.signer("Studio")
BLOCK = "[data-provenance]"
# Browsers name Chinese by region.
LOCALES = {"en": "en-GB", "zh-Hans": "zh-CN", "zh-Hant": "zh-TW"}


def block(page) -> str:
    return page.inner_text(BLOCK)


@pytest.mark.slow
def test_a_capture_names_its_signer_in_every_language(env: BrowserEnvironment) -> None:
    """The page of a capture names the signer, the stated origin and what changed, in every language."""
    good = c.sign(c.image("jpg", 41), "jpg", STUDIO)
    api = Api(env)
    whole = api.create_capture({"photo": good})["id"]
    tampered = api.create_capture({"photo": c.flipped(good, [len(good) - 9])[0]})["id"]
    for name, texts in TEXTS.items():
        look = {"language": LOCALES.get(name, name), "scheme": "dark" if name in ("ar", "de") else "light", "size": PHONE if name in ("ar", "fr") else DESKTOP}
        with visitor(env, **look) as page:
            for id, trust in ((whole, "untrusted"), (tampered, "invalid")):
                page.goto(f"{env.server.url}/verify/{id}")
                reported(page)
                equal(page.get_attribute(BLOCK, "data-provenance"), trust, name)
                shown = block(page)
                true(texts[f"verify.provenance.{trust}"].replace("{name}", "Studio") in shown, f"{name}: {trust} in {shown!r}")
                true(texts["verify.provenance.source.digitalCapture"] in shown and "Studio Ltd" in shown, f"{name}: origin and organization")
                equal(texts["verify.provenance.changed.content"] in shown, trust == "invalid", f"{name}: what changed")
                true(texts["verify.provenance.note"] in shown, f"{name}: no verdict on the photo")
                true(texts["verify.provenance.revocation.not-checked"] in shown, f"{name}: revocation")
                # Left to right and right to left, light and dark, phone and desktop.
                if name in ("en", "de", "ar", "fr", "ja"):
                    check_appearance(env, page, f"provenance-{trust}-{name}", look["size"]["width"])


def test_files_with_every_outcome_are_explained(env: BrowserEnvironment) -> None:
    """A file shows who signed it, what it was made from, and why there is nothing to show."""
    good = c.sign(c.image("jpg", 42), "jpg", STUDIO)
    edited = c.sign(c.flipped(good, [len(good) - 9])[0], "jpg", STUDIO, edit=True)
    away = c.sign(c.image("jpg", 43), "jpg", STUDIO, remote="https://elsewhere.example/m.c2pa", embedded=False)
    with visitor(env) as page:
        for name, data, status, words in (
                ("edited", edited, "untrusted", [EN["verify.provenance.sources"], EN["verify.provenance.file.changed"], EN["verify.provenance.action.opened"]]),
                ("plain", c.image("jpg", 44), "none", [EN["verify.provenance.none"]]),
                ("elsewhere", away, "elsewhere", [EN["verify.provenance.elsewhere"], "https://elsewhere.example/m.c2pa"])):
            page.goto(env.server.url + "/verify")
            page.set_input_files("#file", upload(f"{name}.jpg", data, "image/jpeg"))
            reported(page, "file")
            equal(page.get_attribute(BLOCK, "data-provenance"), status, name)
            for word in words:
                true(word in block(page), f"{word!r} in {block(page)!r}")
            equal(page.locator(f"{BLOCK} a").count(), 0, "an address in a file is no link")
            check_appearance(env, page, f"provenance-{name}", DESKTOP["width"])


def test_a_trusted_signer_and_a_time_stamp_are_shown(env: BrowserEnvironment) -> None:
    """A trusted signature has its time, and texts of a file are text, whatever they contain."""
    markup = "<img src=x onerror=alert(1)>"

    def changed(route):
        reply = json.loads(route.fetch().text())
        reply["provenance"]["credential"] |= {
            "trust": "trusted", "signed_at": "2026-03-04T05:06:07+00:00", "signer": {"common_name": markup, "issuer": "Studio Ltd"},
            "actions": [{"name": "c2pa.unheard_of", "when": "yesterday", "source_type": "somethingNew"}]}
        route.fulfill(status=200, content_type="application/json", body=json.dumps(reply))

    with visitor(env, size=PHONE) as page:
        page.route("**/v1/verify-file", changed)
        page.goto(env.server.url + "/verify")
        page.set_input_files("#file", upload("a.jpg", c.sign(c.image("jpg", 45), "jpg", STUDIO), "image/jpeg"))
        reported(page, "file")
        shown = block(page)
        true(EN["verify.provenance.trusted"].replace("{name}", markup) in shown and "2026" in shown, shown)
        true("c2pa.unheard_of · yesterday" in shown and "somethingNew" in shown, "what has no text is shown as it is")
        equal(page.locator(f"{BLOCK} img").count(), 0, "markup is text")
        page.click(f"{BLOCK} summary")
        true("assertion.dataHash.match" in block(page), "every code is there")
        check_appearance(env, page, "provenance-trusted", PHONE["width"])
