"""Every state of the page of a check and of the element."""

from __future__ import annotations

import base64
import json

from browser.environment import screen, until
from browser.scripted_steps import ScriptedSteps, step
from browser.state_server import StateServer
from browser.task_states import STATES

# A camera that shows a drawn person.
CAMERA = """
if (navigator.mediaDevices) navigator.mediaDevices.getUserMedia = async () => {
  const canvas = Object.assign(document.createElement("canvas"), { width: 640, height: 480 });
  const text = atob("%s");
  const picture = await createImageBitmap(new Blob([Uint8Array.from(text, (letter) => letter.charCodeAt(0))]));
  const draw = () => canvas.getContext("2d").drawImage(picture, 0, 0, 640, 480);
  draw();
  setInterval(draw, 100);
  return canvas.captureStream(15);
};
"""
# Documents without an origin of their own have no media devices.
NO_CAMERA = "if (navigator.mediaDevices) navigator.mediaDevices.getUserMedia = async () => { throw new DOMException('none', '%s'); };"
WAITING_CAMERA = "if (navigator.mediaDevices) navigator.mediaDevices.getUserMedia = () => new Promise(() => {});"
WAY_BACK = "https://shop.example/back?order=7"
VERDICTS = {"passed": {"state": "passed"}, "failed": {"state": "failed", "reason": "turned-too-little"},
            "late": {"state": "timed-out", "reason": "timed-out"}}
PROGRESS = {"index": 1, "count": 3}


def answer(page, pattern: str, body: dict, status: int = 200) -> None:
    """Answers requests of a page with a value."""
    page.route(pattern, lambda route: route.fulfill(status=status, content_type="application/json", body=json.dumps(body)))


class CheckStates(StateServer):
    """The walks through a check."""

    def given(self, page, verdict: str | None = None, camera: str | None = None):
        """Opens a check by a link, whose steps and verdict are scripted."""
        page.add_init_script(camera or CAMERA % self.person)
        steps = ScriptedSteps(page, STATES["path"])
        reply = {"state": "waiting", "return_url": WAY_BACK, "public_url": "https://check.example"}
        page.route("**/v1/checks/chk_scripted/page", lambda route: route.fulfill(content_type="application/json", body=json.dumps(reply)))
        # A token with the claim that the short link has.
        claims = base64.urlsafe_b64encode(json.dumps({"jti": "q7MvXtJ2kW9sZc4LrE8yBn"}).encode()).decode().rstrip("=")
        page.goto(f"{self.url}/check#id=chk_scripted&token=e30.{claims}.x")
        page.wait_for_selector("#begin")
        if verdict:
            steps.step = STATES["path"] | {"hints": [], "task": None, "remaining_ms": 0} | VERDICTS[verdict]
        return steps, reply

    def walk_check(self, page):
        page.add_init_script(CAMERA % self.person)
        self.open(page, "/check")
        page.wait_for_selector("#begin")
        yield "check-welcome"
        page.click("#able summary")
        yield "check-abilities"
        first = step("head-turn", {}) | {"state": "positioning", "instruction": "position-face", "task": None, "hints": ["too-far"],
                                         "remaining_ms": 0}
        steps = ScriptedSteps(page, first)
        self.open(page, "/check")
        page.click("#begin")
        page.wait_for_selector(screen("check"))
        steps.show(page, first)
        yield "check-position"
        steps.show(page, first | {"state": "tracking", "instruction": "turn", "side": "subject-left", "progress": 0.4, "hints": [],
                                  "remaining_ms": 6000})
        yield "check-turn"
        for name in ("circle-part", "question-wrong", "sequence", "blink", "path", "light"):
            steps.show(page, STATES[name])
            yield f"check-{name}"

    def walk_consent(self, page):
        self.given(page)
        answer(page, "**/v1/checks/chk_scripted/match", {"state": "open"})
        page.reload()
        page.click("#begin")
        page.wait_for_selector(screen("consent"))
        yield "check-consent"

    def walk_permission(self, page):
        self.given(page, camera=WAITING_CAMERA)
        page.click("#begin")
        page.wait_for_selector(screen("permission"))
        yield "check-permission"

    def ends(self, page, verdict: str) -> None:
        self.given(page, verdict)
        page.click("#begin")
        page.wait_for_selector("#return:not([hidden])")

    def walk_passed(self, page):
        self.ends(page, "passed")
        yield "ending-passed"
        page.click("#stay")
        yield "ending-stay"

    def walk_failed(self, page):
        self.ends(page, "failed")
        yield "ending-failed"

    def walk_late(self, page):
        self.ends(page, "late")
        yield "ending-late"

    def walk_stopped(self, page):
        self.given(page)
        page.click("#begin")
        page.wait_for_selector(screen("check"))
        page.click("#stop")
        page.wait_for_selector(screen("ending"))
        yield "ending-stopped"

    def walk_blocked(self, page):
        self.given(page, camera=NO_CAMERA % "NotAllowedError")
        page.click("#begin")
        page.wait_for_selector("#back:not([hidden])")
        yield "ending-blocked"

    def walk_busy(self, page):
        self.given(page, camera=NO_CAMERA % "NotReadableError")
        page.click("#begin")
        page.wait_for_selector("#back:not([hidden])")
        yield "ending-busy-camera"

    def walk_expired(self, page):
        self.given(page)
        answer(page, "**/frames", {"code": "token-expired"}, 401)
        page.click("#begin")
        page.wait_for_selector(screen("ending"))
        yield "ending-expired-link"

    def walk_own(self, page):
        """A demo check that fails, which can be tried again, and a server that answers with errors."""
        page.add_init_script(CAMERA % self.person)
        ScriptedSteps(page, STATES["path"] | {"hints": [], "task": None, "remaining_ms": 0} | VERDICTS["failed"])
        self.open(page, "/check")
        page.click("#begin")
        page.wait_for_selector(screen("ending"))
        yield "ending-again"
        answer(page, "**/v1/demo/checks", {"code": "internal-error"}, 500)
        self.open(page, "/check")
        page.click("#begin")
        page.wait_for_selector(screen("ending"))
        yield "ending-error"

    def walk_phone(self, page):
        _, reply = self.given(page, camera=NO_CAMERA % "NotFoundError")
        page.click("#begin")
        page.wait_for_selector("#phone .qr")
        yield "ending-phone"
        reply |= {"state": "running", "progress": 0.4, "task": PROGRESS}
        page.wait_for_selector("#phone-progress:not([hidden])")
        yield "ending-phone-running"

    def walk_element(self, page):
        page.add_init_script(CAMERA % self.person)
        page.add_init_script('document.addEventListener("DOMContentLoaded", () => { const check = document.getElementById("check"); '
                             'check.session = async () => ({ sessionId: "chk_scripted", sessionToken: "t" }); });')
        steps = ScriptedSteps(page, STATES["path"])
        page.goto(self.site.show('modal show-powered-by allow-audio brand-name="Harbour Bank" brand-color="#1d4ed8"'))
        until(page, "customElements.get('mien-liveness') !== undefined")
        page.evaluate("check.open()")
        page.wait_for_selector("#begin")
        yield "element-welcome"
        page.click("#begin")
        page.wait_for_selector(screen("check"))
        for name in ("path", "question-wrong", "light"):
            steps.show(page, STATES[name])
            yield f"element-{name}"
        steps.step = STATES["path"] | {"task": None} | VERDICTS["failed"]
        page.wait_for_selector(screen("ending"))
        yield "element-ending"
