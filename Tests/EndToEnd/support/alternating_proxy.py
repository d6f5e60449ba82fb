"""A load balancer without affinity: each request goes to the next server in turn."""

import http.client
import http.server
import itertools
import threading


class AlternatingProxy:
    """Forwards requests to `ports` in turn until `close`; keeps the clients' connections, and one to each server for each of them."""

    def __init__(self, ports):
        turn = itertools.cycle(ports)

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def setup(self):
                super().setup()
                self.servers = {port: http.client.HTTPConnection("127.0.0.1", port, timeout=60) for port in ports}

            def forward(self):
                body = self.rfile.read(int(self.headers.get("Content-Length") or 0))
                server = self.servers[next(turn)]
                server.request(self.command, self.path, body, dict(self.headers.items()))
                reply = server.getresponse()
                data = reply.read()
                self.send_response_only(reply.status)
                for name, value in reply.getheaders():
                    if name.lower() not in ("connection", "transfer-encoding", "content-length"):
                        self.send_header(name, value)
                self.send_header("Content-Length", str(len(data)))
                self.end_headers()
                self.wfile.write(data)

            do_GET = do_POST = do_PUT = do_DELETE = do_OPTIONS = forward

            def finish(self):
                for server in self.servers.values():
                    server.close()
                super().finish()

            def log_message(self, *_):
                pass

        class Listener(http.server.ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, request, client):
                pass  # A client that closes its connection is no error.

        self.listener = Listener(("127.0.0.1", 0), Handler)
        self.port = self.listener.server_address[1]
        threading.Thread(target=self.listener.serve_forever, daemon=True).start()

    def close(self):
        self.listener.shutdown()
        self.listener.server_close()
