"""A proxy that passes a limited number of bytes to a server, so that transfers can be killed at a chosen point."""

import socket
import threading


class Straw:
    def __init__(self, port):
        self.port_of_server = port
        self.passed = 0
        self.limit = None
        self.full = threading.Event()
        self.listener = socket.create_server(("127.0.0.1", 0))
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def stop_after(self, count):
        """Stops forwarding after `count` more bytes to the server; None removes the limit."""
        self.full.clear()
        self.limit = None if count is None else self.passed + count

    def accept(self):
        while True:
            try:
                near, _ = self.listener.accept()
                far = socket.create_connection(("127.0.0.1", self.port_of_server))
            except OSError:
                if self.listener.fileno() < 0:
                    return
                near.close()
                continue
            threading.Thread(target=self.pump, args=(near, far, True), daemon=True).start()
            threading.Thread(target=self.pump, args=(far, near, False), daemon=True).start()

    def pump(self, source, target, counts):
        try:
            while part := source.recv(16384):
                if counts:
                    if self.limit is not None and self.passed >= self.limit:
                        self.full.set()
                        break
                    self.passed += len(part)
                target.sendall(part)
            if counts and self.full.is_set():
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
