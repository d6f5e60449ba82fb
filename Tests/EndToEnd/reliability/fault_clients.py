"""Clients of a server during a fault, and the data they verify after the recovery."""

import collections
import concurrent.futures
import itertools
import random
import threading
import time

from reliability import ledger_checks, scan_load
from reliability.fault_helpers import STEPS, capture, kept, until
from reliability.ledger import Ledger
from reliability.user_load import FORM, GONE, PEOPLE
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


class Watched:
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
        except GONE as error:
            self.note("broken", began, method, path, error)
            raise
        if reply.status < 500:
            self.note("answered", began, method, path)
            return reply
        try:
            is_refusal(reply)
            self.note("refused", began, method, path)
        except Exception as error:
            self.note("unnamed", began, method, path, error)
        # Shorter than Retry-After, to keep the tests short.
        time.sleep(0.2)
        return reply

    def note(self, what, began, method, path, wrong=None):
        # The kind of request, without IDs: captures, checks, messages, performances, webhooks.
        kind = f"{method} /{'/'.join(path.split('/')[1:3])}"
        with self.lock:
            self.counts[what] += 1
            self.slowest = max(self.slowest, (time.monotonic() - began, kind))
            if wrong:
                self.wrong.append(f"{kind}: {wrong!r}")


class Every:
    """A sampler that returns all entries, for `crashes.verify`."""

    @staticmethod
    def sample(entries, _):
        return list(entries)


class Traffic:
    """Users who upload, lock, guess, turn their heads and subscribe, and the ledger of what was acknowledged to them."""

    def __init__(self, server, seed=1):
        self.server, self.watched, self.ledger = server, Watched(server), Ledger()
        rng = random.Random(seed)
        self.people = [kind(self.watched, self.ledger, random.Random(rng.random())) for kind in PEOPLE]

    def __enter__(self):
        return self

    def __exit__(self, *_):
        for person in self.people:
            person.going = False
        for person in self.people:
            person.join(120)

    def hold(self):
        """Checks that all acknowledged data exists, every part matches its digest, and every refusal had a code."""
        for person in self.people:
            assert not person.is_alive(), f"{type(person).__name__} hangs"
            if person.broken:
                raise person.broken
        assert not self.watched.wrong, (len(self.watched.wrong), self.watched.wrong[:5])
        ledger_checks.verify(self.server, self.ledger, Every())
        counts, reported = self.watched.counts, self.ledger.counts
        assert reported.get("captures") and reported.get("messages") and reported.get("checks"), reported
        seconds, kind = self.watched.slowest
        return (f"{counts['answered']} requests answered, {counts['refused']} refused with 503, the longest took {seconds:.1f} s "
                f"({kind}); {reported['captures']} captures, {reported['messages']} messages and {reported.get('verdicts', 0)} verdicts "
                f"acknowledged and held, {reported.get('wrong attempts', 0)} wrong attempts told and counted")


def small_scan(shift, count=4):
    """Returns the files of a scan that takes a second to process; more frames take longer."""
    depth = scan_load.maps(count, shift)
    return {"depth_scan.bin": depth, "metadata.json": scans.metadata(count, len(depth), photo_count=0, depth_format={
        "width": scan_load.WIDTH, "height": scan_load.HEIGHT, "pixel": "uint16_mm"})}


def submitted(server, files):
    scan = scans.sent_by_tus(server, files)
    expect(server.request("POST", f"/v1/scans/{scan}/submit"), 202)
    return scan


def are_whole(server, results):
    for result in results:
        body = expect(server.request("GET", result["url"]), 200).body
        assert len(body) == result["bytes"] and scan_load.digest(body) == result["sha256"], result["name"]


