"""Kills a running `mien serve` with SIGKILL at random moments under load, restarts it, and checks that all acknowledged data exists,
every count is right and the database is intact.

--rounds sets the number of kills, --seed their moments; the machine's timing stays its own. No images with faces are sent, so the
server runs without face models. The slow test has all data in a private PostgreSQL (Debian's, with durable commits) and in an object
store (moto): one kill in ten includes PostgreSQL, and one interval in 25 is long enough for the work of a killed server to be taken
over.
"""

import json
import random
import time

import pytest

from reliability import scan_load
from reliability.data_inspection import ExternalServices, OneMachine
from reliability.ledger import Ledger
from reliability.ledger_checks import verify
from reliability.user_load import PEOPLE
from support.webhooks import Receiver

EVERYBODY = PEOPLE + scan_load.SCANNERS


def heard(receiver, ledger, seconds=240):
    """Waits until every verdict has been delivered to the webhook at least once; returns the number of duplicates."""
    deadline = time.monotonic() + seconds
    while True:
        events = [json.loads(body) for _, _, _, body in list(receiver.received)]
        reported = {event["data"]["id"]: event["type"] for event in events}
        missing = [id for id in ledger.verdicts if id not in reported]
        if not missing:
            break
        assert time.monotonic() < deadline, f"{len(missing)} of {len(ledger.verdicts)} verdicts did not come to the webhook"
        time.sleep(0.2)
    for id, state in ledger.verdicts.items():
        assert reported[id] == f"check.{state}", f"a verdict of {state} came as {reported[id]}"
    return len(events) - len(reported)


def ended(ground, server, receiver, ledger, reported):
    """Final checks after the last restart: all work completes, and all data is verified."""
    rng, began = random.Random(0), time.monotonic()
    reported["seconds until every scan was settled"] = round(scan_load.settle(server, ledger, rng, ground.patience), 1)
    reported["webhook messages that came again"] = heard(receiver, ledger)
    for _ in range(min(1 + len(ledger.captures) // 20, ground.looks)):
        verify(server, ledger, rng)
    # Once the killed server's lease has expired, the next start deletes unreferenced files.
    time.sleep(max(0, began + ground.mourning - time.monotonic()))
    server.stop()
    server.start()
    server.stop()
    ground.sound(server)
    reported["files"] = ground.tidy(server)


@pytest.mark.parametrize("storage", [
    OneMachine, pytest.param(ExternalServices, marks=[pytest.mark.slow, pytest.mark.postgres, pytest.mark.s3])])
def test_crashes_lose_nothing_acknowledged(binary, request, storage):
    seed = request.config.getoption("seed")
    moments, rng = random.Random(seed), random.Random(seed + 1)
    ground = storage()
    server = ground.server(binary, ["--message-limit", "0", "--lockout-failures", "0", "--allow-private-webhooks"])
    ledger, receiver = Ledger(), Receiver()
    subscribed = server.request("POST", "/v1/webhooks", {"url": receiver.url}, token=server.key)
    ledger.webhooks[subscribed.json["id"]] = True
    people = [kind(server, ledger, random.Random(rng.random())) for kind in EVERYBODY]
    starts = []
    try:
        for number in range(1, request.config.getoption("rounds") + 1):
            time.sleep(ground.lives(number, moments))
            # Counted before the kill: replies received from now on may belong to the next run.
            ledger.kills += 1
            ground.kill(server, number, moments)
            ground.sound(server)
            server.start()
            starts.append(server.seconds_to_start)
            verify(server, ledger, rng)
            for person in people:
                if person.broken:
                    raise person.broken
        for person in people:
            person.going = False
        for person in people:
            person.join(30)
        reported = {"kills": ledger.kills, "slowest start, s": round(max(starts), 1), **ground.reported()}
        ended(ground, server, receiver, ledger, reported)
        print(json.dumps({**reported, **ledger.counts}))
    finally:
        for person in people:
            person.going = False
        print(*server.lines[-5:], sep="\n")
        ground.clean(server)
