"""A receiver of webhooks that verifies and records them, and requests that manage webhooks."""

import http.server
import socket
import threading
import time

from support.replies import conforms, expect


class Receiver:
    """An integrator's HTTP server; `answers` are statuses or behaviors, the last of which repeats."""

    def __init__(self, *answers, tls=None):
        self.answers, self.received = list(answers or [204]), []
        receiver = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_POST(self):
                body = self.rfile.read(int(self.headers["content-length"]))
                answer = receiver.answers.pop(0) if len(receiver.answers) > 1 else receiver.answers[0]
                receiver.received.append((time.monotonic(), self.path, dict(self.headers), body))
                if answer == "hang":
                    receiver.over.wait(60)
                    return
                if answer == "close":
                    self.connection.shutdown(socket.SHUT_RDWR)
                    return
                if answer == "slow":
                    receiver.over.wait(60)
                    answer = 204
                self.send_response(answer)
                if answer in (301, 302, 307, 308):
                    self.send_header("Location", f"http://127.0.0.1:{receiver.port}/elsewhere")
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_):
                pass

        self.over = threading.Event()
        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.daemon_threads = True
        self.port = self.server.server_port
        if tls:
            self.server.socket = tls.wrap_socket(self.server.socket, server_side=True)
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    @property
    def url(self):
        return f"http://127.0.0.1:{self.port}/hook?shop=1"

    def wait(self, count, seconds=10):
        end = time.monotonic() + seconds
        while len(self.received) < count:
            assert time.monotonic() < end, f"{len(self.received)} of {count} messages came in {seconds} s"
            time.sleep(0.02)
        return self.received[count - 1]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.over.set()
        self.server.shutdown()
        self.server.server_close()


def make(server, url, **more):
    reply = expect(server.request("POST", "/v1/webhooks", {"url": url, **more}, token=server.key), 201)
    conforms("Webhook", reply.json)
    assert "secret" in reply.json
    return reply.json


def ping(server, hook):
    reply = expect(server.request("POST", f"/v1/webhooks/{hook['id']}/ping", token=server.key), 202).json
    conforms("WebhookMessage", reply)
    return reply
