"""Performances of every task, correct and wrong in each way, by a rendered head that does what a server asks in real time."""

import http.client
import time

from support import performers as act
from support.replies import conforms, expect

QUESTIONS = {"Are you opening this account for yourself?": True, "Has somebody told you to do this?": False}
ASKED = [{"question": text, "answer": answer, "error_message": "That does not fit."} for text, answer in QUESTIONS.items()]
LIES = {text: not answer for text, answer in QUESTIONS.items()}
# A path from another session, which does not match the one requested.
STALE = [(0.7, -0.7), (-1, 0), (0.7, 0.7), (0, -1), (-0.7, 0.7), (1, 0)]
SHORT = 7000  # milliseconds; for performers that would otherwise run into the time limit


def task(kind, **options):
    return {"kind": kind, **options}


# Name, requested task, performer, and outcome: None for a pass, otherwise the reasons of which one must be reported.
PERFORMANCES = [
    ("a head turn", task("head-turn"), lambda: act.Turn(), None),
    ("a head turn to the other side", task("head-turn"), lambda: act.Turn(direction=-1), ["wrong-direction"]),
    ("a head turn of a few degrees", task("head-turn", timeout=SHORT), lambda: act.Turn(degrees=12), ["turned-too-little"]),
    ("a head turn without a return", task("head-turn", timeout=SHORT), lambda: act.Turn(returns=False),
     ["did-not-return", "face-lost"]),
    ("a circle the way that is asked", task("complete-the-circle"), lambda: act.Circle(), None),
    ("a circle the other way, where any is free", task("complete-the-circle", difficulty="easy"),
     lambda: act.Circle(direction=-1), None),
    ("a circle the wrong way round", task("complete-the-circle"), lambda: act.Circle(direction=-1), ["wrong-direction"]),
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
    ("nothing where motions are asked", task("motions", timeout=SHORT), lambda: act.NoMovement(), ["timed-out"]),
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


def perform(check, head, performer, rate=12, keep=None, seconds=180, seed=1):
    """Renders a head that does what is requested, and posts its frames as a browser would. Returns the last step."""
    began, step, motion = time.monotonic(), None, act.HeadMotion(performer, seed)
    connection = http.client.HTTPConnection("127.0.0.1", check.server.port, timeout=120)
    number = 0
    while time.monotonic() - began < seconds:
        t = time.monotonic() - began
        picture = head.jpeg(**motion.pose(step, t, number))
        if keep:
            keep.add(picture, t)
        reply = check.server.over(
            connection, "POST", f"/v1/checks/{check.id}/frames", picture,
            {"Content-Type": "image/jpeg", "Mien-Client": "camera-1", "Mien-Captured-At": f"{t * 1000:.1f}"}, check.token)
        over = reply.status == 409 and reply.code == "check-ended"
        step = reply.json["step"] if over else expect(reply, 200).json
        conforms("Step", step)
        if step["state"] in ("passed", "failed", "timed-out"):
            return step
        number += 1
        time.sleep(max(0, number / rate - (time.monotonic() - began)))
    raise AssertionError(f"no verdict, last {step}")


def judge(server, head, asked, performer, reasons, keep=None):
    """Performs once and compares the verdict and the stored result with the expected ones."""
    check = server.create(tasks=[asked])
    step = perform(check, head, performer, keep=keep)
    result = check.result().json
    conforms("Result", result)
    reported = f"{step['state']} ({step['reason']}); findings {[(f['check'], f['result']) for f in result['findings']]}"
    assert result["source"] == "observed" and result["tasks"] == [asked["kind"]], result
    found = {finding["check"]: finding["result"] for finding in result["findings"]}
    if reasons is None:
        assert step["state"] == "passed" and found[asked["kind"]] == "genuine", reported
    else:
        assert step["state"] in ("failed", "timed-out") and step["reason"] in reasons, reported
        assert found.get(asked["kind"]) != "genuine", reported
    return f"{step['state']} {step['reason'] or ''}".strip()
