"""Clients of a server during a fault, and the data they verify after the recovery."""

import collections
import concurrent.futures
import itertools
import random
import threading
import time

from reliability import acknowledged_checks, scan_load
from reliability.acknowledged import AcknowledgedData
from reliability.fault_helpers import STEPS, capture, check_capture, until
from reliability.user_load import CONNECTION_ERRORS, FORM, USERS
from support import capture_files, captures, object_store, s3_peer, scans
from support.replies import expect


def is_refusal(reply):
    """Checks that a temporary refusal has a code and Retry-After, and reveals nothing about the services behind the server."""
    if reply.headers["content-length"] != "0" and not reply.body:  # the answer to a HEAD
        assert reply.status == 503 and int(reply.headers["retry-after"]) >= 1, reply
        return True
    object_store.unavailable(reply)
    reported = reply.body.decode().lower()
    assert not any(word in reported for word in ("postgres", "sql", "errno", "/tmp", "bucket", object_store.BUCKET, s3_peer.SECRET)), reported
    return True


class ReplyRecorder:
    """Records the kind of every reply: success or client error, or a temporary refusal with its code."""

    def __init__(self, server):
        self.server, self.lock = server, threading.Lock()
        self.counts, self.wrong, self.slowest = collections.Counter(), [], (0, "nothing")

    def __getattr__(self, name):
        return getattr(self.server, name)

    def request(self, method, path, *more, **named):
        began = time.monotonic()
        try:
            reply = self.server.request(method, path, *more, **named)
        except CONNECTION_ERRORS as error:
            self.record("broken", began, method, path, error)
            raise
        if reply.status < 500:
            self.record("answered", began, method, path)
            return reply
        try:
            is_refusal(reply)
            self.record("refused", began, method, path)
        except Exception as error:
            self.record("unexpected", began, method, path, error)
        # Shorter than Retry-After, to keep the tests short.
        time.sleep(0.2)
        return reply

    def record(self, what, began, method, path, wrong=None):
        # The kind of request, without IDs: captures, checks, messages, performances, webhooks.
        kind = f"{method} /{'/'.join(path.split('/')[1:3])}"
        with self.lock:
            self.counts[what] += 1
            self.slowest = max(self.slowest, (time.monotonic() - began, kind))
            if wrong:
                self.wrong.append(f"{kind}: {wrong!r}")


class CompleteSample:
    """A sampler that returns all entries, for `acknowledged_checks.verify`."""

    @staticmethod
    def sample(entries, _):
        return list(entries)


class Traffic:
    """Users who upload, lock, guess, turn their heads and subscribe, and the data that was acknowledged to them."""

    def __init__(self, server, seed=1):
        self.server, self.recorder, self.acknowledged = server, ReplyRecorder(server), AcknowledgedData()
        rng = random.Random(seed)
        self.users = [kind(self.recorder, self.acknowledged, random.Random(rng.random())) for kind in USERS]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for user in self.users:
            user.running = False
        for user in self.users:
            user.join(120)

    def verify(self):
        """Checks that all acknowledged data exists, every part matches its digest, and every refusal had a code."""
        for user in self.users:
            assert not user.is_alive(), f"{type(user).__name__} hangs"
            if user.error:
                raise user.error
        assert not self.recorder.wrong, (len(self.recorder.wrong), self.recorder.wrong[:5])
        acknowledged_checks.verify(self.server, self.acknowledged, CompleteSample())
        counts, reported = self.recorder.counts, self.acknowledged.counts
        assert reported.get("captures") and reported.get("messages") and reported.get("checks"), reported
        seconds, kind = self.recorder.slowest
        return (f"{counts['answered']} requests answered, {counts['refused']} refused with 503, the longest took {seconds:.1f} s "
                f"({kind}); {reported['captures']} captures, {reported['messages']} messages and {reported.get('verdicts', 0)} verdicts "
                f"acknowledged and kept, {reported.get('wrong attempts', 0)} wrong attempts reported and counted")


def small_scan(shift, count=4):
    """Returns the files of a scan that takes a second to process; more frames take longer."""
    depth = scan_load.depth_maps(count, shift)
    return {"depth_scan.bin": depth, "metadata.json": scans.metadata(count, len(depth), photo_count=0, depth_format={
        "width": scan_load.WIDTH, "height": scan_load.HEIGHT, "pixel": "uint16_mm"})}


def submitted(server, files):
    scan = scans.sent_by_tus(server, files)
    expect(server.request("POST", f"/v1/scans/{scan}/submit"), 202)
    return scan


def check_results_intact(server, results):
    for result in results:
        body = expect(server.request("GET", result["url"]), 200).body
        assert len(body) == result["bytes"] and scan_load.digest(body) == result["sha256"], result["name"]


