"""Tests of queued, interrupted, canceled and repeated scan processing."""

import os
import pathlib
import sqlite3
import time

from support.replies import expect
from support.scans import done, failed, files_on_disk, get, gone, parts, post, sent_by_tus
from support.server import Server


def test_processing_resumes_after_a_crash(server):
    own = Server(server.binary)
    try:
        sent = parts(60, shift=11)
        scan = post(own, sent)
        deadline = time.monotonic() + 120
        while get(own, scan)["status"] != "working":
            assert time.monotonic() < deadline
            time.sleep(0.02)
        own.kill()
        # A crash leaves nothing of the scan in plain text.
        left = [path.read_bytes() for path in pathlib.Path(own.data).rglob("*") if path.is_file()]
        shown = [body[place:place + 16] for body in sent.values() for place in (0, len(body) // 2)]
        assert left and not any(part in body for body in left for part in shown)
        own.start()
        found = done(own, scan, seconds=240)
        assert found["depth"]["frames"] == 60
        assert len(files_on_disk(own)) == len(found["files"]) + len(found["results"])
        own.kill()
        with sqlite3.connect(os.path.join(own.data, "mien.sqlite")) as db:
            db.execute("UPDATE scan SET status = 'working', attempts = 3")
        own.start()
        assert failed(own, scan, "gave-up", "3 times")["status"] == "failed"
        expect(own.request("POST", f"/v1/scans/{scan}/retry"), 202)
        expect(own.request("POST", f"/v1/scans/{scan}/cancel"), 200)
    finally:
        own.clean()


def test_processing_can_be_canceled_and_restarted(server):
    long, waiting = post(server, parts(60, shift=13)), post(server, parts(4, shift=14))
    deadline = time.monotonic() + 120
    while (status := get(server, long)["status"]) != "working":
        assert status == "queued" and time.monotonic() < deadline, status
        time.sleep(0.02)
    for scan in (long, waiting):
        reply = expect(server.request("POST", f"/v1/scans/{scan}/cancel"), 200).json
        assert reply["status"] == "cancelled" and not reply["results"], reply
    expect(server.request("POST", f"/v1/scans/{long}/cancel"), 200)
    reply = expect(server.request("POST", f"/v1/scans/{waiting}/retry"), 202).json
    assert reply["status"] in ("queued", "working", "done")
    done(server, waiting)
    assert get(server, long)["status"] == "cancelled"
    expect(server.request("POST", f"/v1/scans/{waiting}/cancel"), 409, "wrong-state")
    before = files_on_disk(server)
    expect(server.request("DELETE", f"/v1/scans/{waiting}"), 204)
    expect(server.request("DELETE", f"/v1/scans/{waiting}"), 404, "not-found")
    assert len(files_on_disk(server)) < len(before)
    expect(server.request("DELETE", f"/v1/scans/{long}"), 204)
    # A scan deleted while it is processed is gone, and so are its results.
    before = files_on_disk(server)
    erased = post(server, parts(60, shift=15))
    while get(server, erased)["status"] != "working":
        assert time.monotonic() < deadline + 60
        time.sleep(0.02)
    expect(server.request("DELETE", f"/v1/scans/{erased}"), 204)
    gone(server, before)


def test_files_are_served_by_ranges(server):
    body = os.urandom(1000)
    scan = sent_by_tus(server, {"über raum/a b.bin": body})
    url = get(server, scan)["files"][0]["url"]
    def part(wanted, status, **headers):
        return expect(server.request("GET", url, headers={"Range": wanted, **headers}), status)
    assert part("bytes=10-19", 206).body == body[10:20] and part("bytes=990-", 206).body == body[990:]
    reply = part("bytes=-5", 206)
    assert reply.body == body[-5:] and reply.headers["content-range"] == "bytes 995-999/1000"
    assert part("bytes=0-99999", 206).body == body and part("bytes=-99999", 206).body == body
    for wanted in ("bytes=1000-", "bytes=1000-2000", "bytes=-0"):
        assert part(wanted, 416).headers["content-range"] == "bytes */1000"
    for wanted in ("bytes=5-2", "bytes=99999999999999999999-5", "bytes=0-1,5-6", "lines=1-2", "bytes=a-b", "bytes=", "bytes=-"):
        assert part(wanted, 200).body == body
    tag = server.request("GET", url).headers["etag"]
    assert part("bytes=0-0", 206, **{"If-Range": tag}).body == body[:1]
    assert part("bytes=0-0", 200, **{"If-Range": '"other"'}).body == body
    for name in ("nothing", "..%2f..%2fmien.keyring", "../../../mien.keyring", "%00"):
        assert server.request("GET", f"/v1/scans/{scan}/files/{name}").status in (400, 404)
