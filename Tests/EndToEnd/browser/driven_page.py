"""A page in a browser that WebDriver drives, with the part of Playwright's `Page` that the tests of all browsers use."""

from __future__ import annotations

import base64
import fnmatch
import json
import tempfile
import time
from pathlib import Path

from browser.webdriver import ELEMENT, WebDriverError

# Finds elements in open shadow trees too, as Playwright does, and carries the calls of exposed functions to the test.
HOOKS = """
globalThis.driven ??= {
  isNew: true,
  calls: [],
  waiting: new Map(),
  expose(name) {
    globalThis[name] = (...given) => new Promise((done, fail) => {
      const number = driven.waiting.size;
      driven.waiting.set(number, { done, fail });
      driven.calls.push({ name, number, given });
    });
  },
  async next(milliseconds) {
    const deadline = performance.now() + milliseconds;
    while (driven.calls.length === 0 && performance.now() < deadline) await new Promise((done) => setTimeout(done, 5));
    return driven.calls.splice(0);
  },
  all(selector, root = document) {
    const hosts = [...root.querySelectorAll("*")].filter((element) => element.shadowRoot);
    return [...root.querySelectorAll(selector), ...hosts.flatMap((host) => driven.all(selector, host.shadowRoot))];
  },
  isVisible(element) {
    const { width, height } = element.getBoundingClientRect();
    return width > 0 && height > 0 && getComputedStyle(element).visibility === "visible";
  },
};
"""
# Firefox runs scripts in a scope of their own, whose global object is not the window.
SCRIPT = """
const globalThis = window;
const done = arguments[arguments.length - 1];
(async (argument) => { %s; %s })(arguments[0]).then((value) => done({ value }), (error) => done({ error: `${error}\\n${error.stack}` }));
"""
# A script for new documents runs after the document has loaded, so what it wants to do then is done at once.
INIT_SCRIPT = """{
  const addEventListener = (name, act, ...rest) => (name === "DOMContentLoaded" ? act() : window.addEventListener(name, act, ...rest));
  %s
}"""
KEYS = {"Enter": "\ue007", "Tab": "\ue004", "Escape": "\ue00c", "ArrowRight": "\ue014", "ArrowDown": "\ue015"}


