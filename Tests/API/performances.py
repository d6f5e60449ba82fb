"""Every task as a head performs it before a camera, well and in each wrong way: rendered pictures of a real face go through
the real server, which chooses at random what it asks; the head does what is asked, or what the test says instead.

usage: performances.py --mien PATH_OF_THE_PROGRAM [--keep FOLDER] [TEXT…]

TEXT picks the performances whose names contain it. --keep writes what the server saw as FOLDER/<name>/00000.jpg … and
times.txt, seconds, one line a frame.
"""

import argparse
import concurrent.futures
import http.client
import os
import pathlib
import sys
import threading
import time
import traceback

sys.path.insert(0, os.path.dirname(__file__))
import footage
import performers as act
import rendered
import run
from server import Server
from twice import twice

QUESTIONS = {"Are you opening this account for yourself?": True, "Has somebody told you to do this?": False}
ASKED = [{"question": text, "answer": answer, "error_message": "That does not fit."} for text, answer in QUESTIONS.items()]
LIES = {text: not answer for text, answer in QUESTIONS.items()}
# Of a path of another session: it says nothing about this one.
STALE = [(0.7, -0.7), (-1, 0), (0.7, 0.7), (0, -1), (-0.7, 0.7), (1, 0)]
AS_RENDERED = "the tracker reads the poses that were rendered"
SHORT = 7000  # milliseconds, for those who would wait for the end of their time


def task(kind, **options):
    return {"kind": kind, **options}


# Name, what is asked for, who performs, and how it ends: None for a pass, else the reasons of which one must come.
PERFORMANCES = [
    ("a head turn", task("head-turn"), lambda: act.Turn(), None),
    ("a head turn to the other side", task("head-turn"), lambda: act.Turn(way=-1), ["wrong-direction"]),
    ("a head turn of a few degrees", task("head-turn", timeout=SHORT), lambda: act.Turn(degrees=12), ["turned-too-little"]),
    ("a head turn without a return", task("head-turn", timeout=SHORT), lambda: act.Turn(returns=False),
     ["did-not-return", "face-lost"]),
    ("a circle the way that is asked", task("complete-the-circle"), lambda: act.Circle(), None),
    ("a circle the other way, where any is free", task("complete-the-circle", difficulty="easy"),
     lambda: act.Circle(way=-1), None),
    ("a circle the wrong way round", task("complete-the-circle"), lambda: act.Circle(way=-1), ["wrong-direction"]),
    ("a circle that is too small", task("complete-the-circle", timeout=SHORT), lambda: act.Circle(radius=4),
     ["timed-out", "not-finished"]),
    ("two thirds of a circle", task("complete-the-circle", timeout=SHORT), lambda: act.Circle(share=0.66), ["not-finished"]),
    ("a circle that turns back halfway", task("complete-the-circle", timeout=SHORT),
     lambda: act.Circle(reverses_at=0.5, share=1.0), ["unsteady", "not-finished"]),
    ("answers as expected", task("yes-or-no", questions=ASKED), lambda: act.Answer(QUESTIONS), None),
    ("a wrong answer", task("yes-or-no", questions=ASKED), lambda: act.Answer(LIES), ["wrong-answer"]),
    ("a tilt that is none", task("yes-or-no", questions=ASKED, timeout=SHORT), lambda: act.Answer(QUESTIONS, degrees=6),
     ["timed-out", "not-finished"]),
    ("the motions that are asked", task("motions"), lambda: act.Move(), None),
    ("the motions that are asked, in their rhythm", task("motions", difficulty="hard"), lambda: act.Move(), None),
    ("a mouth opened instead of a nod", task("motions", max_blinks=0), lambda: act.Move({"nod": "open-mouth",
                                                                                     "open-mouth": "nod"}), ["wrong-motion"]),
    ("motions that come too late for their rhythm", task("motions", difficulty="hard"), lambda: act.Move(after=3.2),
     ["too-slow"]),
    ("nothing where motions are asked", task("motions", timeout=SHORT), lambda: act.Rest(), ["timed-out"]),
    ("blinks", task("blink", max_blinks=3), lambda: act.Blink(), None),
    ("long closures instead of blinks", task("blink", max_blinks=2, timeout=SHORT), lambda: act.Blink(seconds=1.5),
     ["timed-out"]),
    ("winks instead of blinks", task("blink", max_blinks=2, timeout=SHORT), lambda: act.Blink(eyes=(1, 0)),
     ["timed-out", "wrong-movement"]),
    ("a head path", task("head-path"), lambda: act.Follow(), None),
    ("a head path to the opposite sides", task("head-path"), lambda: act.Follow(mirrored=True), ["off-path"]),
    ("the path of another session", task("head-path"), lambda: act.Follow(own=STALE), ["off-path", "too-early", "too-slow"]),
    ("a head path that stops", task("head-path"), lambda: act.Follow(stops_after=2), ["too-slow", "not-finished"]),
]


