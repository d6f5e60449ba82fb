"""A shop on another origin, which sends a customer to a check and reads the result itself when they come back."""

from __future__ import annotations

from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qs, urlsplit

from browser.embedding_site import reply, serve
from browser.server import Server

PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Shop</title><link rel="icon" href="data:,"></head><body><main><h1>{heading}</h1>{rest}</main></body></html>"""


class Shop:
    """Starts before the server, which needs its origin as an option. Another host name and port: another origin."""

    def __init__(self):
        self.server: Server | None = None
        self.http = serve(self._answer)
        self.host = f"localhost:{self.http.server_port}"
        self.url = f"http://{self.host}"
        # Address of the check that the basket leads to.
        self.check = ""
        # Path, query and `Referer` of every visit to the page after a check.
        self.returns: list[tuple[str, str | None]] = []

    def set_check(self, check: dict, page: str) -> str:
        """Sets the check that the shop leads to; returns the address of the basket."""
        self.check = page
        return f"{self.url}/basket?for={check['id']}"

    def _answer(self, request: BaseHTTPRequestHandler) -> None:
        parts = urlsplit(request.path)
        if parts.path == "/back":
            self.returns.append((request.path, request.headers.get("Referer")))
            check = parse_qs(parts.query)["check"][0]
            # Anybody can open this address, so the shop asks the server with its key.
            state = self.server.result(check)["state"]
            heading, rest = "Thank you", f'<p id="state">{state}</p>'
        else:
            heading, rest = "Your basket", f'<p><a id="prove" href="{self.check}">Prove that you are a person</a></p>'
        reply(request, PAGE.format(heading=heading, rest=rest).encode(), {"Content-Type": "text/html"})
