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
from support.capture_files import BOUNDARY, all_parts, form
from support.expressions import expression_observations
from support.program import PROGRAM
from support.server import Server

FRAMES_A_SECOND = 10
HISTOGRAM_EDGES = [1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 30000]


class Measurements:
    """Latencies by operation, counts by status, refusals without Retry-After, and the final states of checks."""

    def __init__(self):
        self.lock, self.times, self.statuses, self.finished = threading.Lock(), {}, {}, {}
        self.without_retry_after = self.broken_connections = 0
        self.timed_latencies, self.final_states = {}, {}
        # Times of the first and last arrival, set by `run_load`.
        self.began = self.ended = 0

    def add(self, operation, seconds, reply):
        with self.lock:
            self.times.setdefault(operation, []).append(seconds * 1000)
            key = f"{operation} {reply.status}"
            self.statuses[key] = self.statuses.get(key, 0) + 1
            self.timed_latencies.setdefault(key, []).append((time.monotonic(), seconds * 1000))
            if reply.status in (429, 503) and "retry-after" not in reply.headers:
                self.without_retry_after += 1

    def count_finished(self, kind):
        with self.lock:
            self.finished[kind] = self.finished.get(kind, 0) + 1

    def count_final_state(self, state):
        """Counts the state in which a user left a check."""
        with self.lock:
            self.final_states[state] = self.final_states.get(state, 0) + 1

    def latencies_between(self, key, start, end):
        """Returns the latencies of replies of one kind, such as "frame 200", that arrived in a time interval."""
        return [ms for moment, ms in self.timed_latencies.get(key, []) if start <= moment < end]

    @staticmethod
    def percentile(times, fraction):
        """Returns a percentile of the times; `fraction` is between 0 and 1."""
        times = sorted(times)
        return times[min(len(times) - 1, int(len(times) * fraction))] if times else None

    def operation_percentile(self, operation, fraction):
        return self.percentile(self.times.get(operation, []), fraction)

    def report(self):
        rows = {}
        for operation, times in sorted(self.times.items()):
            rows[operation] = {
                "replies": len(times), **{f"p{round(p * 100)}": round(self.operation_percentile(operation, p), 1) for p in (.5, .95, .99)},
                "most": round(max(times), 1),
                "histogram": {f"<{e}": n for e, n in ((e, sum(1 for t in times if (0 if i == 0 else HISTOGRAM_EDGES[i - 1]) <= t < e))
                                                     for i, e in enumerate(HISTOGRAM_EDGES)) if n}}
        return {"operations": rows, "statuses": dict(sorted(self.statuses.items())), "finished": self.finished,
                "final states of checks": self.final_states, "refusals without Retry-After": self.without_retry_after,
                "broken connections": self.broken_connections}


class LoadUser(threading.Thread):
    def __init__(self, server, measurements, seed):
        super().__init__(daemon=True)
        self.server, self.measurements, self.rng = server, measurements, random.Random(seed)
        self.connection = http.client.HTTPConnection("127.0.0.1", server.port, timeout=60)
        self.start()

    def ask(self, operation, *arguments):
        began = time.monotonic()
        reply = self.server.over(self.connection, *arguments)
        self.measurements.add(operation, time.monotonic() - began, reply)
        return reply

    def run(self):
        try:
            self.act()
        except (OSError, http.client.HTTPException):
            with self.measurements.lock:
                self.measurements.broken_connections += 1
        finally:
            self.connection.close()


class CheckUser(LoadUser):
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
        self.measurements.count_final_state(result.json["state"] if result.status == 200 else f"answered with {result.status}")
        self.measurements.count_finished("checks")


class CaptureUser(LoadUser):
    def act(self):
        parts = all_parts(self.rng.randrange(1, 6))
        reply = self.ask("capture", "POST", "/v1/captures", form(list(parts.items())),
                         {"Content-Type": f'multipart/form-data; boundary="{BOUNDARY}"'})
        if reply.status == 201:
            self.measurements.count_finished("captures")


class MessageUser(LoadUser):
    def act(self):
        payload = {"text": "hello", "steps": ["smile", "surprise", "smooch"], "requires_frames": False}
        made = self.ask("lock", "POST", "/v1/messages", payload)
        if made.status != 201:
            return
        begun = self.ask("unlock", "POST", f"/v1/messages/{made.json['id']}/unlock", {})
        if begun.status != 201:
            return
        began, lines = time.monotonic(), expression_observations(["smooch", "surprise", "smile"])
        for start in range(0, len(lines), 4):
            part = lines[start:start + 4]
            time.sleep(max(0, part[-1]["t"] - 0.8 - (time.monotonic() - began)))
            body = "".join(json.dumps(line) + "\n" for line in part).encode()
            reply = self.ask("perform", "POST", f"/v1/performances/{begun.json['id']}/observations", body,
                             {"Content-Type": "application/x-ndjson", "Mien-Client": "phone-1"}, begun.json["token"])
            if reply.status != 200 or reply.json["state"] == "wrong":
                break
        self.measurements.count_finished("unlocks")


