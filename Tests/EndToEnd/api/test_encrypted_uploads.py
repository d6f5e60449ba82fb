"""Tests of encrypted partial uploads."""

import base64
import hashlib
import os
import pathlib
import socket
import stat
import time

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from cryptography.hazmat.primitives.kdf.hkdf import HKDF

from support import scans
from support.encryption import assert_absent, read_keyring, rotate, stored_bytes
from support.replies import expect
from support.server import Server

pytestmark = pytest.mark.without_models


def decrypt_file(key, path):
    """Decrypts a file as Documentation/reference/formats/EncryptedBlob.md specifies, with another library."""
    raw = path.read_bytes()
    assert raw[:12] == b"MIENBLOB1\0\0\0"
    wrapping = HKDF(hashes.SHA256(), 32, None, b"mien blobs 1").derive(key)
    own = AESGCM(AESGCM(wrapping).decrypt(raw[12:24], raw[24:72], path.name.encode()))
    chunks = [raw[start:start + 65_552] for start in range(72, len(raw), 65_552)]
    return b"".join(own.decrypt(number.to_bytes(12, "big"), chunk, bytes([number == len(chunks) - 1]))
                    for number, chunk in enumerate(chunks))


class PartialUpload:
    """A partially received upload, whose server is killed while it receives a piece."""

    def __init__(self, own):
        self.own, self.body = own, os.urandom(9 << 20)
        before = self.stored_files()
        scan = scans.create(own, [{"name": "scan.zip", "bytes": len(self.body)}])
        self.scan, self.upload = scan["id"], scan["files"][0]["upload"]
        scans.patch(own, self.upload, 0, self.body[:1 << 20])
        with socket.create_connection(("127.0.0.1", own.port)) as line:
            line.sendall((f"PATCH {self.upload} HTTP/1.1\r\nHost: localhost\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: {1 << 20}\r\n"
                          f"Content-Type: {scans.OCTETS}\r\nContent-Length: {8 << 20}\r\n\r\n").encode())
            line.sendall(self.body[1 << 20:8 << 20])
            deadline = time.monotonic() + 120
            while self.offset() == 1 << 20:
                assert time.monotonic() < deadline, "nothing of the piece was noted"
                time.sleep(0.05)
            own.kill()
        self.pieces = [path for path in self.stored_files() if path not in before]

    def stored_files(self):
        """Returns the files of captures and scans, without drafts."""
        return [path for path in pathlib.Path(self.own.data, "blobs").rglob("b*") if path.is_file() and path.parent.name != "drafts"]

    def offset(self):
        return int(scans.head(self.own, self.upload).headers["upload-offset"])

    def secrets(self):
        return [self.body[start:start + 24] for start in range(0, len(self.body) - 24, 333_333)]

    def resume(self):
        """Sends the rest and checks that the file is identical, and that what was received is still where it was."""
        offset = self.offset()
        assert 1 << 20 < offset, offset
        scans.patch(self.own, self.upload, offset, self.body[offset:])
        file = scans.get(self.own, self.scan)["files"][0]
        assert file["sha256"] == hashlib.sha256(self.body).hexdigest() and all(path.exists() for path in self.pieces)
        assert self.own.request("GET", file["url"]).body == self.body


def test_partial_upload_is_encrypted_and_completes_after_a_crash(server):
    own = Server(server.binary)
    try:
        upload = PartialUpload(own)
        assert_absent(upload.secrets(), stored_bytes(own))
        plain = [decrypt_file(read_keyring(own), path) for path in upload.pieces]
        assert sum(len(piece) for piece in plain) > 4 << 20 and all(piece in upload.body for piece in plain)
        assert all(stat.S_IMODE(path.stat().st_mode) == 0o600 for path in upload.pieces)
        own.start()
        assert_absent(upload.secrets(), stored_bytes(own))
        upload.resume()
        assert_absent(upload.secrets(), stored_bytes(own))
    finally:
        own.clean()


def test_detects_a_changed_byte_of_an_upload(server):
    own = Server(server.binary)
    try:
        upload = PartialUpload(own)
        piece = max(upload.pieces, key=lambda path: path.stat().st_size)
        good = piece.read_bytes()
        for place in (3, 20, 80, 500_000):
            piece.write_bytes(good[:place] + bytes([good[place] ^ 1]) + good[place + 1:])
            own.start()
            offset = upload.offset()
            reply = own.request("PATCH", upload.upload, upload.body[offset:],
                                {**scans.TUS, "Content-Type": scans.OCTETS, "Upload-Offset": str(offset)})
            expect(reply, 503, "unavailable")
            own.kill()
        piece.write_bytes(good)
        own.start()
        upload.resume()
    finally:
        own.clean()


def test_upload_in_progress_survives_a_key_rotation(server):
    own = Server(server.binary)
    try:
        upload, old = PartialUpload(own), read_keyring(own)
        # In PostgreSQL, the lease of a killed server must expire first.
        if own.environment:
            time.sleep(32)
        rotate(own)
        assert base64.b64encode(old) not in read_keyring(own)
        assert all(decrypt_file(base64.b64decode(read_keyring(own).split()[3]), path) in upload.body for path in upload.pieces)
        own.start()
        upload.resume()
    finally:
        own.clean()
