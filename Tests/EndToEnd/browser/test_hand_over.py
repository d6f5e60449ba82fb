"""Tests of the hand-over: the way back to a shop, by a button and by itself, and the QR code on a device without a camera."""

from __future__ import annotations

import base64
import hashlib
import json

import pytest

from browser.axe import serious_violations
from browser.environment import DESKTOP, PHONE, BrowserEnvironment, begin, ending, equal, screen, true, until
from browser.page_checks import TEXTS, press_until
from browser.server import Server
from browser.shop import Shop
from support.program import ROOT

ENGLISH = TEXTS["en"]
NO_CAMERA = "navigator.mediaDevices.getUserMedia = async () => { throw new DOMException('none', 'NotFoundError'); };"
# SHA-256 of the rows of symbols made by another encoder (qrcode 8.2 for Python, level M, byte mode, with the same mask).
VECTORS = [
    ("A", 1, "bc9009ae87ca68f1d256b69eb26362086d73d9f0b95f1e9f3dccae752626c3b6"),
    ("Grüße, שלום", 2, "c898f9a781a8020df0d38f0624ab8fe1ff02782463b7fbd45badb10700a6e0fc"),
    (("0123456789abcdef" * 70)[:26], 2, "62be89e5816a53b88fbc6d6c1bbd1e63a4528aeb6ff068cc35083fe01069543f"),
    (("0123456789abcdef" * 70)[:42], 3, "4d76c5e73333ce5847c5f3a2e8c3c3d7dee4b22934b6c207009eabdb4e53ffd5"),
    (("0123456789abcdef" * 70)[:62], 4, "dc58f1f63abd53ae1832f56b81ba03330856cb252a426662fbc9e03e9f6178f2"),
    (("0123456789abcdef" * 70)[:84], 5, "6ccb901e23edc9d5ee49f233d178d82d835b99d8c747eb425437e18550ccb6a6"),
    (("0123456789abcdef" * 70)[:106], 6, "82602ec9d606c1318e5a62a629e70850aef41d5cc95f692f2c130d383162f643"),
    (("0123456789abcdef" * 70)[:122], 7, "7535e21ee87f2f6ae6baad9ab1d5347dfc0f5564bb4efe0987d32a20a837a82e"),
    (("0123456789abcdef" * 70)[:152], 8, "2f16ace2de6dd8b429a6c697ef464cef52d00f24bb2dc8ef2a7a58404f3fe18d"),
    (("0123456789abcdef" * 70)[:180], 9, "0e7dbd1f41f439f2c3237f1a0e425cbe60d3d3fda17ea2e8235dabb46ed5f426"),
    (("0123456789abcdef" * 70)[:213], 10, "f5d63f074166770e24847f2c307e3226135e3d19b42e5aa9449cd9b691b7b709"),
    (("0123456789abcdef" * 70)[:251], 11, "a124d5a554ed3dc9bbc9930943b32b84d7888c75b00523fc25761fbe2cc69af1"),
    (("0123456789abcdef" * 70)[:287], 12, "e0bbdd53a3f5e38858ec125df523cc9b9fc1622baa95083e7dffcdd7747bf1f2"),
    (("0123456789abcdef" * 70)[:331], 13, "d7130098f951565167cc9f8849b302ad8a9f89b97fab0458392ac5c5b9d90809"),
    (("0123456789abcdef" * 70)[:362], 14, "87fa896bd3fd80c96e9546fe30b9694beb5403dc93cfb8f2ea37227a5530b749"),
    (("0123456789abcdef" * 70)[:412], 15, "2c4e767719b9c83cb059810512f2019a826e524e49e775723744ae201079ac63"),
    (("0123456789abcdef" * 70)[:450], 16, "d575d1243c04ae3749d5abfbb36cef511bf3075cfd573b0c03c03838b5d46f6c"),
    (("0123456789abcdef" * 70)[:504], 17, "84c1ec627b36549aa3957c17785ad528e716bd6e2c6cbdc7a3f91b8174152463"),
    (("0123456789abcdef" * 70)[:560], 18, "32d7948068bfa4c56d327b7fbf15e741c230d36f4fc55ee403bb9fe6e2e032a5"),
    (("0123456789abcdef" * 70)[:624], 19, "22347f179086085b3e161d0f020bd85456ce88aaa55fa78c350b1a9af06bb921"),
    (("0123456789abcdef" * 70)[:666], 20, "b6212b5bf6b6cb31bd0a4cce2079bfa2710de0dd7e7f02602d5587120c491901"),
    (("0123456789abcdef" * 70)[:711], 21, "7e2d30256d250573c1189fdc28ecd26a19d434754fcbc1fe353c423b54389054"),
    (("0123456789abcdef" * 70)[:779], 22, "cb2dab717348a7301a84b0314f74b42b418966a5923691f22eefcb7c70e1f5ae"),
    (("0123456789abcdef" * 70)[:857], 23, "cedd4d23c8651c0364a54dbb65108e7ea1b8446bdd6ed2d9d3458960e82c0598"),
    (("0123456789abcdef" * 70)[:911], 24, "35ceb5d6493e21af41f903a2e7ba984d8f32b30b7380bc04cb968d4affb2f4d9"),
    (("0123456789abcdef" * 70)[:997], 25, "49fcf76b7671b0172c3f426e56a97c25211a09cb94dd925922be426501cad4c5"),
]
# Seconds pass only when the test says so, for what happens every second; and the test hides the page.
SECONDS = """
const begun = new Map();
const begin = setInterval.bind(globalThis);
const end = clearInterval.bind(globalThis);
globalThis.setInterval = (act, interval) => {
  if (interval !== 1000) return begin(act, interval);
  begun.set(-begun.size - 1, act);
  return -begun.size;
};
globalThis.clearInterval = (number) => (begun.delete(number), end(number));
globalThis.pass = (seconds) => {
  for (let second = 0; second < seconds; second += 1) for (const act of [...begun.values()]) act();
};
globalThis.hides = false;
Object.defineProperty(document, "visibilityState", { get: () => (hides ? "hidden" : "visible") });
"""
SYMBOLS = """async (texts) => {
  const { qrModules } = await import("/assets/core/qr-code.js");
  return texts.map((text) => qrModules(text).map((row) => row.map(Number).join("")).join("\\n"));
}"""


