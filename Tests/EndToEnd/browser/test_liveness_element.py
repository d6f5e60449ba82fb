"""Tests of `<mien-liveness>` in another site's page, on another origin and under a strict content security policy."""

from __future__ import annotations

from browser.axe import serious_violations
from browser.environment import DESKTOP, LANDSCAPE, PHONE, SMALL, BrowserEnvironment, equal, true, until
from browser.liveness_element import IN_SHADOW, TEXTS, await_ending, received_events, shown, visit
from browser.scripted_steps import ScriptedSteps
from browser.task_states import STATES


def test_head_turn_passes_and_notifies_the_page(env: BrowserEnvironment) -> None:
    """On another origin, a head turn passes in English, and the page is notified."""
    check = env.server.create("turn-right")
    with env.page(env.browser(env.footage.turn_right())) as page:
        logo = 'brand-name="Harbour Bank" brand-color="#1d4ed8" brand-logo="/logo.svg" show-powered-by'
        visit(env, page, f'session-id="{check["id"]}" session-token="{check["token"]}" user-first-name="Ada" {logo}')
        equal(shown(page, "welcome-title"), TEXTS["en"]["welcome.hello"].replace("{name}", "Ada"), "greeting")
        env.shoot(page, "element-welcome")
        equal(serious_violations(page), [], "axe on the welcome")
        page.evaluate("""() => {
          check.metadata = { order: 7 };
          check.onSuccess = (data) => { globalThis.called = data; };
        }""")
        page.click("#begin")
        until(page, f"{IN_SHADOW % 'drawing'}.querySelector('.arrow').style.visibility === 'visible'", 90)
        env.shoot(page, "element-asking")
        equal(await_ending(page), TEXTS["en"]["passed.title"], "heading")
        until(page, "heard.some((event) => event.name === 'success')")
        success = received_events(page, "success")[0]
        reported = (success["sessionId"], success["passed"], success["metadata"])
        equal(reported, (check["id"], True, {"order": 7}), "detail")
        true(success["faceImage"].startswith("data:image/jpeg;base64,"), "a face image")
        true("error" not in success and "score" not in success, f"nothing more than that: {sorted(success)}")
        equal(page.evaluate("called.sessionId"), check["id"], "the callback is called")
        instructions = [detail["instruction"] for detail in received_events(page, "progress")]
        true("turn" in instructions and "get-ready" in instructions, f"progress: {set(instructions)}")
        equal(env.server.result(check["id"])["state"], "passed", "the server's own result")
        env.shoot(page, "element-passed")
        equal(serious_violations(page), [], "axe on the ending")


def test_head_turn_passes_as_an_arabic_dialog(env: BrowserEnvironment) -> None:
    """On another origin, a head turn passes as a dialog, in Arabic, on a phone."""
    check = env.server.create("turn-left")
    with env.page(env.browser(env.footage.turn_left()), size=PHONE, scheme="dark", language="ar-EG") as page:
        visit(env, page, 'modal brand-name="بنك الميناء" brand-color="#7f1d1d"', language="ar", direction="rtl")
        session = {"sessionId": check["id"], "sessionToken": check["token"]}
        page.evaluate("(session) => { check.session = async () => session; check.open(); }", session)
        until(page, "check.shadowRoot.querySelector('dialog').open")
        equal(shown(page, "begin"), TEXTS["ar"]["welcome.begin"], "button")
        env.shoot(page, "element-arabic-welcome")
        page.click("#begin")
        until(page, f"{IN_SHADOW % 'drawing'}.querySelector('.arrow').style.visibility === 'visible'", 90)
        until(page, f"{IN_SHADOW % 'instruction'}.textContent === {TEXTS['ar']['instruction.turn.subject-left']!r}", 90)
        arrow = page.evaluate("check.shadowRoot.querySelector('.arrow').getBoundingClientRect().x")
        true(arrow < PHONE["width"] / 2, f"the subject's left is the left of the mirror, also in Arabic: {arrow}")
        env.shoot(page, "element-arabic-asking")
        equal(await_ending(page), TEXTS["ar"]["passed.title"], "heading")
        until(page, "heard.some((event) => event.name === 'success')")
        env.shoot(page, "element-arabic-passed")
        page.click("#leave")
        until(page, "heard.some((event) => event.name === 'close')")
        true(not page.evaluate("check.isOpen || check.shadowRoot.querySelector('dialog').open"), "it is closed")
        true(page.evaluate(f"{IN_SHADOW % 'video'}.srcObject === null"), "the camera is off")


