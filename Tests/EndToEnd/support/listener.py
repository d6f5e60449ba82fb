"""A listener that counts connections, to show that nothing connects to it."""

import socket
import threading
from contextlib import contextmanager


@contextmanager
def listener():
    """Yields the port of a listener and the list of the connections to it."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        seen = []

        def accept():
            while True:
                try:
                    connection, address = server.accept()
                except OSError:
                    return
                seen.append(address)
                connection.close()

        threading.Thread(target=accept, daemon=True).start()
        yield server.getsockname()[1], seen
        server.shutdown(socket.SHUT_RDWR)
