"""Simulated users who send depth scans to a server that is killed, and checks that every scan must pass."""

import hashlib
import http.client
import io
import json
import struct
import time
import zipfile

import numpy

from reliability.acknowledged import Scan
from reliability.user_load import CONNECTION_ERRORS, FORM, SimulatedUser
from support import scans
from support.capture_files import form, photo

WIDTH, HEIGHT = 96, 72
# Maximum number of queued scans: with more, most kills would interrupt the same few.
MAX_QUEUED = 2
RESULTS = scans.RESULTS - {"model.usdz"}
FINAL_STATES = ("done", "failed", "cancelled")
NAMES = {"depth_scan": "depth_scan.bin", "metadata": "metadata.json", "image1": "image1.png", "scan": "scan.zip"}


def depth_maps(count, shift):
    """Renders depth maps of a bowl from a static camera; small, since every result file is read back completely."""
    y, x = numpy.mgrid[0:HEIGHT, 0:WIDTH]
    square = (x - WIDTH / 2) ** 2 + (y - HEIGHT / 2) ** 2
    depth = numpy.where(square < 16 ** 2, 600 + shift + square / 5, 0)
    return depth.astype("<u2").tobytes() * count


def new_scan(rng):
    """Returns a new scan by form part names: either many bytes, or an archive that takes some seconds to process."""
    is_packed = rng.random() < 0.5
    count = rng.choice([300, 1000, 2000] if is_packed else [4, 40, 150])
    depth = depth_maps(count, rng.randrange(200))
    metadata = scans.metadata(count, len(depth), photo_count=0, note=f"{rng.getrandbits(64):x}",
                              depth_format={"width": WIDTH, "height": HEIGHT, "pixel": "uint16_mm"})
    sent = {"depth_scan": depth, "metadata": metadata}
    if is_packed:
        packed = io.BytesIO()
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED, compresslevel=1) as archive:
            archive.writestr("depth_scan.bin", depth)
            archive.writestr("metadata.json", metadata)
        sent = {"scan": packed.getvalue()}
    if rng.random() < 0.3:
        sent["image1"] = photo(rng.randrange(1, 6))
    return sent


def digest(body):
    return hashlib.sha256(body).hexdigest()


def slowly(body, rng):
    """Yields the bytes in pieces with pauses, so that kills interrupt the transfer."""
    for start in range(0, len(body), 32_768):
        time.sleep(rng.uniform(0, 0.04))
        yield body[start:start + 32_768]


class Scanner(SimulatedUser):
    def repeat_until_answered(self, *arguments, **named):
        """Repeats a request until it is answered, however often the server is killed in the meantime."""
        tries = 0
        while True:
            try:
                reply = self.ask(*arguments, **named)
                if reply.status not in (423, 429, 503):
                    return reply
            except CONNECTION_ERRORS:
                pass
            tries += 1
            # At the end of a run, started work is completed.
            if not self.running and tries > 200:
                raise ConnectionError("no server answers")
            time.sleep(0.05)

    def is_queue_full(self):
        time.sleep(self.rng.uniform(0, 2))
        reply = self.ask("GET", "/v1/scans?status=queued&limit=1")
        return reply.status != 200 or reply.json["total"] >= MAX_QUEUED

    def record(self, scan):
        with self.acknowledged.lock:
            self.acknowledged.scans[scan.id] = scan

    def cancel_or_delete(self, scan):
        """Waits a moment, then sometimes cancels or deletes the scan."""
        time.sleep(self.rng.uniform(0, 2))
        chance = self.rng.random()
        if chance < 0.15:
            scan.cancelling = True
            reply = self.ask("POST", f"/v1/scans/{scan.id}/cancel")
            if reply.status == 200:
                assert reply.json["status"] == "cancelled" and not reply.json["results"], reply
                scan.cancelled = True
                self.acknowledged.count("scans cancelled")
            else:
                assert reply.status in (409, 503), reply
        elif chance < 0.3:
            with self.acknowledged.lock:
                scan.erasing = True
                del self.acknowledged.scans[scan.id]
            reply = self.ask("DELETE", "/v1/scans/" + scan.id)
            if reply.status == 204:
                with self.acknowledged.lock:
                    self.acknowledged.erased.append("/v1/scans/" + scan.id)
                self.acknowledged.count("scans erased")


class FormScanner(Scanner):
    """Sends scans in one request; if the reply was lost, sends the same scan again."""
    unanswered = None

    def act(self):
        if not self.unanswered and self.is_queue_full():
            return
        sent, kills = self.unanswered or (new_scan(self.rng), self.acknowledged.kills)
        self.unanswered = sent, kills
        reply = self.ask("POST", "/upload", slowly(body := form(list(sent.items())), self.rng),
                         {**FORM, "Content-Length": str(len(body))})
        self.unanswered = None
        if reply.status != 202:
            assert reply.status in (429, 503), reply
            return
        scan = Scan(reply.json["scan_id"], kills)
        scan.digests = {NAMES[name]: digest(body) for name, body in sent.items()}
        scan.submitted = True
        self.record(scan)
        self.acknowledged.count("scans by form")
        self.cancel_or_delete(scan)