def test_errors_have_the_compatible_keys(env: BrowserEnvironment) -> None:
    """A failed check, a wrong token, a missing session and a missing camera have the error keys of the compatible SDK."""
    found: dict[str, str] = {}
    with env.page(env.browser(env.footage.two_halves())) as page:
        check = env.server.create("turn-left")

        def fails(attributes: str, prepare: str = "() => {}") -> str:
            visit(env, page, attributes)
            page.evaluate(prepare)
            page.click("#begin")
            await_ending(page)
            until(page, "heard.some((event) => event.name === 'failure')")
            failure = received_events(page, "failure")[0]
            equal(failure["passed"], False, "passed")
            true(len(failure["error"]["message"]) > 10, "a message for people")
            return failure["error"]["key"]

        found["wrong token"] = fails(f'session-id="{check["id"]}" session-token="wrong"')
        found["unknown session"] = fails('session-id="chk_none" session-token="wrong"')
        found["no session"] = fails("")
        found["backend down"] = fails("", "() => { check.session = async () => { throw new Error('down'); }; }")
        found["no camera"] = fails(
            f'session-id="{check["id"]}" session-token="{check["token"]}"',
            """() => { navigator.mediaDevices.getUserMedia = async () => {
              throw new DOMException('', 'NotFoundError');
            }; }""")
        found["no face"] = fails(f'session-id="{check["id"]}" session-token="{check["token"]}"')
        # Scripted steps for outcomes that this server does not produce.
        script = ScriptedSteps(page, {"state": "failed", "instruction": "done", "side": None, "progress": 0, "hints": [],
                               "reason": "eyes-closed", "remaining_ms": 0, "outline": []})
        ready = 'session-id="chk_scripted" session-token="scripted"'
        found["eyes closed"] = fails(ready)
        for reason in ("expired", "wrong-direction"):
            script.step = {**script.step, "reason": reason}
            found[reason] = fails(ready)
    true(found.pop("unknown session") in ("invalid_or_expired_session", "session_token_error"), "unknown session")
    equal(found, {
        "wrong token": "session_token_error", "no session": "session_token_error",
        "backend down": "session_token_error", "no camera": "image_capture_failed",
        "no face": "image_capture_failed", "eyes closed": "eyes_closed", "expired": "invalid_or_expired_session",
        "wrong-direction": "task_failed"}, "error keys")


def test_tasks_of_the_element_decide_in_a_given_session(env: BrowserEnvironment) -> None:
    """The tasks are those of the element if the backend left the choice, and refused if it did not."""
    tasks = """tasks='["blink", {"id": "motions", "maxNods": 1, "maxBlinks": 1}]'"""
    for given, kinds, heading in ((None, ["blink", "motions"], None), ([{"kind": "head-path"}], ["head-path"], "trouble.session.title")):
        id, token = env.server.vendor_session(**({"tasks": given} if given else {}))
        with env.page(env.browser(env.footage.two_halves())) as page:
            visit(env, page, f'session-id="{id}" session-token="{token}" {tasks}')
            page.click("#begin")
            if heading:
                equal(await_ending(page), TEXTS["en"][heading], "heading")
            else:
                until(page, "!check.shadowRoot.querySelector('[data-screen=check]').hidden && heard.some(({ name }) => name === 'progress')")
        equal(env.server.result(id)["tasks"], kinds, "what is asked")


