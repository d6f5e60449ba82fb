"""Requests to the server of the browser tests, and uploads of photos and captures."""

from __future__ import annotations

import json
import time

from browser.environment import BrowserEnvironment
from browser.page_checks import TEXTS
from support.capture_files import BOUNDARY, form, pairs

EN = TEXTS["en"]


class Api:
    """Adapter that lets the capture builders of the API tests use this server."""

    def __init__(self, env: BrowserEnvironment):
        self.env = env

    def request(self, method, path, body=None, headers=None, token=None):
        import urllib.request
        headers = dict(headers or {})
        if isinstance(body, dict):
            body = json.dumps(body).encode()
            headers["Content-Type"] = "application/json"
        headers["Authorization"] = f"Bearer {token or self.env.server.key}"
        request = urllib.request.Request(self.env.server.url + path, data=body, headers=headers, method=method)
        with urllib.request.urlopen(request, timeout=120) as reply:
            reply.body = reply.read()
            return reply

    def create_capture(self, parts) -> dict:
        reply = self.request("POST", "/v1/captures", form(pairs(parts)),
                             {"Content-Type": f'multipart/form-data; boundary="{BOUNDARY}"'})
        return json.loads(reply.body)


def upload(name: str, data: bytes, kind: str = "image/png") -> dict:
    return {"name": name, "mimeType": kind, "buffer": data}


def metadata() -> bytes:
    return json.dumps({"captured_at_ms": int(time.time() * 1000),
                       "location": {"latitude": 52.52, "longitude": 13.405}}).encode()
