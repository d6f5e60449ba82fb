"""PostgreSQL and an object store for servers under load, each a separate process."""

import json
import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

from support import s3_peer
from support.postgres_server import Database
from support.server import Server

BUCKET = "mien-load"


class Services:
    def __init__(self):
        self.database = Database(durable=True)
        if not self.database.programs:
            sys.exit("PostgreSQL's programs are missing (Debian package: postgresql)")
        self.store = subprocess.Popen([sys.executable, pathlib.Path(s3_peer.__file__)], text=True, stdin=subprocess.PIPE,
                                      stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        self.port = int(self.store.stdout.readline())
        self.order("bucket", name=BUCKET)
        self.data = None
        services = self

        class Node(Server):
            @property
            def environment(self):
                return {**os.environ, "AWS_ACCESS_KEY_ID": s3_peer.ACCESS, "AWS_SECRET_ACCESS_KEY": s3_peer.SECRET,
                        "MIEN_STORE": services.database.url_for("load"),
                        "MIEN_BLOBS": f"s3://{BUCKET}/load?endpoint=http://127.0.0.1:{services.port}"}

        self.node = Node

    def order(self, what, **more):
        """Sends an order to the object store, as `s3_peer.Peer.order` takes it."""
        self.store.stdin.write(json.dumps({"what": what, **more}) + "\n")
        self.store.stdin.flush()
        line = self.store.stdout.readline()
        try:
            return json.loads(line)
        except ValueError:
            raise RuntimeError(f"the object store answered {line[:300]!r}, {self.store.poll()}") from None

    def server(self, binary, arguments=(), loads_models=None):
        """Starts a server that uses both; later ones get the first one's keyrings, as described in Documentation/operations/Scaling.md."""
        folder = tempfile.mkdtemp(prefix="mien-load-")
        if self.data:
            for realm in ("", "sandbox/"):
                os.makedirs(f"{folder}/{realm}", exist_ok=True)
                shutil.copy(f"{self.data}/{realm}mien.keyring", f"{folder}/{realm}mien.keyring")
        self.data = self.data or folder
        return self.node(binary, folder, arguments, loads_models)

    def stop(self):
        self.store.stdin.close()
        self.store.wait(20)
        self.database.clean()