def test_retry_requests_another_session(env: BrowserEnvironment) -> None:
    """After a failure the session function is asked for another session."""
    with env.page(env.browser(env.footage.two_halves())) as page:
        visit(env, page, 'public-key="pk" user-last-name="Lovelace"')
        page.evaluate("""() => {
          globalThis.asked = [];
          check.tasks = ["blink", { id: "completeTheCircle", difficulty: "easy" }];
          check.session = async ({ signal, ...request }) => {
            asked.push(request);
            return { sessionId: `chk_${asked.length}`, sessionToken: "t" };
          };
        }""")
        equal(page.evaluate("check.shadowRoot.querySelector('.fact-title').textContent"),
              TEXTS["en"]["welcome.tasks.title"], "the welcome speaks of tasks")
        script = ScriptedSteps(page, {"state": "failed", "instruction": "done", "side": None, "progress": 0, "hints": [],
                               "reason": "wrong-motion", "remaining_ms": 0, "outline": []})
        page.click("#begin")
        equal(await_ending(page), TEXTS["en"]["reason.wrong-motion.title"], "heading")
        script.step = STATES["blink"]
        page.click("#again")
        until(page, f"{IN_SHADOW % 'count'}.textContent === '1 of 3'")
        asked = page.evaluate("asked")
        equal([request["tasks"] for request in asked],
              [[{"kind": "blink"}, {"kind": "complete-the-circle", "difficulty": "easy"}]] * 2, "tasks for the backend")
        equal(asked[0]["user"]["lastName"], "Lovelace", "the user")
        equal(asked[0]["publicKey"], "pk", "the public key")
        equal(asked[0]["sandboxEnvironment"], True, "sandbox is the default")
        page.evaluate("check.close()")
        equal(len(received_events(page, "close")), 1, "close events")
        true(page.evaluate(f"{IN_SHADOW % 'video'}.srcObject === null"), "the camera is off")


LATE = """
globalThis.opened = [];
const ask = navigator.mediaDevices.getUserMedia.bind(navigator.mediaDevices);
navigator.mediaDevices.getUserMedia = async (constraints) => {
  await new Promise((done) => { globalThis.allow = done; });
  opened.push(await ask(constraints));
  return opened.at(-1);
};
"""


def test_late_camera_is_switched_off(env: BrowserEnvironment) -> None:
    """A camera that starts after the element was removed is switched off, and its dialog is closed."""
    with env.page(env.browser()) as page:
        page.add_init_script(LATE)
        visit(env, page, "modal")
        page.evaluate("() => { check.session = async () => ({ sessionId: 'chk_1', sessionToken: 't' }); check.open(); }")
        page.click("#begin")
        until(page, "globalThis.allow !== undefined")
        page.evaluate("() => { globalThis.gone = check; gone.remove(); allow(); }")
        until(page, "opened.length === 1 && opened[0].getTracks().every((track) => track.readyState === 'ended')")
        true(not page.evaluate("gone.shadowRoot.querySelector('dialog').open"), "the dialog is closed")


def test_invalid_options_are_rejected_early(env: BrowserEnvironment) -> None:
    """Invalid options are rejected early, and an invalid color is ignored."""
    empty = [{"question": " ", "answer": True}]
    wrong = [["juggling"], "blink", [{"kind": "yes-or-no"}], [{"kind": "yes-or-no", "questions": empty}],
             [{"kind": "blink", "maxBlinks": 10**9}], [{"kind": "blink", "timeout": -1}],
             [{"kind": "motions", "difficulty": "absurd"}]]
    with env.page(env.browser()) as page:
        visit(env, page, 'brand-color="reddish"')
        for tasks in wrong:
            name = page.evaluate("""(tasks) => {
              try { check.tasks = tasks; } catch (error) { return error.name; }
              return "";
            }""", tasks)
            equal(name, "TypeError", f"tasks {tasks}")
        equal(page.evaluate("check.tasks"), None, "nothing wrong was kept")
        accent = page.evaluate("getComputedStyle(check).getPropertyValue('--accent').trim()")
        equal(accent, "#0b5d4e", "the accent without a brand")


