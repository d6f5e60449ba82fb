"""A client that has several numbered frames of a check under way, as the page does, but keeps none that cannot be sent at once."""

import concurrent.futures
import http.client
import threading
import time

from support.server import Server

FINAL_STATES = ("passed", "failed", "timed-out")
# As in Web/assets/core/session-client.js.
MAX_TRIES = 10


def send(port, check, jpeg, number=None, captured=None, client="page", connection=None):
    """Sends one frame; `captured` in seconds."""
    headers = {"Content-Type": "image/jpeg", "Mien-Client": client}
    if number is not None:
        headers["Mien-Frame"] = str(number)
    if captured is not None:
        headers["Mien-Captured-At"] = f"{captured * 1000:.1f}"
    link = connection or http.client.HTTPConnection("127.0.0.1", port, timeout=60)
    try:
        return Server.over(link, "POST", f"/v1/checks/{check.id}/frames", jpeg, headers, check.token)
    finally:
        if connection is None:
            link.close()


class WindowedClient:
    """Plays frames in real time through `port`; drops those for which the window has no room."""

    def __init__(self, check, port, rate=15):
        self.check, self.port, self.rate = check, port, rate
        self.window, self.last, self.codes = 1, None, []
        self.lock, self.thread_local = threading.Lock(), threading.local()
        self.in_flight = self.sent_again = 0

    def play(self, frames):
        """Returns the final step, or None if the frames end before."""
        began = time.monotonic()
        with concurrent.futures.ThreadPoolExecutor(8) as pool:
            number = 0  # without gaps, for which the server would wait
            for index, jpeg in enumerate(frames):
                time.sleep(max(0, began + index / self.rate - time.monotonic()))
                with self.lock:
                    if self.last:
                        break
                    if self.in_flight >= self.window:
                        continue
                    self.in_flight += 1
                pool.submit(self.send_frame, jpeg, number, time.monotonic() - began)
                number += 1
        return self.last

    def send_frame(self, jpeg, number, captured):
        if not hasattr(self.thread_local, "connection"):
            self.thread_local.connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        for tries in range(MAX_TRIES):
            reply = send(self.port, self.check, jpeg, number, captured, connection=self.thread_local.connection)
            # Another server has the check; a load balancer may send the next try there.
            if reply.status == 200 or reply.code != "frame-in-flight":
                break
        with self.lock:
            self.sent_again += tries
            self.in_flight -= 1
            if reply.status == 200:
                self.window = int(reply.headers["mien-frame-window"])
                if reply.json["state"] in FINAL_STATES:
                    self.last = self.last or reply.json
            else:
                self.codes.append(reply.code)
                if reply.code == "check-ended":
                    self.last = self.last or reply.json["step"]
