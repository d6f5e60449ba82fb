"""A proxy that passes a limited number of bytes to a server, so that transfers can be killed at a chosen point."""

import socket
import threading


class ByteLimitedProxy:
    def __init__(self, port):
        self.server_port = port
        self.forwarded_bytes = 0
        self.limit = None
        self.limit_reached = threading.Event()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def stop_after(self, count):
        """Stops forwarding after `count` more bytes to the server; None removes the limit."""
        self.limit_reached.clear()
        self.limit = None if count is None else self.forwarded_bytes + count

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
                upstream = socket.create_connection(("127.0.0.1", self.server_port))
            except OSError:
                if self.listener.fileno() < 0:
                    return
                client.close()
                continue
            threading.Thread(target=self.forward, args=(client, upstream, True), daemon=True).start()
            threading.Thread(target=self.forward, args=(upstream, client, False), daemon=True).start()

    def forward(self, source, target, is_upload):
        try:
            while part := source.recv(16384):
                if is_upload:
                    if self.limit is not None and self.forwarded_bytes >= self.limit:
                        self.limit_reached.set()
                        break
                    self.forwarded_bytes += len(part)
                target.sendall(part)
            if is_upload and self.limit_reached.is_set():
                source.recv(1)  # until the sender closes
        except OSError:
            pass
        for end in (source, target):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass
            end.close()

    def close(self):
        self.listener.close()
