"""Kills a serving `mien` with SIGKILL at random moments while people use it, starts it again, and looks whether
everything that it had acknowledged is there, every count stands and the database is sound.

usage: crashes.py --mien PATH_OF_THE_PROGRAM [--beyond-one-machine] [--rounds N] [--seed N] [--report FILE] [--keep]

The last line counts: one test a round. The moments come from the seed; what lies between them is the machine's own.
Nobody sends a picture with a face, so the server has no face models; `--serve --models FOLDER` gives it some.

With --beyond-one-machine everything is kept in a PostgreSQL of its own (Debian's, every commit on the disk) and in an object
store (moto). One kill in ten takes PostgreSQL along; one life in 25 is long enough for what a dead server worked on to be taken up.
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
    """Holds the server against the ledger; of a long ledger the newest entries and a draw of the old ones."""
    def some(entries):
        entries = list(entries)
        return entries[-12:] + dice.sample(entries[:-12], min(8, len(entries[:-12])))

    with ledger.lock:
        captures, messages, verdicts = (dict(x) for x in (ledger.captures, ledger.messages, ledger.verdicts))
        webhooks, erased = dict(ledger.webhooks), list(ledger.erased)
    for id, digests in some(captures.items()):
        reply = server.request("GET", "/v1/captures/" + id)
        if id not in ledger.captures:
            continue  # somebody has begun to erase it meanwhile
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
    """Every verdict that was told comes to the webhook as well, once at least; returns how often one came again."""
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
    """After the last start: everything is looked at, everything that was begun is ended."""
    dice, began = random.Random(0), time.monotonic()
    told["seconds until every scan was settled"] = round(scanners.settle(server, ledger, dice, ground.patience), 1)
    told["webhook messages that came again"] = heard(receiver, ledger)
    for _ in range(min(1 + len(ledger.captures) // 20, ground.looks)):
        verify(server, ledger, dice)
    # The next start finds nobody else, not even a dead one who may be alive, and tidies.
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
        # Before it dies: whoever has an answer from before sees one more.
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
