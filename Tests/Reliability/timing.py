"""Tests that the latency of a refusal does not reveal how close a guess was: pairs of wrong secrets, requested in random order.

usage: timing.py --mien PATH_OF_THE_PROGRAM [--pairs N] [--report FILE]

For each secret, one guess differs from the true one in its last character only, and one from the beginning. Both are requested N
times each over one connection to a private server. The slowest tenth of the times, which reflects the machine, is discarded, and
Welch's t decides if the means differ (Reparaz, Balasch, Verbauwhede, "Dude, is my code constant time?", 2017: beyond 4.5 they
do). As a positive control, a pair with a real difference is measured as well: an existing path and a missing one. The last line
counts one test per pair.
"""

import argparse
import http.client
import json
import os
import random
import statistics
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "API"))
from run import expect
from server import Server

BEYOND = 4.5


def wrong_at(secret, place):
    """Returns the secret with one character replaced by another of its alphabet."""
    place %= len(secret)
    other = "A" if secret[place] != "A" else "B"
    return secret[:place] + other + secret[place + 1:]


class Asker:
    def __init__(self, server):
        self.line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=30)
        self.asked = 0

    def ask(self, method, path, token, expected):
        # Changes the client address every few requests, since wrong guesses are rate-limited.
        number = self.asked // 5
        self.asked += 1
        headers = {"Authorization": f"Bearer {token}",
                   "X-Forwarded-For": f"10.{number >> 16 & 255}.{number >> 8 & 255}.{number & 255}"}
        began = time.perf_counter_ns()
        self.line.request(method, path, headers=headers)
        reply = self.line.getresponse()
        reply.read()
        took = time.perf_counter_ns() - began
        assert reply.status in expected, (reply.status, method, path)
        return took


def compared(asker, count, left, right):
    times = {"left": [], "right": []}
    order = ["left", "right"] * count
    random.shuffle(order)
    for name in order[:200]:  # warm-up
        asker.ask(*(left if name == "left" else right))
    for name in order:
        times[name].append(asker.ask(*(left if name == "left" else right)))
    limit = sorted(times["left"] + times["right"])[int(1.8 * count)]
    kept = [[took for took in times[name] if took <= limit] for name in ("left", "right")]
    means = [statistics.fmean(some) for some in kept]
    spread = sum(statistics.variance(some) / len(some) for some in kept) ** 0.5
    return (means[0] - means[1]) / 1000, (means[0] - means[1]) / spread, spread / 1000


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--mien", required=True)
    parser.add_argument("--pairs", type=int, default=20000)
    parser.add_argument("--report")
    options = parser.parse_args()
    server = Server(options.mien, sees=False, arguments=["--message-limit", "0"])
    try:
        check = server.create(challenge="turn-left")
        message = expect(server.request(
            "POST", "/v1/messages", {"text": "x", "steps": ["smile", "surprise", "smooch"]}, token=server.key), 201).json
        token, receipt = check.token, message["receipt"]
        signature = token.rindex(".") + 1
        results, lock = f"/v1/checks/{check.id}", f"/v1/messages/{message['id']}"
        key = ("GET", "/v1/webhooks")
        refusals = {
            "an API key": ((*key, wrong_at(server.key, -1), [401]), (*key, wrong_at(server.key, 5), [401])),
            # The last character of a base64 signature contains unused bits.
            "a check's token": (("GET", results, wrong_at(token, -2), [401]),
                                ("GET", results, wrong_at(token, signature), [401])),
            "a message's receipt": (("DELETE", lock, wrong_at(receipt, -1), [401]), ("DELETE", lock, wrong_at(receipt, 4), [401])),
        }
        seen = (("GET", "/health/live", server.key, [200]), ("GET", "/no/such/page", server.key, [404]))
        passed, failed, report = 0, 0, {}
        for name, (near, far) in [*refusals.items(), ("a difference that there is", seen)]:
            difference, t, spread = compared(Asker(server), options.pairs, near, far)
            # For equal means, t exceeds the bound in 1 of 150,000 pairs, and more often on a busy machine; so measure once more.
            if name in refusals and abs(t) >= BEYOND:
                difference, t, spread = compared(Asker(server), options.pairs, near, far)
            good = (abs(t) < BEYOND) == (name in refusals)
            passed, failed = passed + good, failed + (not good)
            report[name] = {"microseconds": difference, "t": t, "deviation": spread}
            print(f"{'passed' if good else 'FAILED'}   {name}: {difference:+.2f} microseconds (deviation {spread:.2f}), t {t:+.1f}",
                  flush=True)
    finally:
        server.clean()
    if options.report:
        with open(options.report, "w") as file:
            json.dump(report, file, indent=2)
    print(f"{passed} passed, {failed} failed, 0 skipped")
    sys.exit(failed > 0)


if __name__ == "__main__":
    main()
