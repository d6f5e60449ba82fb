"""Firefox ESR and WebKitGTK's MiniBrowser on a display in memory, as stand-ins for the Firefox and Safari of visitors."""

from __future__ import annotations

import glob
import json
import os
import re
import shutil
import socket
import subprocess
import tempfile
import time
from contextlib import contextmanager
from pathlib import Path

from browser.driven_page import DrivenPage
from browser.environment import DESKTOP, BrowserEnvironment
from browser.webdriver import HTTPSession, Marionette

# Errors that a script of a page did not handle, and violations of a page's policy, in what the browsers print.
ERRORS = {"firefox": r"^JavaScript error: http.*|.*Content-Security-Policy.*",
          "webkit": r".*CONSOLE (?:JS|SECURITY|RENDERING) ERROR.*"}
PREFERENCES = {
    # A camera that shows a changing color, without asking; most tests replace it by a canvas.
    "media.navigator.streams.fake": True, "media.navigator.permission.disabled": True,
    # Software rendering for machines without a GPU.
    "webgl.force-enabled": True, "gfx.webrender.software": True,
    # Without animations, as the tests in Chromium are.
    "ui.prefersReducedMotion": 1,
    # Prints script errors and policy violations of pages.
    "devtools.console.stdout.content": True,
    "marionette.port": 0, "browser.shell.checkDefaultBrowser": False, "browser.startup.page": 0, "browser.aboutwelcome.enabled": False,
    "datareporting.policy.dataSubmissionEnabled": False, "app.normandy.enabled": False, "network.captive-portal-service.enabled": False,
    "network.connectivity-service.enabled": False, "browser.safebrowsing.update.enabled": False, "extensions.update.enabled": False,
    "intl.accept_languages": "en-GB", "intl.locale.requested": "en-GB",
}


class OtherEnvironment:
    """What the tests use of `BrowserEnvironment`, with pages of another browser."""

    def __init__(self, base: BrowserEnvironment, other: OtherBrowser):
        self.base, self.other = base, other

    def __getattr__(self, name: str):
        return getattr(self.base, name)

    def browser(self) -> None:
        return None

    @contextmanager
    def page(self, _, *, size=DESKTOP, scheme="light", camera=True):
        with self.other.page(size, scheme) as page:
            yield page

    def shoot(self, page: DrivenPage, name: str) -> None:
        self.base.shoot(page, f"{name}-{self.other.name}")


class Screen:
    """A display in memory."""

    def __init__(self):
        read, write = os.pipe()
        command = ["Xvfb", "-displayfd", str(write), "-screen", "0", "1600x1100x24", "-nolisten", "tcp"]
        self.process = subprocess.Popen(command, pass_fds=[write], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        os.close(write)
        with os.fdopen(read) as found:
            self.name = f":{found.readline().strip()}"

    def close(self) -> None:
        stop(self.process)


class OtherBrowser:
    """Starts the browser `name` anew for each test, with an empty profile."""

    def __init__(self, name: str):
        for program in {"firefox": ["firefox-esr", "Xvfb"], "webkit": ["WebKitWebDriver", "Xvfb"]}[name]:
            assert shutil.which(program), f"{program} is not installed; run scripts/install-system test"
        self.name = name
        self.screen = Screen()

    def close(self) -> None:
        self.screen.close()

    @contextmanager
    def page(self, size: dict, scheme: str):
        """Opens a page of this size in the light or dark `scheme`; afterwards there must be no script error and no policy violation."""
        with tempfile.TemporaryDirectory(prefix="mien-browser-", ignore_cleanup_errors=True) as folder:
            output = Path(folder, "output")
            process = None
            try:
                with output.open("w") as file:
                    process, session = {"firefox": self._firefox, "webkit": self._webkit}[self.name](Path(folder), file, scheme == "dark")
                session.call("SetTimeouts", script=300_000, pageLoad=60_000)
                page = DrivenPage(session)
                self._resize(page, size)
                try:
                    yield page
                except BaseException as error:
                    error.add_note(f"{self.name} printed:\n{output.read_text(errors='replace')[-4000:]}")
                    raise
                finally:
                    session.end()
            finally:
                if process:
                    stop(process)
            printed = output.read_text(errors="replace")
            errors = re.findall(ERRORS[self.name], printed, re.MULTILINE)
            assert not errors, f"{self.name} reports: {errors}"

    def _resize(self, page: DrivenPage, size: dict) -> None:
        """Makes the page as large as `size`, with the window around it."""
        outer = page.session.call("SetWindowRect", x=0, y=0, **size)
        inner = page.evaluate("[innerWidth, innerHeight]")
        page.session.call("SetWindowRect", x=0, y=0, width=2 * outer["width"] - inner[0], height=2 * outer["height"] - inner[1])

    def _environment(self, folder: Path) -> dict:
        home = {name: str(folder) for name in ("HOME", "XDG_RUNTIME_DIR", "XDG_CONFIG_HOME", "XDG_CACHE_HOME", "XDG_DATA_HOME")}
        return {**os.environ, **home, "DISPLAY": self.screen.name, "LANG": "en_GB.UTF-8", "GTK_A11Y": "none",
                "NO_AT_BRIDGE": "1", "LIBGL_ALWAYS_SOFTWARE": "1", "WEBKIT_SKIA_ENABLE_CPU_RENDERING": "1"}

    def _firefox(self, folder: Path, output, is_dark: bool):
        profile = folder / "profile"
        profile.mkdir()
        lines = [f"user_pref({json.dumps(name)}, {json.dumps(value)});\n" for name, value in
                 {**PREFERENCES, "ui.systemUsesDarkTheme": int(is_dark)}.items()]
        (profile / "user.js").write_text("".join(lines))
        command = ["firefox-esr", "--marionette", "--no-remote", "--profile", str(profile)]
        process = subprocess.Popen(command, env=self._environment(folder), stdout=output, stderr=subprocess.STDOUT)
        port = profile / "MarionetteActivePort"
        wait_for(lambda: port.exists() and port.read_text(), process)
        return process, Marionette(f"http://127.0.0.1:{port.read_text().strip()}", {})

    def _webkit(self, folder: Path, output, is_dark: bool):
        # Without animations, as the tests in Chromium are.
        settings = folder / "gtk-3.0" / "settings.ini"
        settings.parent.mkdir()
        settings.write_text("[Settings]\ngtk-enable-animations=0\n")
        (browser,) = glob.glob("/usr/lib/*/webkit2gtk-4.1/MiniBrowser")
        port = free_port()
        process = subprocess.Popen(["WebKitWebDriver", f"--port={port}"], env=self._environment(folder), stdout=output,
                                   stderr=subprocess.STDOUT)
        options = {"binary": browser, "args": ["--automation", "--enable-write-console-messages-to-stdout=true",
                                               "--enable-mock-capture-devices=true", *["--dark-mode"] * is_dark]}
        address = f"http://127.0.0.1:{port}"
        wait_for(lambda: is_listening(port), process)
        return process, HTTPSession(address, {"webkitgtk:browserOptions": options})


def wait_for(condition, process: subprocess.Popen, seconds: float = 60) -> None:
    deadline = time.monotonic() + seconds
    while not condition():
        assert process.poll() is None, f"{process.args[0]} ended with {process.returncode}"
        assert time.monotonic() < deadline, f"{process.args[0]} does not start"
        time.sleep(0.02)


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return listener.getsockname()[1]


def is_listening(port: int) -> bool:
    with socket.socket() as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def stop(process: subprocess.Popen) -> None:
    process.terminate()
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