def test_brand_colors_are_made_legible(env: BrowserEnvironment) -> None:
    """Any brand color is made legible, in light and dark."""
    colors = ["#ffffff", "#000000", "#ffff00", "#0000ff", "#ff0000", "#00ff00", "#808080", "#fde68a", "#123", "7c3aed"]
    for scheme in ("light", "dark"):
        with env.page(env.browser(), scheme=scheme) as page:
            visit(env, page, "")
            for color in colors:
                page.evaluate("(color) => { check.branding = { color }; }", color)
                equal(serious_violations(page, "color-contrast"), [], f"{color} in {scheme}")
                accent = page.evaluate("getComputedStyle(check.shadowRoot.getElementById('begin')).backgroundColor")
                true(accent.startswith("rgb("), f"{color} in {scheme}: {accent}")
            env.shoot(page, f"element-brand-{scheme}")


def test_language_can_change_during_a_check(env: BrowserEnvironment) -> None:
    """The language can be changed during a check, and nothing but the texts changes."""
    with env.page(env.browser(env.footage.turn_right())) as page:
        visit(env, page, "")
        page.evaluate("() => { check.session = async () => ({ sessionId: 'chk_1', sessionToken: 't' }); }")
        ScriptedSteps(page, STATES["question"])
        page.click("#begin")
        until(page, f"{IN_SHADOW % 'answer-yes'}.hidden === false")
        equal(serious_violations(page), [], "axe in English")
        page.select_option("[part=languages]", "he")
        until(page, f"{IN_SHADOW % 'hint-text'}.textContent === {TEXTS['he']['instruction.yes-or-no']!r}")
        equal(page.evaluate("check.shadowRoot.querySelector('.panel').dir"), "rtl", "direction")
        place = "(box => box.x + box.width / 2)({}.getBoundingClientRect())"
        no, yes = (page.evaluate(place.format(IN_SHADOW % f"answer-{name}")) for name in ("no", "yes"))
        true(no < yes, f"no stays at the left: {no} {yes}")
        env.shoot(page, "element-hebrew-question")
        equal(serious_violations(page), [], "axe in Hebrew")
        page.evaluate("check.lang = 'de'")
        until(page, f"{IN_SHADOW % 'stop'}.textContent === {TEXTS['de']['check.stop']!r}")
        page.evaluate("check.lang = 'tlh'")  # there are no Klingon texts: the page's own language is next
        until(page, f"{IN_SHADOW % 'stop'}.textContent === {TEXTS['en']['check.stop']!r}")


def test_instructions_can_be_spoken_and_muted(env: BrowserEnvironment) -> None:
    """Instructions are spoken on request, and can be muted."""
    with env.page(env.browser(env.footage.two_halves())) as page:
        page.add_init_script("""
          globalThis.spoken = [];
          speechSynthesis.speak = ({ text, lang }) => spoken.push([text, lang]);
        """)
        visit(env, page, "allow-audio", language="de")
        page.evaluate("() => { check.session = async () => ({ sessionId: 'chk_1', sessionToken: 't' }); }")
        script = ScriptedSteps(page, STATES["path"])
        page.click("#begin")
        text = TEXTS["de"]["toward.left-up"]
        until(page, f"spoken.some(([text, lang]) => lang === 'de' && text.includes({text!r}))")
        equal(shown(page, "hint-text"), text, "the same words can be read")
        equal(page.get_attribute("#sound", "aria-pressed"), "true", "the button says so")
        page.click("#sound")
        before = page.evaluate("spoken.length")
        script.step = STATES["nod"]
        until(page, f"{IN_SHADOW % 'polite'}.textContent.includes({TEXTS['de']['instruction.motions.nod']!r})")
        equal(page.evaluate("spoken.length"), before, "silence")