def run_load(server, people, seconds, seed, others=True):
    """Runs `people` concurrent users on average for `seconds`: mostly checks, some uploads and unlocks, or checks alone.

    Returns the measurements and a report.
    """
    measurements, rng, memory = Measurements(), random.Random(seed), []
    length = len(CheckUser.frames) / FRAMES_A_SECOND
    rate, began, users, arrivals = people / length, time.monotonic(), [], 0
    while (now := time.monotonic() - began) < seconds:
        while arrivals < now * rate:
            arrivals += 1
            users.append(CheckUser(server, measurements, rng.random()))
            if others and rng.random() < 0.3:
                users.append(CaptureUser(server, measurements, rng.random()))
            if others and rng.random() < 0.5:
                users.append(MessageUser(server, measurements, rng.random()))
        if len(memory) < now / 2:
            memory.append(server.memory() / 1e6)
        users = [user for user in users if user.is_alive()]
        time.sleep(0.01)
    measurements.began, measurements.ended = began, time.monotonic()
    for user in users:
        user.join(60)
    third = max(1, len(memory) // 3)
    return measurements, {**measurements.report(), "people": people, "seconds": seconds, "arrivals": arrivals,
                          "memory MB": {"middle third": round(sum(memory[third:2 * third]) / len(memory[third:2 * third] or [1]), 1),
                                        "last third": round(sum(memory[-third:]) / third, 1), "most": round(max(memory), 1)}}


def limit(server):
    """Returns the most concurrent users, in steps of a quarter, with a 95th percentile of frame latency below 250 ms."""
    people = within_limit = 2
    while people <= 256:
        measurements, _ = run_load(server, people, 12, people)
        late = measurements.operation_percentile("frame", .95)
        print(f"{people} people: a frame takes {late:.0f} ms (95th percentile)", flush=True)
        if late > 250 or measurements.broken_connections:
            break
        within_limit, people = people, max(people + 1, people * 5 // 4)
    return within_limit


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--program", default=PROGRAM)
    parser.add_argument("--seconds", type=int, default=600)
    parser.add_argument("--people", type=int)
    parser.add_argument("--report")
    parser.add_argument("--external-services", action="store_true")
    options = parser.parse_args()
    CheckUser.frames = footage.clip("pyfeat/single_face.mp4")[:60] if footage.shared() else footage.drawn(60)
    services = Services() if options.external_services else None
    server = (services.server if services else Server)(options.program, arguments=["--message-limit", "0", "--lockout-failures", "0"])
    people = options.people or limit(server)
    once, at_limit = run_load(server, people, options.seconds, 1)
    twice, beyond = run_load(server, 2 * people, options.seconds, 2)
    time.sleep(5)
    after, rest = run_load(server, max(1, people // 2), 15, 3)
    outcomes = {
        "at the limit every check is answered":
            once.finished.get("checks", 0) >= 0.95 * at_limit["arrivals"] and not once.broken_connections,
        "at twice the limit as many checks finish, less a fifth":
            twice.finished.get("checks", 0) >= 0.8 * once.finished.get("checks", 0),
        "every refusal has Retry-After": once.without_retry_after == twice.without_retry_after == 0,
        "all server errors are 503": not any(
            int(key.split()[-1]) >= 500 and not key.endswith("503") for t in (once, twice, after) for key in t.statuses),
        "memory does not grow": beyond["memory MB"]["last third"] <= 1.05 * beyond["memory MB"]["middle third"] + 8,
        "frames are fast again afterwards": after.broken_connections == 0 and (after.operation_percentile("frame", .95) or 1e9) < 500,
    }
    report = {"at the limit": at_limit, "at twice the limit": beyond, "afterwards": rest, "outcomes": outcomes}
    print(json.dumps(report, indent=1))
    if options.report:
        pathlib.Path(options.report).write_text(json.dumps(report, indent=1) + "\n")
    server.clean()
    if services:
        services.stop()
    for name, is_met in outcomes.items():
        print(f"{'passed' if is_met else 'failed':8} {name}")
    print(f"{sum(outcomes.values())} passed, {len(outcomes) - sum(outcomes.values())} failed, 0 skipped")
    sys.exit(0 if all(outcomes.values()) else 1)


if __name__ == "__main__":
    main()
