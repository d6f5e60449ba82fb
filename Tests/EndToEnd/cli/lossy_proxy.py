"""A proxy that forwards every request to a server but drops some replies by closing the connection."""

import http.server
import socket
import threading


class LossyProxy:
    def __init__(self, server_port, kind):
        """`kind` names an exchange by path and reply body; the first reply of each name is dropped, unnamed replies never."""
        self.dropped = set()
        proxy = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def forward(self):
                body = self.rfile.read(int(self.headers.get("Content-Length", 0)))
                upstream = http.client.HTTPConnection("127.0.0.1", server_port, timeout=120)
                upstream.request(self.command, self.path, body, {
                    name: text for name, text in self.headers.items() if name not in ("Connection", "Host")})
                reply = upstream.getresponse()
                reply_body = reply.read()
                upstream.close()
                name = kind(self.path, reply_body)
                self.close_connection = True
                if name and name not in proxy.dropped:
                    proxy.dropped.add(name)
                    self.connection.shutdown(socket.SHUT_RDWR)
                    return
                self.send_response_only(reply.status)
                for header in ("Content-Type", "Retry-After"):
                    if reply.headers[header]:
                        self.send_header(header, reply.headers[header])
                self.send_header("Content-Length", str(len(reply_body)))
                self.end_headers()
                self.wfile.write(reply_body)

            do_GET = do_POST = forward

            def log_message(self, *arguments):
                pass

        self.listener = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.port = self.listener.server_address[1]
        threading.Thread(target=self.listener.serve_forever, daemon=True).start()

    def close(self):
        self.listener.shutdown()
        self.listener.server_close()
