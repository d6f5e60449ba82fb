"""Browsers with a fake camera, monitored pages, and screenshots."""

from __future__ import annotations

import shutil
import time
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

from playwright.sync_api import Browser, Page, Playwright

from browser.camera_clips import Footage
from browser.embedding_site import Site
from browser.server import Server

DESKTOP = {"width": 1280, "height": 860}
PHONE = {"width": 390, "height": 844}
SMALL = {"width": 320, "height": 568}
LANDSCAPE = {"width": 740, "height": 360}
REPORT_VIOLATIONS = """
document.addEventListener("securitypolicyviolation", (event) =>
  console.error(`CSP violation: ${event.violatedDirective} ${event.blockedURI}`));
"""
# Adds a little noise to a corner of each image, like a sensor: the fake camera plays the same file in every test, and the server
# refuses frames that another check has sent.
SENSOR_NOISE = """
const encode = HTMLCanvasElement.prototype.toBlob;
HTMLCanvasElement.prototype.toBlob = function (...rest) {
  const context = this.getContext("2d");
  for (let block = 0; block < 8; block += 1) {
    const gray = Math.floor(Math.random() * 256);
    context.fillStyle = `rgb(${gray} ${gray} ${gray})`;
    context.fillRect(block * 8, 0, 8, 8);
  }
  return encode.apply(this, rest);
};
"""


class BrowserEnvironment:
    def __init__(self, playwright: Playwright, server: Server, footage: Footage, screenshots: Path | None,
                 program: Path, site: Site):
        self.playwright = playwright
        self.server = server
        self.footage = footage
        self.screenshots = screenshots
        self.program = program
        self.site = site
        self.hosts: set[str] = set()
        # Hosts used by tests on another origin.
        self.hosts_elsewhere = {site.url.removeprefix("http://")}
        self.violations: list[str] = []
        self.errors: list[str] = []
        self._browsers: dict[tuple, Browser] = {}

    def browser(self, clip: Path | None = None, cameras: int = 1, asks: bool = False) -> Browser:
        """Starts Chromium with `cameras` fake cameras that show `clip`; with `asks`, the permission prompt stays open."""
        key = (clip, cameras, asks)
        if key not in self._browsers:
            devices = f"--use-fake-device-for-media-stream=device-count={cameras}"
            # Software rendering for machines without a GPU.
            arguments = ["--no-sandbox", "--enable-unsafe-swiftshader", devices]
            if not asks:
                arguments.append("--use-fake-ui-for-media-stream")
            if clip:
                arguments.append(f"--use-file-for-fake-video-capture={clip}")
            self._browsers[key] = self.playwright.chromium.launch(
                executable_path=shutil.which("chromium"), args=arguments)
        return self._browsers[key]

    @contextmanager
    def page(self, browser: Browser, *, size=DESKTOP, scheme="light", language="en-GB", camera=True, noise=True):
        """Opens a page monitored for policy violations, script errors and requests to other hosts; `noise` as of a sensor."""
        context = browser.new_context(
            viewport=size, color_scheme=scheme, locale=language, reduced_motion="reduce",
            permissions=["camera"] if camera else [])
        page = context.new_page()
        page.set_default_timeout(60_000)
        page.add_init_script(REPORT_VIOLATIONS)
        if noise:
            page.add_init_script(SENSOR_NOISE)
        page.on("request", lambda request: self._record_request(request.url))
        page.on("console", lambda message: self._record_console(message.text))
        page.on("pageerror", lambda error: self.errors.append(str(error)))
        try:
            yield page
        finally:
            context.close()

    def shoot(self, page: Page, name: str) -> None:
        if self.screenshots:
            page.screenshot(path=self.screenshots / f"{name}.png")

    def close(self) -> None:
        for browser in self._browsers.values():
            browser.close()

    def _record_request(self, url: str) -> None:
        parts = urlsplit(url)
        if parts.scheme not in ("blob", "data"):
            self.hosts.add(parts.netloc)

    def _record_console(self, text: str) -> None:
        if "CSP violation" in text or "Content Security Policy" in text:
            self.violations.append(text)


def screen(name: str) -> str:
    """Returns the selector of a visible screen of the check page."""
    return f'section[data-screen="{name}"]:not([hidden])'


def begin(page: Page, address: str) -> None:
    """Opens a check page and presses its button."""
    page.goto(address)
    page.click("#begin")


def ending(page: Page, timeout: float = 120_000) -> str:
    """Waits for the last screen and returns its heading."""
    page.wait_for_selector(screen("ending"), timeout=timeout)
    return page.inner_text("#ending-title")


def until(page: Page, condition: str, seconds: float = 60) -> None:
    """Waits until a JavaScript expression holds; Playwright's own method needs `eval`, which the pages forbid."""
    deadline = time.monotonic() + seconds
    while not page.evaluate(condition):
        if time.monotonic() > deadline:
            raise AssertionError(f"not within {seconds} s: {condition}")
        page.wait_for_timeout(50)


def equal(found, expected, what: str) -> None:
    if found != expected:
        raise AssertionError(f"{what}: expected {expected!r}, found {found!r}")


def true(condition, what: str) -> None:
    if not condition:
        raise AssertionError(what)