class SampleRecords:
    """One record of every kind: a capture, a message, a check, a scan with results, a partial upload. All must survive every fault."""

    def __init__(self, server, seed=7):
        self.server = server
        made, self.parts = capture(server, seed)
        self.capture = expect(made, 201).json
        captures.await_analysis(server, self.capture)
        self.messages = [expect(server.request("POST", "/v1/messages", {"text": "kept", "steps": STEPS}), 201).json["id"]
                         for _ in range(8)]
        # Concurrent performances of one message from one address are limited.
        self.message_cycle = itertools.cycle(self.messages)
        self.check = server.create(challenge="turn-left")
        self.scan = submitted(server, small_scan(seed))
        self.results = scans.done(server, self.scan)["results"]
        self.upload_content = bytes(range(256)) * 16_000
        self.unfinished_scan = scans.create(server, [{"name": "depth_scan.bin", "bytes": len(self.upload_content)}])
        self.upload, self.acknowledged_bytes = self.unfinished_scan["files"][0]["upload"], len(self.upload_content) // 2
        scans.patch(server, self.upload, 0, self.upload_content[:self.acknowledged_bytes])

    def send_piece(self):
        """Sends a few more bytes of the upload from the server's offset."""
        reported = self.server.request("HEAD", self.upload, headers=scans.TUS)
        if reported.status != 200:
            return reported
        at = int(reported.headers["upload-offset"])
        assert at >= self.acknowledged_bytes, f"{self.acknowledged_bytes} bytes were acknowledged, it is at {at}"
        more = self.upload_content[at:at + 8192]
        reply = self.server.request("PATCH", self.upload, more,
                                    {**scans.TUS, "Content-Type": scans.OCTETS, "Upload-Offset": str(at)})
        if reply.status == 204:
            self.acknowledged_bytes = at + len(more)
        return reply

    def requests_by_name(self):
        """Returns requests by name: each writes or reads a different kind of data."""
        ask, check = self.server.request, self.check
        return {
            "capture": lambda: capture(self.server, 8)[0],
            "read a capture": lambda: ask("GET", "/v1/captures/" + self.capture["id"]),
            "read a part": lambda: ask("GET", f"/v1/captures/{self.capture['id']}/parts/photo"),
            "message": lambda: ask("POST", "/v1/messages", {"text": "more", "steps": STEPS}),
            "read a message": lambda: ask("GET", "/v1/messages/" + self.messages[0]),
            "unlock": lambda: ask("POST", f"/v1/messages/{next(self.message_cycle)}/unlock", {}),
            "check": lambda: ask("POST", "/v1/checks", {}, token=self.server.key),
            "read a check": lambda: ask("GET", "/v1/checks/" + check.id, token=self.server.key),
            "scan": lambda: ask("POST", "/v1/scans", {"files": [{"name": "depth_scan.bin", "bytes": 3}]}),
            "piece of an upload": self.send_piece,
            "scan in a form": lambda: ask("POST", "/upload", capture_files.form(
                [(name.split(".")[0], body) for name, body in small_scan(90).items()]), FORM),
            "read a scan": lambda: ask("GET", "/v1/scans/" + self.scan),
            "read a result": lambda: ask("GET", self.results[0]["url"]),
            "list scans": lambda: ask("GET", "/v1/scans"),
        }

    def send_requests(self):
        """Sends all requests at once and returns the names of the answered and of the refused ones."""
        answered, refused, requests = [], [], self.requests_by_name()
        with concurrent.futures.ThreadPoolExecutor(len(requests)) as pool:
            replies = {name: pool.submit(ask) for name, ask in requests.items()}
        for name, reply in replies.items():
            reply = reply.result()
            if reply.status < 300:
                answered.append(name)
            else:
                assert is_refusal(reply), name
                refused.append(name)
        expect(self.server.request("GET", "/health/live"), 200)
        return answered, refused

    def await_recovery(self, seconds=240):
        """Waits until every request succeeds; returns the seconds waited."""
        return until("an answer to everything", lambda: not self.send_requests()[1], seconds)

    def verify(self):
        """Checks that all data is unchanged and the partial upload can be completed."""
        check_capture(self.server, self.capture["id"], self.parts)
        for message in self.messages:
            expect(self.server.request("GET", "/v1/messages/" + message), 200)
        expect(self.check.result(), 200)
        check_results_intact(self.server, self.results)
        at = int(scans.head(self.server, self.upload).headers["upload-offset"])
        assert at >= self.acknowledged_bytes, f"{self.acknowledged_bytes} bytes were acknowledged, it is at {at}"
        scans.patch(self.server, self.upload, at, self.upload_content[at:])
        body = expect(self.server.request("GET", f"/v1/scans/{self.unfinished_scan['id']}/files/depth_scan.bin"), 200).body
        assert body == self.upload_content, "a resumed upload has other content"
