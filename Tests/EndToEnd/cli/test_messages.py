"""Tests of `mien lock` and `mien unlock` against a server."""

import functools
import json
import re
import subprocess
import time

import pytest

from cli.commands import SEQUENCE, WORK, as_json, mien, video
from support.program import PROGRAM
from cli.lossy_proxy import LossyProxy
from support import footage
from support.expressions import expression_observations
from support.server import Server

STEPS = ["smile", "wink_r", "smooch"]
TEXT = "meet me at nine 🍕 שלום"


@functools.cache
def write_recording(*steps):
    """Writes a recording of a person who performs `steps`."""
    path = WORK / f"{'-'.join(steps)}.jsonl"
    lines = [{"mien": "observations", "version": 1, "source": "arkit"}, *expression_observations(steps)]
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    return path


def test_locks_and_opens_a_message_with_a_recording():
    server = Server(PROGRAM, arguments=["--no-demo"], loads_models=False)
    try:
        server_options = ["--server", f"http://127.0.0.1:{server.port}"]
        key = WORK / "key"
        key.write_text(server.key + "\n")
        lock = ["lock", "-", "--sequence", ",".join(STEPS), "--no-requires-frames", *server_options]
        refused = mien(*lock, input=TEXT, expect=2)
        assert "unauthorized" in refused.stderr and refused.stdout == "", refused
        gif = WORK / "locked.gif"
        number, receipt = mien(*lock, "--key", key, "--avatar", "fox", "--views", 1, "-o", gif, input=TEXT + "\n").stdout.split()
        assert receipt.startswith("rcp_") and mien("read-id", gif).stdout.strip() == number
        wrong = mien("unlock", gif, "--recording", write_recording(*STEPS[::-1]), *server_options, expect=1)
        assert wrong.stdout == "" and "smooch,wink_r,smile" in wrong.stderr and "left: 9" in wrong.stderr, wrong.stderr
        too_early = mien("unlock", gif, "--recording", write_recording(*STEPS), *server_options, expect=1)
        assert "last attempt from this address was wrong" in too_early.stderr, too_early.stderr
        time.sleep(5.5)  # until the next attempt from here
        incomplete = as_json(mien("unlock", number, "--recording", write_recording(*STEPS[:2]), "--json", *server_options, expect=1))
        assert incomplete["state"] == "performing" and incomplete["performed"] == STEPS[:2], incomplete
        opened = mien("unlock", gif, "--recording", write_recording(*STEPS), *server_options)
        assert opened.stdout == TEXT + "\n" and opened.stderr == "", opened
        gone = mien("unlock", number.lower(), "--recording", write_recording(*STEPS), *server_options, expect=1)
        assert gone.stdout == "" and "nothing to open" in gone.stderr, gone.stderr
        # Input with CRLF line endings; an output folder that does not exist.
        kept = mien(*lock, "--key", key, "-o", WORK / "nowhere" / "locked.gif", input=TEXT + "\r\n", expect=1)
        number, receipt = kept.stdout.split()
        assert receipt.startswith("rcp_") and "is locked" in kept.stderr and "nowhere" in kept.stderr, kept
        assert mien("unlock", number, "--recording", write_recording(*STEPS), *server_options).stdout == TEXT + "\n"
        said = "".join(server.lines)
        assert not re.search(r"nine|smile|rcp_|" + number, said), said
    finally:
        server.clean()
    silent = mien("unlock", number, "--recording", write_recording(*STEPS), *server_options, expect=2)
    assert "does not answer" in silent.stderr, silent.stderr


def test_lost_reply_does_not_lose_a_message_that_is_read_once():
    server = Server(PROGRAM, loads_models=False)
    proxy = LossyProxy(server.port, lambda path, reply: path.startswith("/v1/performances/") and json.loads(reply).get("state"))
    try:
        server_options = ["--server", f"http://127.0.0.1:{server.port}"]
        rules = ["--views", 1, "--no-requires-frames"]
        number = mien("lock", TEXT, "--sequence", ",".join(STEPS), *rules, *server_options).stdout.split()[0]
        opened = mien("unlock", number, "--recording", write_recording(*STEPS), "--server", f"http://127.0.0.1:{proxy.port}")
        assert opened.stdout == TEXT + "\n", opened
        assert proxy.dropped == {"performing", "opened"}, proxy.dropped
    finally:
        proxy.close()
        server.clean()


def test_locks_with_all_options_and_opens_with_a_video():
    server = Server(PROGRAM)
    try:
        server_options = ["--server", f"http://127.0.0.1:{server.port}"]
        rules = ["--mode", "secret", "--attempts", 1, "--first-wait", 10, "--views", 2, "--expires-in", 60, "--requires-passive"]
        message = as_json(mien("lock", TEXT, "--sequence", ",".join(STEPS), *rules, "--json", *server_options))
        assert (message["mode"], message["attempts_left"], message["views_left"], message["requires_frames"]) == ("secret", 1, 2, True), message
        claimed = mien("unlock", message["id"], "--recording", write_recording(*STEPS), *server_options, expect=2)
        assert "source-not-allowed" in claimed.stderr, claimed.stderr
        seen = as_json(mien("unlock", message["id"], "--video", video("pyfeat/single_face.mp4"), "--json", *server_options, expect=1))
        assert (seen["state"], seen["source"], seen["face"]) == ("performing", "observed", "one-face"), seen
        # The person smiles for half a second; a busy machine may miss it.
        assert seen["performed"] in (["smile"], []), seen
    finally:
        server.clean()


