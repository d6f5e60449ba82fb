"""Load test: checks, uploads and unlocks together, at the limit of this machine and at twice the limit.

usage, in Tests/EndToEnd: python -m reliability.load [--program PROGRAM] [--seconds N] [--people N] [--report FILE] [--external-services]

Users arrive at a steady rate whatever the server does (an open loop). A check posts ten frames per second until there is a
verdict or the video ends; other users upload a capture, or lock a message and perform a wrong sequence. Without --people, the
limit is measured first: the most concurrent users with a 95th percentile of frame latency below 250 ms. The last line counts:
the limit, twice the limit, and the state afterwards.

With --external-services, all data is in a private PostgreSQL (Debian's, with durable commits) and in an object store (moto, a
Python program: it is the slow part, and uses the same machine's processors).
"""

import argparse
import http.client
import json
import pathlib
import random
import sys
import threading
import time

from reliability.external_services import Services
from support import footage
from support.capture_files import BOUNDARY, everything, form
from support.expressions import acted
from support.program import PROGRAM
from support.server import Server

FRAMES_A_SECOND = 10
EDGES = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 30000]


class Tally:
    """Latencies by operation, counts by status, refusals without Retry-After, and the final states of checks."""

    def __init__(self):
        self.lock, self.times, self.statuses, self.rude, self.broken, self.done = threading.Lock(), {}, {}, 0, 0, {}
        self.moments, self.states = {}, {}
        # Times of the first and last arrival, set by `spell`.
        self.began = self.ended = 0

    def add(self, what, seconds, reply):
        with self.lock:
            self.times.setdefault(what, []).append(seconds * 1000)
            key = f"{what} {reply.status}"
            self.statuses[key] = self.statuses.get(key, 0) + 1
            self.moments.setdefault(key, []).append((time.monotonic(), seconds * 1000))
            if reply.status in (429, 503) and "retry-after" not in reply.headers:
                self.rude += 1

    def finish(self, what):
        with self.lock:
            self.done[what] = self.done.get(what, 0) + 1

    def leave(self, state):
        """Counts the state in which a user left a check."""
        with self.lock:
            self.states[state] = self.states.get(state, 0) + 1

    def between(self, key, start, end):
        """Returns the latencies of replies of one kind, such as "frame 200", that arrived in a time interval."""
        return [ms for moment, ms in self.moments.get(key, []) if start <= moment < end]

    @staticmethod
    def point(times, part):
        """Returns a percentile of the times; `part` is its fraction."""
        times = sorted(times)
        return times[min(len(times) - 1, int(len(times) * part))] if times else None

    def share(self, what, part):
        return self.point(self.times.get(what, []), part)

    def reported(self):
        rows = {}
        for what, times in sorted(self.times.items()):
            rows[what] = {
                "replies": len(times), **{f"p{round(p * 100)}": round(self.share(what, p), 1) for p in (.5, .95, .99)},
                "most": round(max(times), 1),
                "histogram": {f"<{e}": n for e, n in ((e, sum(1 for t in times if (0 if i == 0 else EDGES[i - 1]) <= t < e))
                                                     for i, e in enumerate(EDGES)) if n}}
        return {"operations": rows, "statuses": dict(sorted(self.statuses.items())), "finished": self.done, "checks were left": self.states,
                "refusals without Retry-After": self.rude, "connections that broke": self.broken}


class Visit(threading.Thread):
    def __init__(self, server, tally, seed):
        super().__init__(daemon=True)
        self.server, self.tally, self.rng = server, tally, random.Random(seed)
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        self.start()

    def ask(self, what, *arguments):
        began = time.monotonic()
        reply = self.server.over(self.connection, *arguments)
        self.tally.add(what, time.monotonic() - began, reply)
        return reply

    def run(self):
        try:
            self.act()
        except (OSError, http.client.HTTPException):
            with self.tally.lock:
                self.tally.broken += 1
        finally:
            self.connection.close()


class Checked(Visit):
    frames = []

    def act(self):
        made = self.ask("create check", "POST", "/v1/checks", {}, None, self.server.key)
        if made.status != 201:
            return
        check, began = made.json, time.monotonic()
        for index, frame in enumerate(self.frames):
            ahead = began + index / FRAMES_A_SECOND - time.monotonic()
            if ahead > 0:
                time.sleep(ahead)
            elif ahead < -1:
                continue  # late frames are dropped, as by a camera
            # The server refuses frames that it has seen before.
            frame = footage.distinct(frame)
            reply = self.ask("frame", "POST", f"/v1/checks/{check['id']}/frames", frame,
                             {"Content-Type": "image/jpeg", "Mien-Client": "page-1",
                              "Mien-Captured-At": f"{index * 1000 / FRAMES_A_SECOND:.1f}"}, check["token"])
            if reply.status == 409 and reply.code == "check-ended" or reply.status == 200 and reply.json["state"] in ("passed", "failed", "timed-out"):
                break
        result = self.ask("result", "GET", f"/v1/checks/{check['id']}", None, None, self.server.key)
        self.tally.leave(result.json["state"] if result.status == 200 else f"answered with {result.status}")
        self.tally.finish("checks")


