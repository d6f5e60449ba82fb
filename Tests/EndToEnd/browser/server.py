"""The server under test: a running one, or one that is started here."""

from __future__ import annotations

import json
import queue
import subprocess
import threading
import time
import urllib.request
from pathlib import Path


class Server:
    """The server's address and key, and the requests of an integrator's backend."""

    def __init__(self, url: str, key: str, process: subprocess.Popen | None = None):
        self.url = url.rstrip("/")
        self.key = key
        self.process = process

    @classmethod
    def start(cls, mien: Path, data: Path, web: Path, origin: str, *more: str) -> Server:
        """Starts `mien serve` with an empty data folder and allows `origin`; waits for its address and its key."""
        command = [str(mien), "serve", "--host", "127.0.0.1", "--port", "0", "--data", str(data), "--web", str(web),
                   "--allow-origin", origin,
                   # The fake camera loops short clips, which passive signals flag, as they should; so they are only reported.
                   # API tests cover their effect on verdicts.
                   "--passive", "report",
                   # The clips show a head turn; performed.py and the API tests cover the default, a head path.
                   "--default-assurance", "basic", *more]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, bufsize=1)
        lines: queue.Queue[str] = queue.Queue()

        def read_output() -> None:
            for line in process.stdout:
                lines.put(line)

        threading.Thread(target=read_output, daemon=True).start()
        found: dict[str, str] = {}
        heard: list[str] = []
        deadline = time.monotonic() + 120
        while len(found) < 2:
            if process.poll() is not None or time.monotonic() > deadline:
                process.kill()
                raise RuntimeError("mien serve did not start:\n" + "".join(heard))
            try:
                line = lines.get(timeout=0.2)
            except queue.Empty:
                continue
            heard.append(line)
            for start in ("Listening on ", "API key: "):
                if line.startswith(start):
                    found[start] = line.removeprefix(start).strip()
        return cls(found["Listening on "], found["API key: "], process)

    def stop(self) -> None:
        if self.process is None:
            return
        self.process.terminate()
        try:
            self.process.wait(10)
        except subprocess.TimeoutExpired:
            self.process.kill()

    def create(self, challenge: str | None = None, tasks: list[dict] | None = None, **more) -> dict:
        """Creates a check; the reply holds `id`, `token` and `page`."""
        return self._ask("/v1/checks", ({"challenge": challenge} if challenge else {"tasks": tasks}) | more)

    def vendor_session(self, **more) -> tuple[str, str]:
        """Generates a session of the Youverify-compatible API; returns its ID and token."""
        id = self._ask("/v2/api/identity/sdk/session/generate", {"publicMerchantID": "m", **more}, "Token")["data"]["sessionId"]
        body = {"publicMerchantID": "m", "deviceCorrelationId": id}
        return id, self._ask("/v2/api/identity/sdk/liveness/token", body, "Token")["data"]["authToken"]

    def result(self, check: str) -> dict:
        return self._ask(f"/v1/checks/{check}")

    def _ask(self, path: str, body: dict | None = None, header: str = "Authorization") -> dict:
        key = f"Bearer {self.key}" if header == "Authorization" else self.key
        headers = {header: key, "Content-Type": "application/json"}
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data=data, headers=headers)
        with urllib.request.urlopen(request, timeout=120) as reply:
            return json.load(reply)
