"""Tests that the latency of a refusal does not reveal how close a guess was: pairs of wrong secrets, requested in random order.

For each secret, one guess differs from the true one in its last character only, and one from the beginning. Both are requested
--pairs times each over one connection to a private server. The slowest tenth of the times, which reflects the machine, is discarded,
and Welch's t decides if the means differ (Reparaz, Balasch, Verbauwhede, "Dude, is my code constant time?", 2017: beyond 4.5 they
do). As a positive control, a pair with a real difference is measured as well: an existing path and a missing one. For equal means,
t exceeds the bound in 1 of 150,000 pairs, and more often on a busy machine.
"""

import http.client
import random
import statistics
import time

import pytest

from support.replies import expect
from support.server import Server

pytestmark = [pytest.mark.slow, pytest.mark.timing]
BEYOND = 4.5


def wrong_at(secret, place):
    """Returns the secret with one character replaced by another of its alphabet."""
    place %= len(secret)
    other = "A" if secret[place] != "A" else "B"
    return secret[:place] + other + secret[place + 1:]


class Asker:
    def __init__(self, server):
        self.line = http.client.HTTPConnection("127.0.0.1", server.port, timeout=120)
        self.request_count = 0

    def ask(self, method, path, token, expected):
        # Changes the client address every few requests, since wrong guesses are rate-limited.
        number = self.request_count // 5
        self.request_count += 1
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


@pytest.fixture(scope="module")
def guesses(binary):
    """A server, and for each secret two requests with wrong guesses."""
    server = Server(binary, loads_models=False, arguments=["--message-limit", "0"])
    check = server.create(challenge="turn-left")
    message = expect(server.request(
        "POST", "/v1/messages", {"text": "x", "steps": ["smile", "wink_r", "smooch"]}, token=server.key), 201).json
    token, receipt = check.token, message["receipt"]
    signature = token.rindex(".") + 1
    results, lock = f"/v1/checks/{check.id}", f"/v1/messages/{message['id']}"
    key = ("GET", "/v1/webhooks")
    yield server, {
        "API key": ((*key, wrong_at(server.key, -1), [401]), (*key, wrong_at(server.key, 5), [401])),
        # The last character of a base64 signature contains unused bits.
        "check token": (("GET", results, wrong_at(token, -2), [401]), ("GET", results, wrong_at(token, signature), [401])),
        "message receipt": (("DELETE", lock, wrong_at(receipt, -1), [401]), ("DELETE", lock, wrong_at(receipt, 4), [401])),
        "control": (("GET", "/health/live", server.key, [200]), ("GET", "/no/such/page", server.key, [404])),
    }
    server.clean()


@pytest.mark.parametrize("secret", ["API key", "check token", "message receipt", "control"])
def test_rejection_times_do_not_depend_on_the_guess(guesses, request, secret):
    server, pairs = guesses
    difference, t, spread = compared(Asker(server), request.config.getoption("pairs"), *pairs[secret])
    reported = f"{difference:+.2f} microseconds (deviation {spread:.2f}), t {t:+.1f}"
    assert abs(t) >= BEYOND if secret == "control" else abs(t) < BEYOND, reported
    print(reported)
