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
from reliability.acknowledged import AcknowledgedData
from reliability.acknowledged_checks import verify
from reliability.data_inspection import EmbeddedStorage, ExternalServices
from reliability.user_load import USERS
from support.webhooks import Receiver

ALL_USERS = USERS + scan_load.SCANNERS


def await_deliveries(receiver, acknowledged, seconds=240):
    """Waits until every verdict has been delivered to the webhook at least once; returns the number of duplicates."""
    deadline = time.monotonic() + seconds
    while True:
        events = [json.loads(body) for _, _, _, body in list(receiver.received)]
        states = {event["data"]["id"]: event["type"] for event in events}
        missing = [id for id in acknowledged.verdicts if id not in states]
        if not missing:
            break
        assert time.monotonic() < deadline, f"{len(missing)} of {len(acknowledged.verdicts)} verdicts were not delivered to the webhook"
        time.sleep(0.2)
    for id, state in acknowledged.verdicts.items():
        assert states[id] == f"check.{state}", f"a verdict of {state} was delivered as {states[id]}"
    return len(events) - len(states)


def verify_at_end(storage, server, receiver, acknowledged, figures):
    """Final checks after the last restart: all work completes, and all data is verified."""
    rng, began = random.Random(0), time.monotonic()
    waited = scan_load.await_final_states(server, acknowledged, rng, storage.scan_timeout)
    figures["seconds until every scan had its final state"] = round(waited, 1)
    figures["webhook messages delivered more than once"] = await_deliveries(receiver, acknowledged)
    for _ in range(min(1 + len(acknowledged.captures) // 20, storage.samples)):
        verify(server, acknowledged, rng)
    # Once the killed server's lease has expired, the next start deletes unreferenced files.
    time.sleep(max(0, began + storage.lease_seconds - time.monotonic()))
    server.stop()
    server.start()
    server.stop()
    storage.check_integrity(server)
    figures["files"] = storage.count_files(server)


@pytest.mark.parametrize("storage_class", [
    EmbeddedStorage, pytest.param(ExternalServices, marks=[pytest.mark.slow, pytest.mark.postgres, pytest.mark.s3])])
def test_crashes_lose_nothing_acknowledged(binary, request, storage_class):
    seed = request.config.getoption("seed")
    kill_rng, rng = random.Random(seed), random.Random(seed + 1)
    storage = storage_class()
    server = storage.server(binary, ["--message-limit", "0", "--lockout-failures", "0", "--allow-private-webhooks"])
    acknowledged, receiver = AcknowledgedData(), Receiver()
    subscribed = server.request("POST", "/v1/webhooks", {"url": receiver.url}, token=server.key)
    acknowledged.webhooks[subscribed.json["id"]] = True
    users = [kind(server, acknowledged, random.Random(rng.random())) for kind in ALL_USERS]
    starts = []
    try:
        for number in range(1, request.config.getoption("rounds") + 1):
            time.sleep(storage.seconds_until_kill(number, kill_rng))
            # Counted before the kill: replies received from now on may belong to the next run.
            acknowledged.kills += 1
            storage.kill(server, number, kill_rng)
            storage.check_integrity(server)
            server.start()
            starts.append(server.seconds_to_start)
            verify(server, acknowledged, rng)
            for user in users:
                if user.error:
                    raise user.error
        for user in users:
            user.running = False
        for user in users:
            user.join(30)
        figures = {"kills": acknowledged.kills, "slowest start, s": round(max(starts), 1), **storage.figures()}
        verify_at_end(storage, server, receiver, acknowledged, figures)
        print(json.dumps({**figures, **acknowledged.counts}))
    finally:
        for user in users:
            user.running = False
        print(*server.lines[-5:], sep="\n")
        storage.clean(server)