class DrivenPage:
    def __init__(self, session, seconds: float = 60):
        self.session, self.seconds = session, seconds
        self.scripts: list[str] = []
        self.exposed: dict = {}
        self.keyboard = Keyboard(session)

    @property
    def url(self) -> str:
        return self.session.call("GetCurrentURL")

    def add_init_script(self, script: str) -> None:
        """Runs a script in every document from now on: after it has loaded, since WebDriver cannot do so earlier."""
        self.scripts.append(INIT_SCRIPT % script)

    def expose_function(self, name: str, function) -> None:
        """Lets the page call a function of the test, which runs while the test waits for something."""
        self.exposed[name] = function
        self.scripts.insert(0, f"driven.expose({json.dumps(name)});")

    def goto(self, address: str) -> None:
        self.session.call("Navigate", url=address)
        self._run("")

    def reload(self) -> None:
        self.session.call("Refresh")
        self._run("")

    def evaluate(self, expression: str, argument=None):
        """Returns the value of an expression, or of a function called with `argument`."""
        return self._run(f"const value = ({expression.strip().rstrip(';')}\n); return typeof value === 'function' ? value(argument) : value",
                         argument)

    def wait_for_timeout(self, milliseconds: float) -> None:
        """Waits, and meanwhile answers the calls of exposed functions."""
        deadline = time.monotonic() + milliseconds / 1000
        if not self.exposed:
            time.sleep(milliseconds / 1000)
            return
        answers: list = []
        # One exchange for each call: it answers the call before and waits for the next.
        while answers or time.monotonic() < deadline:
            left = max(0, 1000 * (deadline - time.monotonic()))
            calls = self._run("""
              for (const [number, value] of argument.answers) driven.waiting.get(number)?.done(value);
              return argument.left > 0 ? await driven.next(argument.left) : [];
            """, {"answers": answers, "left": left})
            answers = [[call["number"], self.exposed[call["name"]](*call["given"])] for call in calls]

    def wait_for_selector(self, selector: str, *, state: str = "visible", timeout: float | None = None) -> None:
        """Waits until one element is in the `state`: visible, attached or detached."""
        conditions = {"visible": "found.some(driven.isVisible)", "attached": "found.length > 0", "detached": "found.length === 0"}
        self._until(f"const found = driven.all(argument); return {conditions[state]}", selector, f"{selector} is not {state}", timeout)

    def wait_for_url(self, pattern: str) -> None:
        deadline = time.monotonic() + self.seconds
        while not fnmatch.fnmatch(self.url, pattern.replace("**", "*")):
            if time.monotonic() > deadline:
                raise AssertionError(f"{self.url} is not {pattern}")
            self.wait_for_timeout(50)

    def click(self, selector: str) -> None:
        """Clicks the first visible element as soon as it is enabled and nothing covers it."""
        self._act(selector, lambda element: self.session.call("ElementClick", id=element))

    def fill(self, selector: str, text: str) -> None:
        def act(element: str) -> None:
            self.session.call("ElementClear", id=element)
            if text:
                self.session.call("ElementSendKeys", id=element, text=text)

        self._act(selector, act)

    def select_option(self, selector: str, value: str) -> None:
        self._run("""
          const [list] = driven.all(argument.selector);
          list.value = argument.value;
          for (const name of ["input", "change"]) list.dispatchEvent(new Event(name, { bubbles: true }));
        """, {"selector": selector, "value": value})

    def set_input_files(self, selector: str, files) -> None:
        """Chooses files: paths, or dictionaries with `name` and `buffer`."""
        folder = Path(tempfile.mkdtemp())
        paths = []
        for file in files if isinstance(files, list) else [files]:
            path = Path(file) if not isinstance(file, dict) else folder / file["name"]
            if isinstance(file, dict):
                path.write_bytes(file["buffer"])
            paths.append(str(path))
        self.wait_for_selector(selector, state="attached")
        element = self._run("return driven.all(argument)[0]", selector)[ELEMENT]
        self.session.call("ElementSendKeys", id=element, text="\n".join(paths))

    def focus(self, selector: str) -> None:
        self.wait_for_selector(selector, state="attached")
        self._run("driven.all(argument)[0].focus()", selector)

    def inner_text(self, selector: str) -> str:
        return self._of(selector, "innerText")

    def input_value(self, selector: str) -> str:
        return self._of(selector, "value")

    def get_attribute(self, selector: str, name: str) -> str | None:
        return self._of(selector, f"getAttribute({json.dumps(name)})")

    def is_disabled(self, selector: str) -> bool:
        return self._of(selector, "disabled")

    def is_visible(self, selector: str) -> bool:
        return self._run("const [found] = driven.all(argument); return Boolean(found) && driven.isVisible(found)", selector)

    def screenshot(self, *, path: Path | None = None) -> bytes:
        """Returns the visible part of the page as PNG, and saves it at `path`."""
        # WebKit goes on showing the document before until it has painted the new one.
        self._run("await new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
        picture = base64.b64decode(self.session.call("TakeScreenshot", full=False))
        if path:
            path.write_bytes(picture)
        return picture

    def _of(self, selector: str, member: str):
        self.wait_for_selector(selector, state="attached")
        return self._run(f"return driven.all(argument)[0].{member}", selector)

    def _act(self, selector: str, act) -> None:
        deadline = time.monotonic() + self.seconds
        while True:
            self.wait_for_selector(selector)
            element = self._run("return driven.all(argument).find((each) => driven.isVisible(each) && !each.disabled) ?? null", selector)
            try:
                if element:
                    act(element[ELEMENT])
                    return
                problem = "disabled"
            except WebDriverError as error:
                if error.code not in ("element click intercepted", "element not interactable", "stale element reference"):
                    raise
                problem = str(error)
            if time.monotonic() > deadline:
                raise AssertionError(f"{selector}: {problem}")
            self.wait_for_timeout(50)

    def _until(self, body: str, argument, problem: str, timeout: float | None) -> None:
        deadline = time.monotonic() + (timeout / 1000 if timeout else self.seconds)
        while not self._run(body, argument):
            if time.monotonic() > deadline:
                raise AssertionError(f"{problem} at {self.url}")
            self.wait_for_timeout(50)

    def _run(self, body: str, argument=None):
        """Runs the body of an asynchronous function, and before it the scripts of new documents."""
        start = HOOKS + "if (driven.isNew) { driven.isNew = false; %s }" % "\n".join(self.scripts)
        deadline = time.monotonic() + self.seconds
        while (result := self._result(SCRIPT % (start, body), argument)) is None:
            assert time.monotonic() < deadline, "the page changes without end"
            time.sleep(0.02)
        if "error" in result:
            raise AssertionError(result["error"])
        return result.get("value")

    def _result(self, script: str, argument) -> dict | None:
        """Returns what a script gives to `done`, or `None` if another document has replaced the script's meanwhile."""
        try:
            return self.session.call("ExecuteAsyncScript", script=script, args=[argument])
        except WebDriverError as error:
            if error.code in ("javascript error", "no such window", "unknown error"):
                return None
            raise


class Keyboard:
    def __init__(self, session):
        self.session = session

    def press(self, key: str) -> None:
        self._send([KEYS.get(key, key)])

    def type(self, text: str) -> None:
        self._send(text)

    def _send(self, keys) -> None:
        strokes = [{"type": kind, "value": key} for key in keys for kind in ("keyDown", "keyUp")]
        self.session.call("PerformActions", actions=[{"type": "key", "id": "keyboard", "actions": strokes}])
