"""A third-party website on its own origin, with a strict content security policy, that embeds the element."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# Minimal policy for integrators; no style-src, because the element needs none of the page's styles.
POLICY = ("default-src 'none'; script-src 'self' {server}; connect-src 'self' {server}; img-src 'self'; "
          "base-uri 'none'; require-trusted-types-for 'script'; frame-ancestors 'none'")
PAGE = """<!doctype html><html lang="{language}" dir="{direction}"><head><meta charset="utf-8">
<meta name="viewport" content="width=device-width"><title>Harbour Bank</title><link rel="icon" href="/logo.svg">
<script type="module" {script}></script></head>
<body><main><h1>Harbour Bank</h1><mien-liveness id="check" {attributes}>{inside}</mien-liveness></main></body></html>"""
LOGO = ('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 120 32" width="120" height="32">'
        '<rect width="120" height="32" rx="6" fill="#1d4ed8"/></svg>')


class Site:
    """Serves one page, whose body the test sets. Starts before the server, which needs its origin as an option."""

    def __init__(self):
        self.server = ""
        self.page = ""
        # Further files by path: media type and content.
        self.files: dict[str, tuple[str, bytes]] = {}
        self.http = serve(self._answer)
        self.url = f"http://127.0.0.1:{self.http.server_port}"

    def show(self, attributes: str, *, inside: str = "", language: str = "en", direction: str = "ltr", script: str = "") -> str:
        """Sets the page and returns its address; `script` are the attributes of its script, by default the server's module."""
        script = script or f'src="{self.server}/liveness.js"'
        self.page = PAGE.format(script=script, attributes=attributes, inside=inside, language=language, direction=direction)
        return self.url + "/"

    def _answer(self, request: BaseHTTPRequestHandler) -> None:
        if request.path == "/logo.svg":
            reply(request, LOGO.encode(), {"Content-Type": "image/svg+xml"})
        elif request.path in self.files:
            kind, content = self.files[request.path]
            reply(request, content, {"Content-Type": kind})
        else:
            policy = POLICY.format(server=self.server)
            reply(request, self.page.encode(), {"Content-Type": "text/html", "Content-Security-Policy": policy})


def serve(answer) -> ThreadingHTTPServer:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:  # noqa: N802
            answer(self)

        def log_message(self, *_) -> None:
            pass

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    return server


def reply(request: BaseHTTPRequestHandler, body: bytes, headers: dict, status: int = 200) -> None:
    request.send_response(status)
    for name, value in headers.items():
        request.send_header(name, value)
    request.send_header("Content-Length", str(len(body)))
    request.end_headers()
    request.wfile.write(body)