def test_branding_options_are_applied(env: BrowserEnvironment) -> None:
    """The branding options are applied, and changes vibrate unless that is off."""
    options = ('brand-name="Harbour Bank" brand-logo="/logo.svg" hide-logo-on-mobile show-powered-by '
               'powered-by-text="Checked by" powered-by-logo="/logo.svg"')
    for size, is_seen in ((DESKTOP, True), (PHONE, False)):
        with env.page(env.browser(env.footage.two_halves()), size=size) as page:
            page.add_init_script("globalThis.felt = []; navigator.vibrate = (pattern) => felt.push(pattern);")
            visit(env, page, options)
            equal(page.get_attribute("[part=logo]", "alt"), "Harbour Bank", "the name stands in for the logo")
            equal(page.is_visible("[part=logo]"), is_seen, f"logo at {size['width']}")
            equal(page.inner_text("[part=powered-by]").strip(), "Checked by", "powered by")
            true(page.is_visible("[part=powered-by-logo]"), "its logo")
            page.evaluate("""() => {
              check.session = async () => ({ sessionId: "chk_1", sessionToken: "t" });
              check.branding = { logoAlt: "Own words", showPoweredBy: false };
              check.toggleAttribute("no-vibration", innerWidth < 500);
            }""")
            equal(page.get_attribute("[part=logo]", "alt"), "Own words", "alternative text")
            true(not page.is_visible("[part=powered-by]"), "a property counts more than the attribute")
            script = ScriptedSteps(page, STATES["nod"])
            page.click("#begin")
            until(page, f"{IN_SHADOW % 'count'}.textContent === '1 of 4'")
            script.show(page, STATES["motion-blink"])
            until(page, f"{IN_SHADOW % 'count'}.textContent === '2 of 4'")
            equal(page.evaluate("felt.length"), 1 if is_seen else 0, f"touches at {size['width']}")


def test_slots_parts_and_properties_restyle_it(env: BrowserEnvironment) -> None:
    """Slots, parts and custom properties restyle it, and the page's own styles have no effect inside."""
    with env.page(env.browser()) as page:
        visit(env, page, "", inside='<b slot="logo">Own logo</b><p slot="welcome">Own welcome</p>')
        page.evaluate("""() => {
          const sheet = new CSSStyleSheet();
          sheet.replaceSync(`html { font-size: 62.5%; } button { display: none; } mien-liveness { --accent: #7c2d12; }
            mien-liveness::part(button) { border-radius: 4px; }`);
          document.adoptedStyleSheets = [sheet];
        }""")
        style = page.evaluate("""() => {
          const button = check.shadowRoot.getElementById("begin");
          const { backgroundColor, borderRadius, display, fontSize } = getComputedStyle(button);
          return { backgroundColor, borderRadius, display, fontSize };
        }""")
        equal(style, {"backgroundColor": "rgb(124, 45, 18)", "borderRadius": "4px", "display": "flex",
                      "fontSize": "17px"}, "the button")
        true(page.is_visible("text=Own logo") and page.is_visible("text=Own welcome"), "the slots show")
        true(not page.is_visible("#welcome-lead"), "instead of what was there")
        env.shoot(page, "element-restyled")


# Where the camera's picture, the words of the instruction, and the buttons above them are.
PLACES = """(() => {
  const { shadowRoot } = document.getElementById("check");
  const words = document.createRange();
  words.selectNodeContents(shadowRoot.getElementById("instruction"));
  const shown = [...shadowRoot.querySelectorAll(".top .icon")].filter((button) => button.checkVisibility());
  return { stage: shadowRoot.getElementById("stage").getBoundingClientRect().toJSON(), words: words.getBoundingClientRect().toJSON(),
           buttons: shown.map((button) => button.getBoundingClientRect().toJSON()) };
})()"""