@pytest.fixture(scope="module")
def shop(browsers, binary, tmp_path_factory):
    """A shop, and a server of its own that knows its public address and leads back to the shop."""
    shop = Shop()
    server = Server.start(browsers.program, tmp_path_factory.mktemp("shop") / "data", ROOT / "Web", browsers.site.url,
                          "--return-origin", shop.url, "--public-url", "https://check.example")
    shop.server = server
    browsers.hosts_elsewhere |= {server.url.removeprefix("http://"), shop.host}
    yield shop
    server.stop()


def address(shop: Shop, check: dict) -> str:
    """Returns the page's address on this machine."""
    return check["page"].replace("https://check.example", shop.server.url)


def path_of(symbol: str) -> str:
    """Returns the path that draws a symbol with its quiet zone of four modules."""
    return "".join(f"M{x + 4} {y + 4}h1v1h-1z" for y, row in enumerate(symbol.split("\n")) for x, dark in enumerate(row) if dark == "1")


def test_button_leads_back_with_the_id_alone(env: BrowserEnvironment, shop: Shop) -> None:
    """Every ending has a button that leads back to the integrator, with the check's ID and nothing else."""
    for url, mark in ((f"{shop.url}/back?order=7", "&"), (shop.url, "?")):
        check = shop.server.create("turn-left", return_url=url)
        with env.page(env.browser(env.footage.no_face()), size=PHONE) as page:
            begin(page, address(shop, check))
            page.wait_for_selector(screen("check"))
            page.click("#stop")
            ending(page)
            page.wait_for_selector("#back:not([hidden])")
            true(page.is_visible("#again"), "the check can be tried again")
            true(not page.is_visible("#return"), "nothing happens by itself while the check can be tried again")
            page.click("#again")
            equal(ending(page), ENGLISH["reason.no-face.title"], "heading")
            equal(page.get_attribute("#back", "href"), f"{url}{mark}check={check['id']}", "the address")
            equal(page.inner_text("#back").replace("\u2068", "").replace("\u2069", ""), f"Back to {shop.host}", "the button")
            true(not page.is_visible("#leave"), "the home page of the server is not offered")
            env.shoot(page, "back-to-shop")
            equal(serious_violations(page), [], "violations")


