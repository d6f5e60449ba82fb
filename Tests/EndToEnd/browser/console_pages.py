"""A closed server with an operator, a verifier and records, for the tests of the console."""

from __future__ import annotations

import subprocess
from contextlib import contextmanager

from browser.environment import BrowserEnvironment
from browser.photo_pages import EN
from support.capture_files import photo
from support.captures import post
from support.checks import claim_turn
from support.replies import expect
from support.server import Server

PASSWORD = "correct horse battery"
USERS = {"anna": "operator", "vera": "verifier"}


class Records:
    """The server with one check of each kind, a photo and a message."""

    def __init__(self, server: Server):
        self.server = server
        self.url = f"http://127.0.0.1:{server.port}"
        server.create(reference="order 1", person="ada")
        # The person turns to the wrong side, so the check fails at once.
        self.failed = server.claimed(challenge="turn-left", reference="order 2", person="ben")
        steps = claim_turn(self.failed, "turn-right", seconds=1.5)
        assert steps[-1]["state"] == "failed", steps[-1]
        self.passed = server.claimed(challenge="turn-right", reference="order 3")
        assert claim_turn(self.passed, "turn-right")[-1]["state"] == "passed"
        self.capture = post(server, {"photo": photo(91)}, key=server.key)
        body = {"text": "the text", "steps": ["smile", "wink_r", "smooch"]}
        self.message = expect(server.request("POST", "/v1/messages", body, token=server.key), 201).json


@contextmanager
def records(env: BrowserEnvironment, *arguments: str):
    # No frames are judged, so no models are loaded.
    server = Server(str(env.program), arguments=["--no-demo", *arguments], loads_models=False)
    env.hosts_elsewhere.add(f"127.0.0.1:{server.port}")
    try:
        for name, role in USERS.items():
            subprocess.run([server.binary, "users", "add", name, "--role", role, "--data", server.data], input=PASSWORD,
                           text=True, check=True, capture_output=True, timeout=300)
        yield Records(server)
    finally:
        server.clean()


def sign_in(page, name: str) -> None:
    """Signs in with the keyboard at the form of a page that asks for it."""
    form = page.locator("#wrong form.sign-in")
    form.wait_for()
    form.get_by_label(EN["account.name"]).fill(name)
    form.get_by_label(EN["account.password"]).fill(PASSWORD)
    page.keyboard.press("Enter")
    page.wait_for_selector("#signed-in")
    page.wait_for_selector("#tabs a[aria-current]")
