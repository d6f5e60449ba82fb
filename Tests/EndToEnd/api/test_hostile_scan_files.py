"""Tests of scans whose files are made to expand, to escape their folder, to contact other hosts, or to be read twice."""

import io
import pathlib
import re
import stat
import struct
import time
import warnings
import zipfile

import pytest

from support.capture_files import photo
from support.captures import check_nothing_stored, post as post_capture
from support.replies import conforms, expect
from support.scans import HEIGHT, WIDTH, done, maps, metadata, post, settled
from support.serving import serving
from support.webhooks import Receiver

pytestmark = pytest.mark.without_models
ESCAPED = "mien-escaped.bin"


def archive(entries, method=zipfile.ZIP_DEFLATED):
    buffer = io.BytesIO()
    with warnings.catch_warnings(), zipfile.ZipFile(buffer, "w", method) as made:
        warnings.simplefilter("ignore")  # duplicate names are intended
        for name, body in entries:
            made.writestr(name, body)
    return buffer.getvalue()


def link(name, target):
    entry = zipfile.ZipInfo(name)
    entry.create_system, entry.external_attr = 3, (stat.S_IFLNK | 0o777) << 16
    return entry, target.encode()


def resized(body, size):
    """Returns an archive whose directory and local headers state another uncompressed size for every entry."""
    for signature, offset in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        place = -1
        while (place := body.find(signature, place + 1)) >= 0:
            body = body[:place + offset] + struct.pack("<I", size) + body[place + offset + 4:]
    return body


def overlapping(count):
    """Returns an archive of which every entry of the directory is the same compressed bytes."""
    body = archive([("depth_scan.bin", bytes(4 << 20))])
    directory = body.index(b"PK\x01\x02")
    entry, end = body[directory:body.index(b"PK\x05\x06")], body.index(b"PK\x05\x06")
    entries = b""
    for number in range(count):
        name = f"{number:010d}.bin".encode()
        entries += entry[:28] + struct.pack("<H", len(name)) + entry[30:46] + name
    tail = struct.pack("<4sHHHHIIH", b"PK\x05\x06", 0, 0, count, count, len(entries), directory, 0)
    assert end > directory
    return body[:directory] + entries + tail


def xml(port):
    """Returns XML with entities that grow to gigabytes, and one that contacts a server and one that reads a file."""
    grow = "".join(f'<!ENTITY e{number} "{f"&e{number - 1};" * 10}">' for number in range(1, 10))
    return {
        "laughs": f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY e0 "haha">{grow}]><x>&e9;</x>'.encode(),
        "external": (f'<?xml version="1.0"?><!DOCTYPE x [<!ENTITY a SYSTEM "file:///etc/passwd">'
                     f'<!ENTITY b SYSTEM "http://127.0.0.1:{port}/xxe"><!ENTITY % c SYSTEM "http://127.0.0.1:{port}/dtd"> %c;]>'
                     "<x>&a;&b;</x>").encode(),
    }


def usdz(port):
    """Returns USDZ files: stored, not compressed, with a stage that refers to files and hosts outside of it."""
    stage = ('#usda 1.0\n( subLayers = [@/etc/passwd@, @../../mien.sqlite@, @http://127.0.0.1:%d/stage.usda@] )\n'
             'def Xform "x" ( references = @file:///etc/passwd@ ) {}\n' % port).encode()
    return [archive([("stage.usda", stage)], zipfile.ZIP_STORED),
            archive([("model.usdc", b"PXR-USDC" + bytes(64) + b"\xff" * 64)], zipfile.ZIP_STORED),
            archive([("../" + ESCAPED, stage), ("depth_scan.bin", maps(1))], zipfile.ZIP_STORED)]


def fails(server, body):
    """Sends a file as a scan and checks that processing rejects it quickly, with a reason that contains no paths."""
    began = server.processor_seconds()
    reply = settled(server, post(server, {"scan": body}))
    conforms("Scan", reply)
    assert reply["status"] == "failed", reply
    assert not re.search(r"(^|[^\w.])/\w", reply["problem"]["detail"]), reply["problem"]
    assert "root:" not in str(reply), "it contains nothing of another file"
    assert server.processor_seconds() - began < 20, reply
    assert expect(server.request("GET", "/health/live"), 200).json == {"status": "live"}
    return reply


