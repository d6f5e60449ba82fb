"""A server with records of every kind, for the walks through every state of its pages."""

from __future__ import annotations

import base64
import pathlib
import subprocess
import sys
import tempfile
from functools import cached_property

from browser.console_pages import PASSWORD, Records
from browser.embedding_site import Site
from support.program import ROOT
from support.replies import expect
from support.scans import settled
from support.server import Server


class StateServer:
    """A server with records of every kind, a site that embeds its element, and a drawn person."""

    def __init__(self, browser, program: str):
        self.browser = browser
        self.site = Site()
        self.server = Server(program, arguments=[
            "--demo", "--passive", "report", "--return-origin", "https://shop.example", "--public-url", "https://check.example",
            "--allow-origin", self.site.url, "--allow-private-webhooks"])
        self.url = self.site.server = f"http://127.0.0.1:{self.server.port}"
        subprocess.run([program, "users", "add", "anna", "--role", "operator", "--data", self.server.data], input=PASSWORD, text=True,
                       check=True, capture_output=True)
        self.records = Records(self.server)
        expect(self.server.request("POST", "/v1/webhooks", {"url": f"{self.site.url}/hook", "events": ["check.passed", "check.failed"]},
                                   token=self.server.key), 201)
        self.program = program
        self.mug = tempfile.TemporaryDirectory(prefix="mien-mug-")
        self.person = self.portrait()

    def close(self) -> None:
        self.server.clean()
        self.mug.cleanup()

    @cached_property
    def folder(self) -> pathlib.Path:
        """Folder with the scan of a drawn mug."""
        sys.path.append(str(ROOT / "scripts"))
        from pictures import mug

        folder = pathlib.Path(self.mug.name, "mug")
        folder.mkdir()
        for name, data in mug.scan():
            (folder / name).write_bytes(data)
        return folder

    @cached_property
    def scan(self) -> str:
        """ID of the mug's scan, which is uploaded and processed when it is first needed."""
        key = pathlib.Path(self.mug.name, "key")
        key.write_text(self.server.key)
        subprocess.run([self.program, "scan", "upload", self.folder, "--kind", "object", "--label", "Mug", "--server", self.url, "--key", key],
                       check=True, capture_output=True)
        found = expect(self.server.request("GET", "/v1/scans", token=self.server.key), 200).json["scans"][0]["id"]
        settled(self.server, found, self.server.key)
        return found

    def portrait(self) -> str:
        page = self.browser.new_page(viewport={"width": 960, "height": 720})
        page.goto((ROOT / "Art/portrait.svg").as_uri())
        picture = base64.b64encode(page.screenshot()).decode()
        page.close()
        return picture

    def open(self, page, place: str) -> None:
        """Opens an address of the server and waits until the page is shown."""
        page.goto("about:blank")  # an address that differs after its `#` alone would not load the page again
        page.goto(self.url + place)
        page.wait_for_selector("html[data-ready]", state="attached")

    def message(self, **options) -> dict:
        body = {"text": "See you at the pier at 8.", "steps": ["smile", "wink_r", "smooch"]} | options
        return expect(self.server.request("POST", "/v1/messages", body, token=self.server.key), 201).json