def perform(check, head, performer, rate=12, keep=None, seconds=70, seed=1):
    """Films a head that does what is asked, and posts it as a browser would; the last step."""
    began, step, film = time.monotonic(), None, act.Take(performer, seed)
    connection = http.client.HTTPConnection("127.0.0.1", check.server.port, timeout=30)
    number = 0
    while time.monotonic() - began < seconds:
        t = time.monotonic() - began
        picture = head.jpeg(**film.pose(step, t))
        if keep:
            keep.add(picture, t)
        reply = check.server.over(
            connection, "POST", f"/v1/checks/{check.id}/frames", picture,
            {"Content-Type": "image/jpeg", "Mien-Client": "film-1", "Mien-Captured-At": f"{t * 1000:.1f}"}, check.token)
        over = reply.status == 409 and reply.code == "check-over"
        step = reply.json["step"] if over else run.expect(reply, 200).json
        run.conforms("Step", step)
        if step["state"] in ("passed", "failed", "timed-out"):
            return step
        number += 1
        time.sleep(max(0, number / rate - (time.monotonic() - began)))
    raise AssertionError(f"no verdict, last {step}")


def judge(server, head, asked, performer, reasons, keep):
    """Performs once and holds the verdict and the kept result against what is expected."""
    check = server.create(tasks=[asked])
    step = perform(check, head, performer, keep=keep)
    result = check.result().json
    run.conforms("Result", result)
    told = f"{step['state']} ({step['reason']}); findings {[(f['check'], f['result']) for f in result['findings']]}"
    assert result["source"] == "observed" and result["tasks"] == [asked["kind"]], result
    found = {finding["check"]: finding["result"] for finding in result["findings"]}
    if reasons is None:
        assert step["state"] == "passed" and found[asked["kind"]] == "genuine", told
    else:
        assert step["state"] in ("failed", "timed-out") and step["reason"] in reasons, told
        assert found.get(asked["kind"]) != "genuine", told
    return f"{step['state']} {step['reason'] or ''}".strip()


class Keep:
    """Writes one clip."""

    def __init__(self, folder):
        self.folder, self.count = folder, 0
        folder.mkdir(parents=True, exist_ok=True)
        self.times = (folder / "times.txt").open("w")

    def add(self, picture, seconds):
        (self.folder / f"{self.count:05d}.jpg").write_bytes(picture)
        self.times.write(f"{seconds:.9f}\n")
        self.times.flush()
        self.count += 1


def as_rendered(mien, head):
    """Holds what the tracker reads against what was rendered; the errors."""
    errors, lids, mouth = rendered.proof(mien, head)
    told = "yaw, pitch and roll within " + ", ".join(f"{error:.1f}°" for error in errors)
    told += f"; lids +{min(lids):.2f}, mouth +{mouth:.2f}"
    assert max(errors) <= 6 and min(lids) > 0.3 and mouth > 0.5, told
    return told


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--mien", required=True)
    parser.add_argument("--keep", type=pathlib.Path)
    parser.add_argument("--at-once", type=int, default=3)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    chosen = [row for row in PERFORMANCES if not options.names or any(text in row[0] for text in options.names)]
    if footage.shared() is None:
        for name, *_ in chosen:
            print(f"SKIPPED {name}: shared/data not found")
        print(f"0 passed, 0 failed, {len(chosen)} skipped")
        return 0
    head = rendered.head(options.mien, footage.shared() / "data")
    # The tasks are on trial, not the head: a drawing that performs is an attack, and passive signals may say so.
    server = Server(options.mien, arguments=["--passive", "report"])
    run.DOCUMENT.update(server.request("GET", "/openapi.json").json)
    counts, lock = {"passed": 0, "failed": 0}, threading.Lock()

    def one(row):
        name, asked, make, reasons = row or (AS_RENDERED, None, None, None)
        began = time.monotonic()
        keep = Keep(options.keep / name.replace(",", "").replace(" ", "-")) if options.keep and row else None
        try:
            outcome = "passed"
            told = twice(
                name, lambda: judge(server, head, asked, make(), reasons, keep) if row else as_rendered(options.mien, head))
        except Exception:
            outcome, told = "failed", traceback.format_exc()
        with lock:
            counts[outcome] += 1
            print(f"{outcome:8} {name}: {told} ({time.monotonic() - began:.1f} s)", flush=True)

    # If this fails, none of the others says anything.
    if not options.names:
        chosen = [None, *chosen]
    try:
        with concurrent.futures.ThreadPoolExecutor(options.at_once) as pool:
            list(pool.map(one, chosen))
    finally:
        server.clean()
    print(f"{counts['passed']} passed, {counts['failed']} failed, 0 skipped")
    return 1 if counts["failed"] or not counts["passed"] else 0


if __name__ == "__main__":
    sys.exit(main())