def test_fits_small_phones_and_keeps_early_settings(env: BrowserEnvironment) -> None:
    """It fits a small phone in both orientations, and keeps settings made before it was defined."""
    early = """addEventListener("DOMContentLoaded", () => {
      const check = document.getElementById("check");
      check.session = async () => ({ sessionId: "chk_1", sessionToken: "t" });
      check.branding = { name: "Set early" };
    });"""
    for size, name in ((SMALL, "small"), (LANDSCAPE, "landscape"), (PHONE, "phone"), (DESKTOP, "desktop")):
        with env.page(env.browser(env.footage.turn_right()), size=size) as page:
            page.add_init_script(early)
            visit(env, page, "modal show-powered-by allow-audio")
            page.evaluate("check.open()")
            until(page, "check.isOpen")
            equal(page.evaluate("check.shadowRoot.querySelector('.name').textContent"), "Set early", "brand")
            if size in (PHONE, SMALL):
                bottom = page.evaluate(f"{IN_SHADOW % 'begin'}.getBoundingClientRect().bottom")
                true(bottom <= size["height"], f"{name}: the button that begins ends at {bottom}")
            ScriptedSteps(page, STATES["path"])
            page.click("#begin")
            until(page, f"{IN_SHADOW % 'remaining'}.textContent !== ''")
            env.shoot(page, f"element-fits-{name}")
            equal(serious_violations(page), [], f"violations on {name}")
            if size in (PHONE, SMALL):
                found = page.evaluate(PLACES)
                equal([found["stage"][side] for side in ("left", "right", "bottom")], [0, size["width"], size["height"]],
                      f"{name}: the camera fills the screen")
                true(found["stage"]["top"] <= 48, f"{name}: the camera begins at {found['stage']['top']}")
                for each in found["buttons"]:
                    true(each["left"] >= found["words"]["right"] or each["right"] <= found["words"]["left"],
                         f"{name}: a button is beside the instruction: {found}")
            wide = page.evaluate("check.shadowRoot.querySelector('dialog').scrollWidth")
            true(wide <= size["width"], f"{name} is {wide} wide")
            bottom = page.evaluate(f"{IN_SHADOW % 'stop'}.getBoundingClientRect().bottom")
            true(bottom <= size["height"], f"{name}: Stop ends at {bottom}")
            page.keyboard.press("Escape")
            until(page, "!check.isOpen")
            equal(len(received_events(page, "close")), 1, "Escape closes it, and says so once")


def test_developer_page_shows_element_events_and_code(env: BrowserEnvironment) -> None:
    """The page for developers shows the element, its events and the code."""
    for size, scheme, name in ((DESKTOP, "light", "desktop"), (PHONE, "dark", "phone")):
        with env.page(env.browser(env.footage.turn_right()), size=size, scheme=scheme) as page:
            page.goto(env.server.url + "/developers")
            until(page, f"{IN_SHADOW % 'begin'} !== null && document.documentElement.dataset.ready === ''")
            page.fill("[name=name]", 'Smith & "Sons"')
            true("Smith &amp; &quot;Sons&quot;" in page.inner_text("#snippet"), "the code follows the options")
            wide = page.evaluate("document.documentElement.scrollWidth")
            true(wide <= size["width"], f"{name} is {wide} wide")
            equal(serious_violations(page), [], f"axe on {name}")
            page.click("#begin")
            page.wait_for_selector('#list [data-name="progress"]')
            env.shoot(page, f"developers-{name}")
            page.click("#stop")
            page.select_option("[name=shown]", "modal")
            page.click("#open")
            until(page, "check.shadowRoot.querySelector('dialog').open")
            env.shoot(page, f"developers-dialog-{name}")
            page.keyboard.press("Escape")
            page.wait_for_selector('#list [data-name="close"]')
