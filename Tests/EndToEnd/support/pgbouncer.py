"""Intermediaries between a server and its database: a round-trip counter and a pooler (Debian: pgbouncer)."""

import os
import pathlib
import shutil
import socket
import struct
import subprocess
import tempfile
import threading
import time


class RoundTripCounter:
    """Forwards bytes to a database and counts round trips: each Sync or Query message of PostgreSQL's protocol."""

    def __init__(self, database):
        self.database, self.count, self.lock = database, 0, threading.Lock()
        self.folder = tempfile.mkdtemp(prefix="mien-way-")
        self.listener = socket.socket(socket.AF_UNIX)
        self.listener.bind(self.folder + "/.s.PGSQL.5432")
        self.listener.listen(64)
        threading.Thread(target=self.accept, daemon=True).start()

    def accept(self):
        while True:
            try:
                client, _ = self.listener.accept()
            except OSError:
                return
            upstream = socket.socket(socket.AF_UNIX)
            upstream.connect(str(self.database.folder / ".s.PGSQL.5432"))
            threading.Thread(target=self.forward, args=(client, upstream, True), daemon=True).start()
            threading.Thread(target=self.forward, args=(upstream, client, False), daemon=True).start()

    def forward(self, source, target, is_request):
        pending, has_begun = b"", False
        try:
            while data := source.recv(65536):
                if is_request:
                    pending += data
                    # The startup message has no type byte.
                    while len(pending) >= (5 if has_begun else 4):
                        length = struct.unpack_from(">I", pending, 1 if has_begun else 0)[0] + (1 if has_begun else 0)
                        if len(pending) < length:
                            break
                        if has_begun and pending[:1] in b"SQ":
                            with self.lock:
                                self.count += 1
                        has_begun, pending = True, pending[length:]
                target.sendall(data)
        except OSError:
            pass
        for end in (source, target):
            try:
                end.shutdown(socket.SHUT_RDWR)
            except OSError:
                pass

    def url_for(self, address):
        return address.replace(f"host={self.database.folder}", f"host={self.folder}")

    def close(self):
        self.listener.close()
        shutil.rmtree(self.folder)


class Pooler:
    """pgbouncer in front of a database, in transaction pooling mode, with fewer server connections than client connections."""

    program = shutil.which("pgbouncer", path=os.environ.get("PATH", "") + ":/usr/sbin")

    def __init__(self, database):
        self.database = database
        self.folder = pathlib.Path(tempfile.mkdtemp(prefix="mien-pool-"))
        (self.folder / "users").write_text('"mien" ""\n')
        (self.folder / "ini").write_text(f"""[databases]
postgres = host={database.folder} port=5432 dbname=postgres
[pgbouncer]
listen_addr =
unix_socket_dir = {self.folder}
listen_port = 5432
auth_type = trust
auth_file = {self.folder}/users
pool_mode = transaction
default_pool_size = 3
max_client_conn = 100
""")
        if database.run_as_postgres:
            for path in (self.folder, *self.folder.iterdir()):
                shutil.chown(path, "postgres")
        self.process = subprocess.Popen([*database.run_as_postgres, self.program, "-q", self.folder / "ini"], cwd="/",
                                        stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        deadline = time.monotonic() + 10
        while not (self.folder / ".s.PGSQL.5432").exists():
            assert self.process.poll() is None and time.monotonic() < deadline, "pgbouncer does not start"
            time.sleep(0.02)

    def url_for(self, address):
        return address.replace(f"host={self.database.folder}", f"host={self.folder}") + "&pgbouncer=true"

    def close(self):
        self.process.terminate()
        self.process.wait(120)
        shutil.rmtree(self.folder)