def escaped(server):
    return [str(path) for folder in (pathlib.Path(server.data).parent, pathlib.Path("/tmp"), pathlib.Path(server.data))
            for path in folder.glob(ESCAPED)]


def test_archives_that_expand_are_rejected_without_using_memory(server):
    inner = archive([("depth_scan.bin", bytes(30 << 20))])
    for _ in range(3):
        inner = archive([(f"{number}.zip", inner) for number in range(10)])
    with serving(server) as own:
        fails(own, b"PK\x03\x04")  # loads what a first scan needs
        before = own.memory()
        for body in (
            inner,
            archive([("depth_scan.bin", bytes(400 << 20))]),
            archive([(f"{number:05d}.bin", b"") for number in range(60_000)], zipfile.ZIP_STORED),
            resized(archive([("depth_scan.bin", bytes(40 << 20))]), 10),
            resized(archive([("depth_scan.bin", b"x")]), 0xFFFFFFFE),
            overlapping(2000),
        ):
            fails(own, body)
            assert own.memory() - before < 256 << 20, (before, own.memory())


def test_archive_entries_do_not_leave_their_folder(server):
    for name in ("../" + ESCAPED, "../../../../" + ESCAPED, "/tmp/" + ESCAPED, "..\\..\\" + ESCAPED, "C:\\" + ESCAPED, "a/../../" + ESCAPED,
                 "./../" + ESCAPED, "//tmp/" + ESCAPED, "a\0/../../" + ESCAPED, ESCAPED + "/", ".", "..", ""):
        reply = settled(server, post(server, {"scan": archive([(name or "x", b"x"), ("depth_scan.bin", b"12")])}))
        assert reply["status"] == "failed", (name, reply)
        assert escaped(server) == [], name
    for target in ("/etc/passwd", "../../mien.sqlite", "../../mien.keyring", "/dev/zero"):
        reply = fails(server, archive([link("depth_scan.bin", target)]))
        assert "root:" not in str(reply)


def test_archive_with_duplicate_entries_is_rejected(server):
    depth = maps(3, shift=77)
    said = metadata(3, len(depth), depth_format={"width": WIDTH, "height": HEIGHT, "pixel": "uint16_mm"})
    for entries in (
        [("depth_scan.bin", depth), ("metadata.json", said), ("depth_scan.bin", maps(3, shift=78))],
        [("depth_scan.bin", depth), ("metadata.json", said), ("metadata.json", metadata(9, 5))],
    ):
        reply = fails(server, archive(entries))
        assert "twice" in reply["problem"]["detail"], reply["problem"]
    # Without the second entry, the archive is a scan.
    done(server, post(server, {"scan": archive(entries[:2])}))


def test_xml_and_usdz_are_not_read_and_contact_nobody(server):
    with Receiver() as elsewhere:
        documents = xml(elsewhere.port)
        for body in [*documents.values(), *usdz(elsewhere.port)]:
            fails(server, body)
            assert escaped(server) == []
        for name, body in documents.items():
            for path in ("stage.xml", "metadata.xml", "Info.plist", "metadata.json"):
                fails(server, archive([(path, body)]))
            # As metadata, a photo and a message's image, XML is not JSON and no image.
            check_nothing_stored(server, lambda body=body: post_capture(server, {"photo": photo(5), "metadata": body}, 400))
            check_nothing_stored(server, lambda body=body: post_capture(server, {"photo": body}, 422))
            expect(server.request("POST", "/v1/messages/read-id", body, {"Content-Type": "image/png"}), 422)
            for kind in ("application/xml", "text/xml"):
                assert server.request("POST", "/v1/checks", body, {"Content-Type": kind}, server.key).status in (400, 415), name
        time.sleep(1)
        assert elsewhere.received == []
