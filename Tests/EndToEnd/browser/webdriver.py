"""A session of W3C WebDriver: with WebKitGTK's driver over HTTP, or with Firefox itself over Marionette.

Marionette is the protocol to which geckodriver translates: the same commands, as JSON over a socket. Debian has no geckodriver.
"""

from __future__ import annotations

import json
import socket
import urllib.error
import urllib.request
from urllib.parse import urlsplit

# Key of a reference to an element in arguments and results.
ELEMENT = "element-6066-11e4-a52e-4f735466cecf"
# Method and path of each command over HTTP; the path is relative to the session.
COMMANDS = {
    "NewSession": ("POST", ""),
    "DeleteSession": ("DELETE", ""),
    "SetTimeouts": ("POST", "/timeouts"),
    "SetWindowRect": ("POST", "/window/rect"),
    "Navigate": ("POST", "/url"),
    "GetCurrentURL": ("GET", "/url"),
    "Refresh": ("POST", "/refresh"),
    "ExecuteAsyncScript": ("POST", "/execute/async"),
    "ElementClick": ("POST", "/element/{id}/click"),
    "ElementClear": ("POST", "/element/{id}/clear"),
    "ElementSendKeys": ("POST", "/element/{id}/value"),
    "PerformActions": ("POST", "/actions"),
    "TakeScreenshot": ("GET", "/screenshot"),
}


class WebDriverError(Exception):
    """An error that the driver reports; `code` is the standard's, for example `element click intercepted`."""

    def __init__(self, code: str, message: str):
        super().__init__(f"{code}: {message}")
        self.code = code


class HTTPSession:
    """A session with a driver that listens at `address`. Parameters of a command that is a GET are Marionette's alone."""

    def __init__(self, address: str, capabilities: dict):
        self.address = address
        self.path = "/session"
        self.path = f"/session/{self.call('NewSession', capabilities={'alwaysMatch': capabilities})['sessionId']}"

    def call(self, command: str, **parameters):
        method, path = COMMANDS[command]
        if "{id}" in path:
            path = path.format(id=parameters.pop("id"))
        body = json.dumps(parameters).encode() if method == "POST" else None
        request = urllib.request.Request(self.address + self.path + path, data=body, method=method)
        try:
            with urllib.request.urlopen(request, timeout=330) as reply:
                return json.load(reply)["value"]
        except urllib.error.HTTPError as error:
            value = json.load(error)["value"]
            raise WebDriverError(value["error"], value["message"]) from None

    def end(self) -> None:
        self.call("DeleteSession")


class Marionette:
    """A session with the Firefox whose Marionette listens at `address`."""

    def __init__(self, address: str, capabilities: dict):
        parts = urlsplit(address)
        self.socket = socket.create_connection((parts.hostname, parts.port), timeout=330)
        self.input = self.socket.makefile("rb")
        self.number = 0
        self._read()  # the greeting
        self.call("NewSession", capabilities={"alwaysMatch": capabilities})

    def call(self, command: str, **parameters):
        """Sends a command of WebDriver, or a command of Marionette with its full name."""
        self.number += 1
        name = command if ":" in command else f"WebDriver:{command}"
        message = json.dumps([0, self.number, name, parameters]).encode()
        self.socket.sendall(b"%d:%s" % (len(message), message))
        _, _, error, result = self._read()
        if error:
            raise WebDriverError(error["error"], error["message"])
        return result["value"] if isinstance(result, dict) and result.keys() == {"value"} else result

    def end(self) -> None:
        self.call("Marionette:Quit", flags=["eForceQuit"])
        self.socket.close()

    def _read(self):
        size = b""
        while (digit := self.input.read(1)) != b":":
            if not digit:
                raise ConnectionError("Firefox has closed the connection")
            size += digit
        return json.loads(self.input.read(int(size)))