class PieceScanner(Scanner):
    """Sends scans in pieces, and resumes at the server's offset."""

    def act(self):
        if self.is_queue_full():
            return
        files = {NAMES[name]: body for name, body in new_scan(self.rng).items()}
        kills, request = self.acknowledged.kills, {"Idempotency-Key": f"crash-{self.rng.getrandbits(64):x}"}
        listed = [{"name": name, "bytes": len(body)} for name, body in files.items()]
        created = self.repeat_until_answered("POST", "/v1/scans", {"files": listed}, request)
        assert created.status in (200, 201), created
        scan = Scan(created.json["id"], kills)
        self.record(scan)
        for file in created.json["files"]:
            self.upload_in_pieces(scan, file["name"], file["upload"], files[file["name"]])
        reply = self.repeat_until_answered("POST", f"/v1/scans/{scan.id}/submit")
        assert reply.status == 202, reply
        with self.acknowledged.lock:
            scan.digests, scan.submitted = {name: digest(body) for name, body in files.items()}, True
        self.acknowledged.count("scans in pieces")
        self.cancel_or_delete(scan)

    def upload_in_pieces(self, scan, name, upload, body):
        offset = sent = 0
        is_whole = False
        while offset < len(body):
            end = min(len(body), offset + self.rng.randrange(20_000, 800_000))
            piece, sent = body[offset:end], max(sent, end)
            headers = {**scans.TUS, "Content-Type": scans.OCTETS, "Upload-Offset": str(offset), "Content-Length": str(len(piece))}
            if self.rng.random() < 0.3:
                headers["Upload-Checksum"] = scans.checksum(piece)
            try:
                reply = self.ask("PATCH", upload, slowly(piece, self.rng), headers)
            except CONNECTION_ERRORS:
                reply = None
            if reply and reply.status == 204:
                now, is_whole = int(reply.headers["upload-offset"]), end == len(body)
                assert now == end, reply
                self.acknowledged.count("pieces")
            else:
                assert reply is None or reply.status in (409, 423, 429, 503), reply
                reported = self.repeat_until_answered("HEAD", upload, headers=scans.TUS)
                assert reported.status == 200, reported
                now = int(reported.headers["upload-offset"])
                assert offset <= now <= sent, f"an upload of {offset} acknowledged bytes is at {now}, {sent} were sent"
                self.acknowledged.count("uploads resumed")
            offset = now
            with self.acknowledged.lock:
                scan.offsets[upload] = offset
        # The server may be killed between the last byte and storing the file: an empty piece or the submission completes it.
        if not is_whole and self.rng.random() < 0.5:
            reply = self.repeat_until_answered(
                "PATCH", upload, b"", {**scans.TUS, "Content-Type": scans.OCTETS, "Upload-Offset": str(offset)})
            assert reply.status == 204, reply
            is_whole = True
        if is_whole:
            with self.acknowledged.lock:
                scan.digests[name] = digest(body)


SCANNERS = [FormScanner, PieceScanner]


# ── invariants ───────────────────────────────────────────────────────────────────────────────────────────────────────


class Erased(Exception):
    pass


