"""Every page in every state: walks that bring a page from state to state.

The test of accessibility and `scripts/look-at-pages` use them. States that take a face or a minute are scripted.
"""

from __future__ import annotations

from browser import message_pages
from browser.check_states import CAMERA, CheckStates, answer
from browser.console_pages import PASSWORD
from browser.environment import PHONE, screen, until
from browser.message_pages import PERFORMANCE
from browser.scripted_steps import ScriptedSteps
from support.capture_files import photo

TOUR_SEEN = "if (location.protocol !== 'about:') localStorage.setItem('mien.told', 'true')"


class PageStates(CheckStates):
    """The walks through all pages."""

    @classmethod
    def walks(cls) -> list[str]:
        """Returns the names of the walks."""
        return [name.removeprefix("walk_") for name in dir(cls) if name.startswith("walk_")]

    def walk(self, name: str, page):
        """Yields the names of states in turn, with the page in that state."""
        return getattr(self, f"walk_{name}")(page)

    # Pages without a flow.

    def walk_pages(self, page):
        for name, place in (("home", "/"), ("methodology", "/methodology"), ("not-found", "/nowhere")):
            self.open(page, place)
            yield name
        self.open(page, "/developers")
        page.wait_for_selector(".operation", state="attached")
        until(page, "document.querySelector('#check').shadowRoot?.getElementById('begin') != null")
        yield "developers"
        self.open(page, "/status")
        page.wait_for_selector('.badge[data-status="ready"]')
        yield "status"

    def walk_menu(self, page):
        self.open(page, "/verify")
        page.set_viewport_size(PHONE)
        page.click("#menu")
        page.wait_for_selector("#areas", state="visible")
        yield "menu"
        page.keyboard.press("Escape")
        page.click("#sign-in")
        page.wait_for_selector("dialog[open] input")
        yield "sign-in"
        page.fill("dialog[open] input[name=name]", "anna")
        page.fill("dialog[open] input[name=password]", "a wrong password")
        page.keyboard.press("Enter")
        page.wait_for_selector("dialog[open] .wrong:not(:empty)")
        yield "sign-in-wrong"

    # Messages.

    def walk_encode(self, page):
        page.add_init_script(CAMERA % self.person)
        self.open(page, "/encode")
        page.wait_for_selector("#tour-done")
        yield "encode-tour"
        page.click("#tour-done")
        page.fill("#text", "See you at the pier at 8.")
        yield "encode-write"
        page.click("summary")
        yield "encode-options"
        answer(page, "**/v1/messages/recordings", PERFORMANCE, 201)
        answer(page, "**/v1/messages", self.message(), 201)
        steps = ScriptedSteps(page, message_pages.step(performed=["smile", "wink_l"], current="smooch", hold=0.5))
        page.click("#lock")
        page.wait_for_selector(".place[data-filled]")
        yield "encode-record"
        steps.step = message_pages.step(state="recorded", performed=["smile", "wink_l", "smile", "wink_l", "smile"])
        page.wait_for_selector(screen("done"))
        until(page, "document.getElementById('gif').naturalWidth > 0")
        yield "encode-done"
        self.open(page, "/profile")
        yield "profile"

    def walk_decode(self, page):
        page.add_init_script(CAMERA % self.person)
        page.add_init_script(TOUR_SEEN)
        self.open(page, "/decode")
        page.wait_for_selector(screen("choose"))
        yield "decode-choose"
        page.set_input_files("#file", {"name": "a.gif", "mimeType": "image/gif", "buffer": b"GIF89a and nothing else"})
        page.wait_for_selector("#choose-wrong:not(:empty)")
        yield "decode-broken-file"
        self.open(page, f"/decode#{self.message()['id']}")
        page.wait_for_selector(screen("ready"))
        until(page, "document.getElementById('gif').naturalWidth > 0")
        yield "decode-ready"
        answer(page, "**/v1/messages/*/unlock", PERFORMANCE, 201)
        steps = ScriptedSteps(page, message_pages.step(performed=["smile"], count=3))
        page.click("#perform")
        page.wait_for_selector(".place[data-filled]")
        yield "decode-perform"
        steps.step = message_pages.step(state="wrong", performed=["smooch", "smile", "wink_l"], attempts_left=9, count=3)
        page.wait_for_selector(screen("ending"))
        yield "decode-wrong"
        steps.step = message_pages.step(state="opened", performed=["smile", "wink_r", "smooch"], count=3, views_left=2,
                                        text="See you at the pier at 8.")
        page.click("#again")
        page.wait_for_selector(screen("revealed"))
        yield "decode-opened"
        page.click("#finished")
        page.wait_for_selector(screen("choose"))
        yield "decode-list"
        self.open(page, f"/decode#{self.message(mode='open')['id']}")
        page.wait_for_selector(screen("ready"))
        until(page, "document.getElementById('gif').naturalWidth > 0")
        yield "decode-open"

    def walk_closed(self, page):
        """Messages that cannot be opened."""
        page.add_init_script(TOUR_SEEN)
        number = self.message()["id"]
        state = {"id": number, "mode": "open", "avatar": "fox", "steps": 5}
        replies = {"missing": ({"code": "not-found"}, 404), "read": (state | {"state": "read"}, 200),
                   "waiting": (state | {"state": "waiting", "waits_until": "2030-02-03T04:05:00Z"}, 200),
                   "link": (state | {"state": "ready", "requires_link": True}, 200), "error": ({"code": "internal-error"}, 500)}
        for name, (reply, status) in replies.items():
            page.unroute_all()
            answer(page, "**/v1/messages/*", reply, status)
            self.open(page, f"/decode#{number}")
            page.wait_for_selector(screen("ending"))
            yield f"decode-{name}"

    # Photos.

    def walk_verify(self, page):
        self.open(page, "/verify")
        page.wait_for_selector("#file", state="attached")
        yield "verify-choose"
        page.set_input_files("#file", {"name": "a.png", "mimeType": "image/png", "buffer": b"not a picture"})
        page.wait_for_selector("#wrong:not(:empty)")
        yield "verify-wrong"
        page.set_input_files("#file", {"name": "a.png", "mimeType": "image/png", "buffer": photo(371)})
        page.wait_for_selector('body[data-screen="file"] .verdict')
        yield "verify-file"
        self.open(page, f"/verify/{self.records.capture['id']}")
        page.wait_for_selector('body[data-screen="capture"] .verdict')
        yield "verify-capture"
        page.evaluate("for (const part of document.querySelectorAll('details.fold')) part.open = true")
        yield "verify-evidence"
        self.open(page, "/verify/cap_AAAAAAAAAAAAAAAAAAAAAA")
        page.wait_for_selector('body[data-screen="missing"]')
        yield "verify-missing"

    # Scans.

    def walk_scans(self, page):
        page.add_init_script(CAMERA % self.person)
        self.open(page, "/scan")
        page.wait_for_selector("#kind-face")
        yield "scan-kind"
        page.click("#kind-face")
        page.click("#open-camera")
        until(page, "document.getElementById('video').videoWidth > 0 && !document.getElementById('shutter').disabled")
        yield "scan-face"
        self.open(page, f"/scan#{self.scan}")
        page.wait_for_selector('body[data-screen="done"] #view[data-drawn]', timeout=120_000)
        yield "scan-done"
        self.open(page, "/scans")
        page.locator("#scans > li").first.scroll_into_view_if_needed()  # pictures are loaded in sight
        page.wait_for_selector("#scans > li .picture img")
        yield "scans"
        page.click("#scans > li:first-child [data-action='scan.erase']")
        page.wait_for_selector("dialog[open]")
        yield "scans-erase"

    def walk_object(self, page):
        """An object's scan up to its upload, and one that failed."""
        self.open(page, "/scan")
        page.click("#kind-object")
        page.wait_for_selector("#depth-files", state="attached")
        yield "scan-object"
        page.set_input_files("#depth-folder", self.folder)
        until(page, "!document.getElementById('review').disabled")
        page.fill("#label", "Mug")
        yield "scan-files"
        page.click("#review")
        page.wait_for_selector("#upload")
        yield "scan-review"
        page.route("**/v1/uploads/**", lambda route: route.abort())
        page.route("**/v1/uploads", lambda route: route.abort())
        page.click("#upload")
        page.wait_for_selector('body[data-screen="send"]')
        yield "scan-upload"
        for name, reply, status in (("missing", {"code": "not-found"}, 404), ("key", {"code": "unauthorized"}, 401)):
            page.unroute_all()
            answer(page, "**/v1/scans/scn_scripted*", reply, status)
            self.open(page, "/scan#scn_scripted")
            page.wait_for_selector('body[data-screen="missing"]')
            yield f"scan-{name}"

    # Console.

    def walk_console(self, page):
        self.open(page, "/console")
        page.wait_for_selector("#wrong form.sign-in")
        yield "console-sign-in"
        page.fill("#wrong form.sign-in input[name=name]", "anna")
        page.fill("#wrong form.sign-in input[name=password]", PASSWORD)
        page.keyboard.press("Enter")
        page.wait_for_selector("#records li")
        yield "console-checks"
        for name, check in (("passed", self.records.passed), ("failed", self.records.failed)):
            page.goto(f"{self.url}/console#checks/{check.id}")
            page.wait_for_selector("[data-signature=valid]")
            yield f"console-{name}"
        page.click("#erase")
        page.wait_for_selector("dialog[open]")
        yield "console-erase"
        page.keyboard.press("Escape")
        for tab in ("captures", "messages", "webhooks", "keys", "retention"):
            page.click(f"#tab-{tab}")
            page.wait_for_selector(f"#tab-{tab}[aria-current]")
            page.wait_for_selector("main #title")
            yield f"console-{tab}"