def test_link_is_needed_and_the_sender_revokes():
    server = Server(PROGRAM, loads_models=False)
    try:
        server_options = ["--server", f"http://127.0.0.1:{server.port}"]
        lock = ["lock", TEXT, "--sequence", ",".join(STEPS), "--no-requires-frames", "--requires-link", *server_options]
        gif, receipt = WORK / "linked.gif", WORK / "receipt"
        number, secret, link = mien(*lock, "--style", "smooth", "--id-seconds", 2, "-o", gif).stdout.split()
        assert link == f"http://127.0.0.1:{server.port}/decode#{number}/{link[-22:]}", link
        refused = mien("unlock", gif, "--recording", write_recording(*STEPS), *server_options, expect=1)
        assert refused.stdout == "" and "link" in refused.stderr, refused.stderr
        assert mien("unlock", link, "--recording", write_recording(*STEPS), *server_options).stdout == TEXT + "\n"
        receipt.write_text("rcp_wrong\n")
        assert "unauthorized" in mien("revoke", gif, "--receipt", receipt, *server_options, expect=2).stderr
        receipt.write_text(secret + "\n")
        mien("revoke", gif, "--receipt", receipt, *server_options)
        gone = mien("unlock", link, "--recording", write_recording(*STEPS), *server_options, expect=1)
        assert "nothing to open" in gone.stderr, gone.stderr
    finally:
        server.clean()


#: Seconds of a recording in which one man performs a kiss three times and a smile for two and a half seconds. The two takes have no
#: frame in common.
TAKES = {"first": [(0, 5.4), (9.75, 11), (6.6, 8.5)], "second": [(12.45, 15), (8.5, 9.7), (11, 12.3), (15.1, 16.6)]}


def cut(source, spans, target):
    """Writes the parts of a clip one after the other."""
    parts = "".join(f"[0:v]trim={begin}:{end},setpts=PTS-STARTPTS[{number}];" for number, (begin, end) in enumerate(spans))
    joined = "".join(f"[{number}]" for number in range(len(spans)))
    graph = f"{parts}{joined}concat=n={len(spans)}"
    subprocess.run(["ffmpeg", "-v", "error", "-i", source, "-filter_complex", graph, "-crf", "16", target], check=True)
    return target


def test_message_locked_by_one_take_opens_by_another(tmp_path):
    if footage.shared() is None or not (source := footage.shared() / "data/face_more/expressions/liveportrait/d9.mp4").exists():
        pytest.skip("shared/data/face_more not found")
    first, second = (cut(source, spans, tmp_path / f"{name}.mp4") for name, spans in TAKES.items())
    # Observations, not frames: a busy machine would drop some of those.
    observed = tmp_path / "second.jsonl"
    mien("track", second, "--raw", "--jsonl", observed)
    steps = [each["expression"] for each in as_json(mien("expressions", first, "--json"))["expressions"]]
    assert steps == ["smooch", "smile", "smooch"], steps
    server = Server(PROGRAM)
    try:
        server_options = ["--server", f"http://127.0.0.1:{server.port}"]
        number = mien("lock", TEXT, "--sequence", ",".join(steps), "--no-requires-frames", *server_options).stdout.split()[0]
        assert mien("unlock", number, "--recording", observed, *server_options).stdout == TEXT + "\n"
    finally:
        server.clean()


def test_lock_and_unlock_reject_invalid_input():
    for arguments in (["lock", "x", "--sequence", "smile"], ["lock", "x"], ["lock", "x", "--sequence", SEQUENCE, "--mode", "loud"],
                      ["lock", "-", "--sequence", SEQUENCE, "--key", "-"], ["lock", "x", "--sequence", SEQUENCE, "--server", "ftp://x"],
                      ["unlock", "x"], ["unlock", "x", "--recording", "a", "--video", "b"],
                      ["unlock", "x", "--video", "b", "--frame-rate", "30"]):
        assert mien(*arguments, expect=64).stdout == ""
    (WORK / "empty").write_text("\n")
    for arguments in (["lock", "x", "--sequence", SEQUENCE, "--key", WORK / "empty"],
                      ["unlock", "no-number", "--recording", write_recording(*STEPS)],
                      ["unlock", WORK / "empty", "--recording", write_recording(*STEPS)],
                      ["unlock", "0000-0000-0000-0000", "--recording", WORK / "missing.jsonl"],
                      ["unlock", "0000-0000-0000-0000", "--recording", WORK / "empty"]):
        run = mien(*arguments, "--server", "http://127.0.0.1:9", expect=2)
        assert run.stdout == "" and run.stderr.count("\n") >= 1, (arguments, run.stderr)