class ScanComparison:
    """Compares one scan with the acknowledged data."""

    def __init__(self, server, acknowledged, scan, rng):
        self.server, self.acknowledged, self.scan, self.rng = server, acknowledged, scan, rng
        with acknowledged.lock:  # before the request: later changes may be in the reply or not
            digests, offsets, submitted, cancelled = dict(scan.digests), dict(scan.offsets), scan.submitted, scan.cancelled
        found = self.get("/v1/scans/" + scan.id, "an acknowledged scan is gone").json
        files = {file["name"]: file for file in found["files"]}
        for name, sha256 in digests.items():
            assert files[name].get("sha256") == sha256, f"a scan's {name} is another one: {files[name]}"
        if digests:
            name = rng.choice(sorted(digests))
            body = self.get(files[name]["url"], f"a scan lost its {name}").body
            assert digest(body) == digests[name], f"a scan's {name} has changed"
        for upload, offset in offsets.items():
            reported = self.get(upload, "an upload is gone", "HEAD", scans.TUS)
            assert int(reported.headers["upload-offset"]) >= offset, f"{offset} bytes were acknowledged, {reported.headers} are reported"
        status = found["status"]
        assert not cancelled or status == "cancelled", f"a cancelled scan is {status}"
        assert scan.cancelling or status != "cancelled", "a scan was canceled without a request"
        assert not submitted or status != "uploading", "a submitted scan waits for files"
        if status == "failed":
            self.verify_problem(found["problem"])
        results = {result["name"]: result["sha256"] for result in found["results"]}
        if status == "done":
            self.verify_results(found)
        else:
            assert not results and "report" not in found, f"a scan that is {status} has results"
            reply = server.request("GET", f"/v1/scans/{scan.id}/results/model.ply")
            assert reply.status != 200 or self.get("/v1/scans/" + scan.id, "it is gone").json["status"] == "done", \
                f"a scan that is {status} returns a result"
        final = (status, found.get("problem", {}).get("code"), results)
        if scan.final:
            assert scan.final == final, f"a scan that was {scan.final[0]} has changed: {final}"
        elif status in ("done", "failed"):
            scan.final = final
            acknowledged.count(f"scans {status}" if status == "done" else f"scans {final[1]}")
        self.status = status

    def get(self, path, wrong, method="GET", headers=None):
        try:
            reply = self.server.request(method, path, headers=headers)
        except http.client.IncompleteRead as error:
            if self.scan.erasing:
                raise Erased from None
            raise AssertionError(f"{wrong}: {path} breaks off, {error}") from None
        if self.scan.erasing:
            raise Erased
        assert reply.status == 200, f"{wrong}: {reply}"
        return reply

    def verify_problem(self, problem):
        kills = self.acknowledged.kills - self.scan.kills
        assert problem["code"] == "gave-up", problem
        assert kills >= 3, f"a scan was given up after {kills} kills: {problem}"

    def verify_results(self, found):
        """Verifies every result the first time, one of them afterwards."""
        assert RESULTS <= {result["name"] for result in found["results"]}, found["results"]
        wanted = found["results"] if not self.scan.final else [self.rng.choice(found["results"])]
        for result in wanted:
            body = self.get(result["url"], f"a scan that is done lacks its {result['name']}").body
            assert len(body) == result["bytes"] and digest(body) == result["sha256"], f"{result['name']} is not whole"
            check_format(result["name"], body, found)


def check_format(name, body, found):
    """Checks that the file is complete and in its format."""
    kind = name.split(".")[-1]
    if kind == "glb":
        magic, _, length = struct.unpack("<4sII", body[:12])
        assert magic == b"glTF" and length == len(body), name
    elif kind == "ply":
        assert body.startswith(b"ply\n") and b"end_header\n" in body[:2000], name
    elif kind == "stl":
        assert len(body) == 84 + 50 * struct.unpack("<I", body[80:84])[0] == 84 + 50 * found["surface"]["triangles"], name
    elif kind == "obj":
        assert body.count(b"\nf ") == found["surface"]["triangles"], name
    elif kind == "usdz":
        assert zipfile.ZipFile(io.BytesIO(body)).testzip() is None, name
    elif kind == "png":
        assert body.startswith(b"\x89PNG") and body.endswith(b"IEND\xaeB`\x82"), name
    elif kind == "json":
        assert json.loads(body)["surface"] == found["surface"], name
    elif kind == "mien":
        assert body.startswith(b"\x89MSC"), name


def verify(server, acknowledged, rng):
    """Verifies a sample of the scans that were unfinished when last seen, and of the finished ones."""
    with acknowledged.lock:
        recorded = list(acknowledged.scans.values())
    waiting = [scan for scan in recorded if not scan.final and not scan.cancelled]
    finished = [scan for scan in recorded if scan.final or scan.cancelled]
    for scan in rng.sample(waiting, min(4, len(waiting))) + rng.sample(finished, min(2, len(finished))):
        try:
            ScanComparison(server, acknowledged, scan, rng)
        except Erased:
            pass


def await_final_states(server, acknowledged, rng, seconds):
    """Waits until every submitted scan has its final state, then verifies each; returns the seconds waited."""
    began, states = time.monotonic(), {}
    for scan in list(acknowledged.scans.values()):
        while True:
            try:
                states[scan.id] = ScanComparison(server, acknowledged, scan, rng).status
            except Erased:
                break
            if not scan.submitted or states[scan.id] in FINAL_STATES:
                break
            waited = time.monotonic() - began
            assert waited < seconds, f"a scan is {states[scan.id]} after {waited:.0f} s without a kill"
            time.sleep(0.2)
    # Includes scans whose acknowledgement was lost.
    waited, after = time.monotonic() - began, ""
    while after is not None:
        page = server.request("GET", f"/v1/scans?limit=200{after}").json
        for scan in page["scans"]:
            while scan["status"] in ("queued", "working"):
                assert time.monotonic() - began < seconds, f"a scan without a client is {scan['status']}"
                time.sleep(0.2)
                scan = server.request("GET", "/v1/scans/" + scan["id"]).json
            if scan["status"] == "done" and scan["id"] not in states:
                ScanComparison(server, acknowledged, Scan(scan["id"], 0), rng)
        after = f"&after={page['next']}" if page.get("next") else None
    return waited
