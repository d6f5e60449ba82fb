"""Kills a running `mien serve` with SIGKILL at random moments under load, restarts it, and checks that all acknowledged data exists,
every count is right and the database is intact.

usage: crashes.py --mien PATH_OF_THE_PROGRAM [--beyond-one-machine] [--rounds N] [--seed N] [--report FILE] [--keep]

The last line counts one test per round. The seed determines the moments of the kills, but not the machine's timing.
No images with faces are sent, so the server runs without face models; `--serve --models FOLDER` loads them.

With --beyond-one-machine, all data is in a private PostgreSQL (Debian's, with durable commits) and in an object store (moto).
One kill in ten includes PostgreSQL; one interval in 25 is long enough for the work of a killed server to be taken over.
"""

import argparse
import hashlib
import json
import math
import os
import pathlib
import random
import sys
import time

sys.path.insert(0, os.path.join(os.path.dirname(__file__), "..", "API"))
sys.path.insert(0, os.path.dirname(__file__))
import scanners
from grounds import BeyondOne, OneMachine
from ledger import Ledger
from people import PEOPLE
from webhooks import Receiver

EVERYBODY = PEOPLE + scanners.SCANNERS


def verify(server, ledger, dice):
    """Compares the server with the ledger: the newest entries and a sample of the older ones."""
    def some(entries):
        entries = list(entries)
        return entries[-12:] + dice.sample(entries[:-12], min(8, len(entries[:-12])))

    with ledger.lock:
        captures, messages, verdicts = (dict(x) for x in (ledger.captures, ledger.messages, ledger.verdicts))
        webhooks, erased = dict(ledger.webhooks), list(ledger.erased)
    for id, digests in some(captures.items()):
        reply = server.request("GET", "/v1/captures/" + id)
        if id not in ledger.captures:
            continue  # deletion has begun in the meantime
        assert reply.status == 200, f"an acknowledged capture is gone: {reply}"
        for name, digest in digests.items():
            part = server.request("GET", f"/v1/captures/{id}/parts/{name}")
            if id not in ledger.captures:
                break
            assert part.status == 200, f"a capture lost its part {name}: {part}"
            assert hashlib.sha256(part.body).hexdigest() == digest, f"a capture's {name} has changed"
    for path in some(erased):
        reply = server.request("GET", path)
        assert reply.status in (404, 410), f"what was erased is back: {reply}"
    for message in some(messages.values()):
        reply = server.request("GET", "/v1/messages/" + message.id)
        assert reply.status == 200, f"an acknowledged message is gone: {reply}"
        spent = message.attempts - reply.json["attempts_left"]
        assert message.told <= spent <= message.told + message.unsure, \
            f"{message.told} wrong attempts were told, {message.unsure} left open, {spent} counted"
    for id, state in some(verdicts.items()):
        reply = server.request("GET", "/v1/checks/" + id, token=server.key)
        assert reply.status == 200 and reply.json["state"] == state, f"a verdict of {state} became {reply}"
    listed = server.request("GET", "/v1/webhooks", token=server.key).body.decode()
    for id in webhooks:
        assert id in listed or id not in ledger.webhooks, "an acknowledged webhook is gone"
    scanners.verify(server, ledger, dice)


def heard(receiver, ledger, seconds=90):
    """Waits until every verdict has been delivered to the webhook at least once; returns the number of duplicates."""
    deadline = time.monotonic() + seconds
    while True:
        events = [json.loads(body) for _, _, _, body in list(receiver.received)]
        told = {event["data"]["id"]: event["type"] for event in events}
        missing = [id for id in ledger.verdicts if id not in told]
        if not missing:
            break
        assert time.monotonic() < deadline, f"{len(missing)} of {len(ledger.verdicts)} verdicts did not come to the webhook"
        time.sleep(0.2)
    for id, state in ledger.verdicts.items():
        assert told[id] == f"check.{state}", f"a verdict of {state} came as {told[id]}"
    return len(events) - len(told)


def ended(ground, server, receiver, ledger, told):
    """Final checks after the last restart: all work completes, and all data is verified."""
    dice, began = random.Random(0), time.monotonic()
    told["seconds until every scan was settled"] = round(scanners.settle(server, ledger, dice, ground.patience), 1)
    told["webhook messages that came again"] = heard(receiver, ledger)
    for _ in range(min(1 + len(ledger.captures) // 20, ground.looks)):
        verify(server, ledger, dice)
    # Once the killed server's lease has expired, the next start deletes unreferenced files.
    time.sleep(max(0, began + ground.mourning - time.monotonic()))
    server.stop()
    server.start()
    server.stop()
    ground.sound(server)
    told["files"] = ground.tidy(server)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--mien", required=True)
    parser.add_argument("--rounds", type=int, default=6)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--report")
    parser.add_argument("--beyond-one-machine", action="store_true")
    parser.add_argument("--keep", action="store_true", help="leave the data folder where something failed")
    parser.add_argument("--serve", nargs=argparse.REMAINDER, default=[], help="more options for mien serve")
    options = parser.parse_args()
    moments, dice = random.Random(options.seed), random.Random(options.seed + 1)
    ground = BeyondOne() if options.beyond_one_machine else OneMachine()
    server = ground.server(options.mien, [
        "--message-limit", "0", "--lockout-failures", "0", "--allow-private-webhooks", *options.serve])
    ledger, receiver = Ledger(), Receiver()
    subscribed = server.request("POST", "/v1/webhooks", {"url": receiver.url}, token=server.key)
    ledger.webhooks[subscribed.json["id"]] = True
    people = [kind(server, ledger, random.Random(dice.random())) for kind in EVERYBODY]
    passed = failed = 0
    starts = []
    for round in range(1, options.rounds + 1):
        time.sleep(ground.lives(round, moments))
        # Counted before the kill: replies received from now on may belong to the next run.
        ledger.kills += 1
        ground.kill(server, round, moments)
        try:
            ground.sound(server)
            server.start()
            starts.append(server.seconds_to_start)
            verify(server, ledger, dice)
            for person in people:
                if person.broken:
                    raise person.broken
            passed += 1
        except Exception as error:
            failed += 1
            print(f"round {round}: {type(error).__name__}: {error}", *server.lines[-5:], sep="\n", flush=True)
            if server.process.poll() is not None:
                break
            people = [p if p.is_alive() else type(p)(server, ledger, random.Random(dice.random())) for p in people]
        if round % 20 == 0:
            print(f"{round} kills: {json.dumps(ledger.counts)}", flush=True)
    for person in people:
        person.going = False
    for person in people:
        person.join(30)
    told = {"kills": passed + failed, **ledger.counts, "slowest start, s": round_up(max(starts, default=0)), **ground.told()}
    try:
        ended(ground, server, receiver, ledger, told)
    except Exception as error:
        failed += 1
        print(f"at the end: {type(error).__name__}: {error}")
    told.update(ledger.counts)
    print(json.dumps(told))
    if options.report:
        pathlib.Path(options.report).write_text(json.dumps(told, indent=1) + "\n")
    if failed and options.keep:
        print(f"left: {ground.leave(server)}")
    else:
        ground.clean(server)
    print(f"{passed} passed, {failed} failed, 0 skipped")
    sys.exit(1 if failed or not passed else 0)


def round_up(seconds):
    return math.ceil(seconds * 10) / 10


if __name__ == "__main__":
    main()
