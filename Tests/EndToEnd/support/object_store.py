"""Servers whose files are in the S3 bucket of the tests."""

import os
import pathlib

from support import s3_peer
from support.replies import conforms, expect
from support.server import Server

BUCKET = "mien-tests"
MARKER_KEYS = ["mien-installation"]


class BucketServer(Server):
    """A server whose files are in the bucket, under its own prefix."""
    peer = None

    @property
    def folder(self):
        return os.path.basename(self.data)

    @property
    def address(self):
        return f"s3://{BUCKET}/{self.folder}?endpoint=http://127.0.0.1:{BucketServer.peer.port}"

    @property
    def environment(self):
        return environment_with(MIEN_BLOBS=self.address)

    def stored_keys(self, realm="live"):
        """Returns the names of blobs and of unfinished multipart uploads in the bucket."""
        found, begin = BucketServer.peer.keys(BUCKET), f"{self.folder}/{realm}/"
        return [[key[len(begin):] for key in found[what] if key.startswith(begin)] for what in ("keys", "uploads")]


def environment_with(**more):
    return {**os.environ, "AWS_ACCESS_KEY_ID": s3_peer.ACCESS, "AWS_SECRET_ACCESS_KEY": s3_peer.SECRET, **more}


def on_disk(server):
    """Returns the files of captures and scans in the data directory, of which there should be none."""
    return [path for realm in ("", "sandbox/") for path in pathlib.Path(server.data, realm + "blobs").rglob("*") if path.is_file()]


def unavailable(reply):
    expect(reply, 503, "unavailable")
    assert int(reply.headers["retry-after"]) >= 1
    conforms("Problem", reply.json)