class Belongings:
    """One record of every kind: a capture, a message, a check, a scan with results, a partial upload. All must survive every fault."""

    def __init__(self, server, seed=7):
        self.server = server
        made, self.parts = capture(server, seed)
        self.capture = expect(made, 201).json
        captures.look(server, self.capture)
        self.messages = [expect(server.request("POST", "/v1/messages", {"text": "kept", "steps": STEPS}), 201).json["id"]
                         for _ in range(8)]
        # Concurrent performances of one message from one address are limited.
        self.turns = itertools.cycle(self.messages)
        self.check = server.create(challenge="turn-left")
        self.scan = submitted(server, small_scan(seed))
        self.results = scans.done(server, self.scan)["results"]
        self.coming = bytes(range(256)) * 16_000
        self.open = scans.create(server, [{"name": "depth_scan.bin", "bytes": len(self.coming)}])
        self.upload, self.half = self.open["files"][0]["upload"], len(self.coming) // 2
        scans.patch(server, self.upload, 0, self.coming[:self.half])

    def piece(self):
        """Sends a few more bytes of the upload from the server's offset."""
        reported = self.server.request("HEAD", self.upload, headers=scans.TUS)
        if reported.status != 200:
            return reported
        at = int(reported.headers["upload-offset"])
        assert at >= self.half, f"{self.half} bytes were acknowledged, it is at {at}"
        more = self.coming[at:at + 8192]
        reply = self.server.request("PATCH", self.upload, more,
                                    {**scans.TUS, "Content-Type": scans.OCTETS, "Upload-Offset": str(at)})
        if reply.status == 204:
            self.half = at + len(more)
        return reply

    def asks(self):
        """Returns requests by name: each writes or reads a different kind of data."""
        ask, check = self.server.request, self.check
        return {
            "capture": lambda: capture(self.server, 8)[0],
            "read a capture": lambda: ask("GET", "/v1/captures/" + self.capture["id"]),
            "read a part": lambda: ask("GET", f"/v1/captures/{self.capture['id']}/parts/photo"),
            "message": lambda: ask("POST", "/v1/messages", {"text": "more", "steps": STEPS}),
            "read a message": lambda: ask("GET", "/v1/messages/" + self.messages[0]),
            "unlock": lambda: ask("POST", f"/v1/messages/{next(self.turns)}/unlock", {}),
            "check": lambda: ask("POST", "/v1/checks", {}, token=self.server.key),
            "read a check": lambda: ask("GET", "/v1/checks/" + check.id, token=self.server.key),
            "scan": lambda: ask("POST", "/v1/scans", {"files": [{"name": "depth_scan.bin", "bytes": 3}]}),
            "piece of an upload": self.piece,
            "scan in a form": lambda: ask("POST", "/upload", capture_files.form(
                [(name.split(".")[0], body) for name, body in small_scan(90).items()]), FORM),
            "read a scan": lambda: ask("GET", "/v1/scans/" + self.scan),
            "read a result": lambda: ask("GET", self.results[0]["url"]),
            "list scans": lambda: ask("GET", "/v1/scans"),
        }

    def reported(self):
        """Sends all requests at once and returns the names of the answered and of the refused ones."""
        answered, refused, asks = [], [], self.asks()
        with concurrent.futures.ThreadPoolExecutor(len(asks)) as people:
            replies = {name: people.submit(ask) for name, ask in asks.items()}
        for name, reply in replies.items():
            reply = reply.result()
            if reply.status < 300:
                answered.append(name)
            else:
                assert is_refusal(reply), name
                refused.append(name)
        expect(self.server.request("GET", "/health/live"), 200)
        return answered, refused

    def healed(self, seconds=240):
        """Waits until every request succeeds; returns the seconds waited."""
        return until("an answer to everything", lambda: not self.reported()[1], seconds)

    def hold(self):
        """Checks that all data is unchanged and the partial upload can be completed."""
        kept(self.server, self.capture["id"], self.parts)
        for message in self.messages:
            expect(self.server.request("GET", "/v1/messages/" + message), 200)
        expect(self.check.result(), 200)
        are_whole(self.server, self.results)
        at = int(scans.head(self.server, self.upload).headers["upload-offset"])
        assert at >= self.half, f"{self.half} bytes were acknowledged, it is at {at}"
        scans.patch(self.server, self.upload, at, self.coming[at:])
        body = expect(self.server.request("GET", f"/v1/scans/{self.open['id']}/files/depth_scan.bin"), 200).body
        assert body == self.coming, "an upload that was taken up again is another file"