def test_page_leads_back_by_itself_unless_it_is_stopped(env: BrowserEnvironment, shop: Shop) -> None:
    """After a verdict the page says that it will lead back, and how to stay; every sign of use starts the time again."""
    shop.returns.clear()
    host = f"\u2068{shop.host}\u2069"
    for stop in ("#stay", "Escape", None):
        check = shop.server.create("turn-left", return_url=f"{shop.url}/back?order=8")
        with env.page(env.browser(env.footage.no_face()), size=PHONE) as page:
            page.add_init_script(SECONDS)
            page.goto(shop.set_check(check, address(shop, check)))
            page.click("#prove")
            page.click("#begin")
            equal(ending(page), ENGLISH["reason.no-face.title"], "heading")
            page.wait_for_selector("#return:not([hidden])")
            equal(page.evaluate("document.activeElement.id"), "ending-title", "the focus is on the heading")
            announced = ENGLISH["return.text"].format(host=host, time="30 seconds")
            hint = ENGLISH["return.hint"].format(button=ENGLISH["return.stay"])
            until(page, f"document.getElementById('polite').textContent === {json.dumps(f'{announced} {hint}')}")
            for _ in range(2):
                page.evaluate("pass(20)")
                equal(page.inner_text("#return-text"), ENGLISH["return.text"].format(host=host, time="10 secs"), "the time left")
                page.keyboard.press("Shift")
            page.evaluate("pass(29)")
            env.shoot(page, "return-announced")
            equal(serious_violations(page), [], "violations")
            before = page.url
            if stop is None:
                page.evaluate("hides = true")
                page.evaluate("pass(60)")
                equal((page.url, shop.returns), (before, []), "the page stays while another one covers it")
                page.evaluate("hides = false")
                page.evaluate("pass(1)")
                page.wait_for_url(f"{shop.url}/**")
                equal((page.inner_text("h1"), page.inner_text("#state")), ("Thank you", "failed"), "the shop's page")
                equal(shop.returns, [(f"/back?order=8&check={check['id']}", None)], "what the shop learns")
                page.go_back()
                equal(page.inner_text("h1"), "Your basket", "the page before the check")
                continue
            if stop.startswith("#"):
                page.click(stop)
                equal(page.evaluate("document.activeElement.id"), "ending-title", "the focus is not lost")
            else:
                page.keyboard.press(stop)
            until(page, f"document.getElementById('polite').textContent === {json.dumps(ENGLISH['return.stopped'])}")
            equal(page.inner_text("#return-text"), ENGLISH["return.stopped"], "what the page says")
            page.evaluate("pass(120)")
            env.shoot(page, "return-stopped")
            page.wait_for_timeout(500)
            true(page.is_visible("#back"), "the button is still there")
            equal((page.url, shop.returns), (before, []), "the page stays")


def test_check_without_an_address_has_no_button(env: BrowserEnvironment) -> None:
    """Without an address there is no button, and a link cannot bring one."""
    check = env.server.create("turn-left")
    with env.page(env.browser(env.footage.no_face())) as page:
        begin(page, env.server.url + check["page"] + "&return_url=https://evil.example/")
        page.wait_for_selector(screen("check"))
        page.click("#stop")
        ending(page)
        page.wait_for_timeout(500)
        true(not page.is_visible("#back"), "no button")