class Uploaded(Visit):
    def act(self):
        parts = everything(self.rng.randrange(1, 6))
        reply = self.ask("capture", "POST", "/v1/captures", form(list(parts.items())),
                         {"Content-Type": f'multipart/form-data; boundary="{BOUNDARY}"'})
        if reply.status == 201:
            self.tally.finish("captures")


class Unlocked(Visit):
    def act(self):
        payload = {"text": "hello", "steps": ["smile", "surprise", "smooch"], "requires_frames": False}
        made = self.ask("lock", "POST", "/v1/messages", payload)
        if made.status != 201:
            return
        begun = self.ask("unlock", "POST", f"/v1/messages/{made.json['id']}/unlock", {})
        if begun.status != 201:
            return
        began, lines = time.monotonic(), acted(["smooch", "surprise", "smile"])
        for start in range(0, len(lines), 4):
            part = lines[start:start + 4]
            time.sleep(max(0, part[-1]["t"] - 0.8 - (time.monotonic() - began)))
            body = "".join(json.dumps(line) + "\n" for line in part).encode()
            reply = self.ask("perform", "POST", f"/v1/performances/{begun.json['id']}/observations", body,
                             {"Content-Type": "application/x-ndjson", "Mien-Client": "phone-1"}, begun.json["token"])
            if reply.status != 200 or reply.json["state"] == "wrong":
                break
        self.tally.finish("unlocks")


def spell(server, people, seconds, seed, others=True):
    """Runs `people` concurrent users on average for `seconds`: mostly checks, some uploads and unlocks, or checks alone.

    Returns the tally and a report.
    """
    tally, rng, memory = Tally(), random.Random(seed), []
    length = len(Checked.frames) / FRAMES_A_SECOND
    rate, began, visits, arrivals = people / length, time.monotonic(), [], 0
    while (now := time.monotonic() - began) < seconds:
        while arrivals < now * rate:
            arrivals += 1
            visits.append(Checked(server, tally, rng.random()))
            if others and rng.random() < 0.3:
                visits.append(Uploaded(server, tally, rng.random()))
            if others and rng.random() < 0.5:
                visits.append(Unlocked(server, tally, rng.random()))
        if len(memory) < now / 2:
            memory.append(server.memory() / 1e6)
        visits = [visit for visit in visits if visit.is_alive()]
        time.sleep(0.01)
    tally.began, tally.ended = began, time.monotonic()
    for visit in visits:
        visit.join(60)
    third = max(1, len(memory) // 3)
    return tally, {**tally.reported(), "people": people, "seconds": seconds, "arrivals": arrivals,
                   "memory MB": {"middle third": round(sum(memory[third:2 * third]) / len(memory[third:2 * third] or [1]), 1),
                                 "last third": round(sum(memory[-third:]) / third, 1), "most": round(max(memory), 1)}}


def limit(server):
    """Returns the most concurrent users, in steps of a quarter, with a 95th percentile of frame latency below 250 ms."""
    people = good = 2
    while people <= 256:
        tally, _ = spell(server, people, 12, people)
        late = tally.share("frame", .95)
        print(f"{people} people: a frame takes {late:.0f} ms (95th percentile)", flush=True)
        if late > 250 or tally.broken:
            break
        good, people = people, max(people + 1, people * 5 // 4)
    return good


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default=PROGRAM)
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--people", type=int)
    parser.add_argument("--report")
    parser.add_argument("--external-services", action="store_true")
    options = parser.parse_args()
    Checked.frames = footage.clip("pyfeat/single_face.mp4")[:60] if footage.shared() else footage.drawn(60)
    peers = Services() if options.external_services else None
    server = (peers.server if peers else Server)(options.program, arguments=["--message-limit", "0", "--lockout-failures", "0"])
    people = options.people or limit(server)
    once, at_limit = spell(server, people, options.seconds, 1)
    twice, beyond = spell(server, 2 * people, options.seconds, 2)
    time.sleep(5)
    after, rest = spell(server, max(1, people // 2), 15, 3)
    outcomes = {
        "at the limit every check is answered": once.done.get("checks", 0) >= 0.95 * at_limit["arrivals"] and not once.broken,
        "at twice the limit the server carries what it carried before":
            twice.done.get("checks", 0) >= 0.8 * once.done.get("checks", 0),
        "who is refused is told when to come again": once.rude == twice.rude == 0,
        "nothing but refusals is refused": not any(
            int(key.split()[-1]) >= 500 and not key.endswith("503") for t in (once, twice, after) for key in t.statuses),
        "memory stays flat": beyond["memory MB"]["last third"] <= 1.05 * beyond["memory MB"]["middle third"] + 8,
        "afterwards all is as before": after.broken == 0 and (after.share("frame", .95) or 1e9) < 500,
    }
    report = {"at the limit": at_limit, "at twice the limit": beyond, "afterwards": rest, "outcomes": outcomes}
    print(json.dumps(report, indent=1))
    if options.report:
        pathlib.Path(options.report).write_text(json.dumps(report, indent=1) + "\n")
    server.clean()
    if peers:
        peers.stop()
    for what, held in outcomes.items():
        print(f"{'passed' if held else 'failed':8} {what}")
    print(f"{sum(outcomes.values())} passed, {len(outcomes) - sum(outcomes.values())} failed, 0 skipped")
    sys.exit(0 if all(outcomes.values()) else 1)


if __name__ == "__main__":
    main()
