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
from support.encryption import change, haystack, nowhere, rotate, seal
from support.replies import expect
from support.server import Server

pytestmark = pytest.mark.without_models


def opened_upload(key, name, raw):
    """Decrypts an upload as Documentation/reference/formats/SealedUpload.md specifies, with another library."""
    assert raw[:12] == b"MIENPIECE1\0\0"
    wrapping = HKDF(hashes.SHA256(), 32, None, b"mien uploads 1").derive(key)
    own = AESGCM(AESGCM(wrapping).decrypt(raw[12:24], raw[24:72], name.encode()))
    place, plain = 72, b""
    while place + 4 <= len(raw):
        count = int.from_bytes(raw[place:place + 4], "big")
        nonce, box = raw[place + 4:place + 16], raw[place + 16:place + 32 + count]
        if len(box) < count + 16:
            break
        plain += own.decrypt(nonce, box, len(plain).to_bytes(8, "big") + raw[place:place + 4])
        place += 32 + count
    return plain


class HalfSent:
    """A partially received upload, whose server is killed while it receives a piece."""

    def __init__(self, own):
        self.own, self.body = own, os.urandom(9 << 20)
        scan = scans.create(own, [{"name": "scan.zip", "bytes": len(self.body)}])
        self.scan, self.upload = scan["id"], scan["files"][0]["upload"]
        self.file = pathlib.Path(own.data, "uploads", self.upload.split("/")[-1])
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

    def offset(self):
        return int(scans.head(self.own, self.upload).headers["upload-offset"])

    def needles(self):
        return [self.body[start:start + 24] for start in range(0, len(self.body) - 24, 333_333)]

    def go_on(self):
        """Sends the rest and checks that the file is identical."""
        offset = self.offset()
        assert 1 << 20 < offset <= 8 << 20, offset
        scans.patch(self.own, self.upload, offset, self.body[offset:])
        file = scans.get(self.own, self.scan)["files"][0]
        assert file["sha256"] == hashlib.sha256(self.body).hexdigest() and not self.file.exists()
        assert self.own.request("GET", file["url"]).body == self.body


def test_partial_upload_is_encrypted_and_completes_after_a_crash(server):
    own = Server(server.binary)
    try:
        half = HalfSent(own)
        nowhere(half.needles(), haystack(own))
        plain = opened_upload(seal(own), half.file.name, half.file.read_bytes())
        assert len(plain) > 4 << 20 and half.body.startswith(plain)
        assert stat.S_IMODE(half.file.stat().st_mode) == 0o600
        own.start()
        nowhere(half.needles(), haystack(own))
        half.go_on()
        nowhere(half.needles(), haystack(own))
    finally:
        own.clean()


def test_detects_a_changed_byte_of_an_upload(server):
    own = Server(server.binary)
    try:
        half = HalfSent(own)
        good = half.file.read_bytes()
        for place in (3, 20, 80, 500_000):
            half.file.write_bytes(good[:place] + bytes([good[place] ^ 1]) + good[place + 1:])
            own.start()
            offset = half.offset()
            reply = own.request("PATCH", half.upload, half.body[offset:],
                                {**scans.TUS, "Content-Type": scans.OCTETS, "Upload-Offset": str(offset)})
            expect(reply, 503, "unavailable")
            own.kill()
            change(own, "UPDATE scan_file SET received = ? WHERE upload = ?", offset, half.file.name)
        half.file.write_bytes(good)
        own.start()
        half.go_on()
    finally:
        own.clean()


def test_unencrypted_upload_of_an_earlier_version_continues(server):
    own = Server(server.binary)
    try:
        half = HalfSent(own)
        size = 5 << 20
        half.file.write_bytes(half.body[:size])
        change(own, "UPDATE scan_file SET received = ? WHERE upload = ?", size, half.file.name)
        own.start()
        half.go_on()
        nowhere(half.needles(), haystack(own))
    finally:
        own.clean()


def test_upload_in_progress_survives_a_key_rotation(server):
    own = Server(server.binary)
    try:
        half, old = HalfSent(own), seal(own)
        # In PostgreSQL, the lease of a killed server must expire first.
        if own.environment:
            time.sleep(32)
        assert "uploads under way" in rotate(own)

        def words():
            return [line.split()[0] for line in seal(own).decode().splitlines()[1:]]

        assert words().count("uploads") == 1 and base64.b64encode(old) not in seal(own), words()
        rotate(own, "--finish")
        assert words().count("uploads") == 1, "it is needed"
        own.start()
        half.go_on()
        # The completed scan needs no more files, and later uploads use the new key.
        expect(own.request("POST", f"/v1/scans/{half.scan}/submit"), 202)
        later = HalfSent(own)
        if own.environment:
            time.sleep(32)
        rotate(own, "--finish")
        assert words().count("uploads") == 0, words()
        own.start()
        later.go_on()
    finally:
        own.clean()