def test_device_without_a_camera_follows_the_phone(env: BrowserEnvironment, shop: Shop) -> None:
    """A device without a camera hands the check to a phone by a QR code, follows it task by task, and leads back to the shop."""
    shop.returns.clear()
    check = shop.server.create("turn-left", return_url=f"{shop.url}/back?order=7")
    with env.page(env.browser(), size=DESKTOP) as page:
        page.add_init_script(NO_CAMERA)
        page.goto(shop.set_check(check, address(shop, check)))
        page.click("#prove")
        page.click("#begin")
        equal(ending(page), ENGLISH["trouble.camera-absent.title"], "heading")
        page.wait_for_selector("#phone .qr")
        until(page, f"document.getElementById('phone-status').textContent === {json.dumps(ENGLISH['phone.waiting'])}")
        box = page.locator("#phone .qr").bounding_box()
        true(min(box["width"], box["height"]) >= 240, f"a phone can read the code across a desk: {box}")
        env.shoot(page, "phone-waiting")
        equal(serious_violations(page), [], "violations")
        drawn = page.evaluate("document.querySelector('#phone .qr path').getAttribute('d')")
        secret = json.loads(base64.urlsafe_b64decode(check["token"].split(".")[1] + "=="))["jti"]
        link = f"https://check.example/check#{check['id']}.{secret}"
        symbol = page.evaluate(SYMBOLS, [link])[0]
        equal(drawn, path_of(symbol), "the link in the code")
        true(box["width"] / (symbol.index("\n") + 8) >= 6, f"pixels of a module: {box}, {symbol.index(chr(10))} modules")
        true(not page.is_visible("#phone-progress"), "nothing has begun")
        with env.page(env.browser(env.footage.no_face()), size=PHONE) as phone:
            begin(phone, link.replace("https://check.example", shop.server.url))
            equal(phone.evaluate("location.hash"), "", "the secret is no longer in the address")
            until(page, f"document.getElementById('phone-status').textContent === {json.dumps(ENGLISH['phone.running'])}")
            true(page.is_visible("#phone-progress") and not page.is_visible("#phone .qr"), "the progress takes the place of the code")
            equal(page.inner_text("#phone-task"), ENGLISH["count.tasks"].format(number=1, count=1), "the task")
            env.shoot(page, "phone-running")
            equal(serious_violations(page), [], "violations while the phone is busy")
            equal(ending(phone), ENGLISH["reason.no-face.title"], "heading on the phone")
            phone.wait_for_selector("#back:not([hidden])")
            true(not phone.is_visible("#return"), "the phone does not lead back by itself")
        until(page, f"document.getElementById('ending-title').textContent === {json.dumps(ENGLISH['reason.no-face.title'])}")
        true(not page.is_visible("#phone"), "the code is gone")
        equal(page.evaluate("document.activeElement.id"), "ending-title", "the focus is on the heading")
        page.wait_for_selector("#return:not([hidden])")
        env.shoot(page, "phone-done")
        press_until(page, "back")
        page.keyboard.press("Enter")
        page.wait_for_url(f"{shop.url}/**")
        equal((page.inner_text("h1"), page.inner_text("#state")), ("Thank you", "failed"), "the shop's page")
        equal(shop.returns, [(f"/back?order=7&check={check['id']}", None)], "what the shop learns")


def test_code_is_shown_where_a_phone_can_use_it(env: BrowserEnvironment) -> None:
    """Without an https address there is no code, since a phone could not run the check."""
    check = env.server.create("turn-left")
    with env.page(env.browser()) as page:
        page.add_init_script(NO_CAMERA)
        begin(page, env.server.url + check["page"])
        ending(page)
        page.wait_for_timeout(500)
        true(not page.is_visible("#phone"), "no code")


def test_code_in_a_right_to_left_language(env: BrowserEnvironment, shop: Shop) -> None:
    """The code and the button are shown in Arabic and in the dark scheme, and nothing is cut off on a small screen."""
    check = shop.server.create("turn-left", return_url=f"{shop.url}/back")
    with env.page(env.browser(), size={"width": 320, "height": 568}, language="ar-EG", scheme="dark") as page:
        page.add_init_script(NO_CAMERA)
        begin(page, address(shop, check))
        equal(ending(page), TEXTS["ar"]["trouble.camera-absent.title"], "heading")
        page.wait_for_selector("#back:not([hidden])")
        page.locator("#phone").scroll_into_view_if_needed()
        env.shoot(page, "phone-arabic-dark")
        true(page.evaluate("document.documentElement.scrollWidth") <= 320, "nothing is cut off")
        equal(serious_violations(page), [], "violations")


def test_symbols_equal_those_of_another_encoder(env: BrowserEnvironment) -> None:
    """The symbols of versions 1 to 25 equal those of another encoder, and texts that are too long are refused."""
    with env.page(env.browser()) as page:
        page.goto(env.server.url + "/check")
        symbols = page.evaluate(SYMBOLS, [text for text, _, _ in VECTORS])
        refused = page.evaluate("""async () => {
          const { qrModules } = await import("/assets/core/qr-code.js");
          try { qrModules("x".repeat(998)); } catch (error) { return error instanceof RangeError; }
        }""")
    for (text, version, digest), symbol in zip(VECTORS, symbols):
        equal((symbol.count("\n") + 1, hashlib.sha256(symbol.encode()).hexdigest()), (17 + 4 * version, digest), f"{len(text)} bytes")
    true(refused, "a text that is too long is refused")
