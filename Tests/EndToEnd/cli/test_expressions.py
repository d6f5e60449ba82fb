"""Tests of `mien expressions`, `mien gif` and `mien read-id`."""

import json
import math
import re
import subprocess

import pytest

from cli.commands import SEQUENCE, WORK, as_json, mien, video
from support import footage


def take(*shown):
    """Returns a phone's observation lines: neutral, then each (seconds, coefficients)."""
    lines, time = [json.dumps({"mien": "observations", "version": 1, "source": "arkit", "frame_rate": 30})], 0.0
    names = ["tongueOut", "eyeBlinkLeft", "eyeBlinkRight", "cheekPuff", "mouthPucker", "jawOpen", "browInnerUp",
             "browOuterUpLeft", "browOuterUpRight", "mouthSmileLeft", "mouthSmileRight"]
    for seconds, shape in [(0.5, {}), *shown]:
        for _ in range(round(seconds * 30)):
            values = {name: 0.05 for name in names} | shape
            lines.append(json.dumps({"t": round(time, 6), "faces": 1, "blendshapes": {k: v for k, v in values.items() if v is not None}}))
            time += 1 / 30
    return "\n".join(lines) + "\n"


def test_lists_expressions_with_their_times():
    smile = {"mouthSmileLeft": 0.8, "mouthSmileRight": 0.8}
    path = WORK / "faces.jsonl"
    path.write_text(take((1, smile), (0.5, {}), (0.3, smile), (0.5, {}), (0.6, {"eyeBlinkRight": 0.9}), (0.5, {})))
    reply = as_json(mien("expressions", path, "--json"))
    assert [e["expression"] for e in reply["expressions"]] == ["smile", "wink_r"], reply
    assert math.isclose(reply["expressions"][0]["began"], 0.5, abs_tol=0.05)
    assert math.isclose(reply["expressions"][0]["at"], 0.9, abs_tol=0.05)
    assert reply["unavailable"] == [] and reply["frames"] == reply["frames_with_face"] == 117, reply
    assert re.fullmatch(r"0\.50–0\.9\d s  smile\n2\.8\d–3\.2\d s  wink_r\n", mien("expressions", path).stdout)
    path.write_text(take((1, {"tongueOut": None})).replace('"tongueOut": 0.05, ', ""))
    assert as_json(mien("expressions", path, "--json"))["unavailable"] == ["tongue_out"]
    path.write_text('{"mien":"observations","version":1,"source":"arkit","frame_rate":30}\n{"t":0,"faces":0}\n')
    assert as_json(mien("expressions", path, "--json", expect=2))["frames_with_face"] == 0
    assert mien("expressions", WORK / "missing.jsonl", expect=2).stdout == ""


def test_analyzes_every_recorded_take():
    if footage.shared() is None:
        pytest.skip("shared/data not found")
    takes = sorted((footage.shared() / "data/arkit").glob("*/*.csv"))
    assert len(takes) == 8
    for path in takes:
        found = as_json(mien("expressions", path, "--json"))
        assert {e["expression"] for e in found["expressions"]} <= {"smile"}, (path.name, found)


def test_finds_visible_smiles():
    for name, smiles in (("pyfeat/single_face.mp4", 1), ("pyfeat/noface_face.mov", 1), ("pyfeat/no_face.mp4", 0)):
        found = as_json(mien("expressions", video(name), "--json", expect=0 if smiles else 2))
        assert [e["expression"] for e in found["expressions"]] == ["smile"] * smiles, (name, found)


def test_writes_a_gif_and_reads_its_id():
    for avatar in ("bear", "fox"):
        path = WORK / f"{avatar}.gif"
        number = mien("gif", "--avatar", avatar, "--sequence", SEQUENCE, "-o", path).stdout.strip()
        assert re.fullmatch(r"[0-9A-HJKMNP-TV-Z]{4}(-[0-9A-HJKMNP-TV-Z]{4}){3}", number), number
        assert as_json(mien("read-id", path, "--json")) == {"id": number, "found": "comment"}
        again = mien("gif", "--avatar", avatar, "--sequence", SEQUENCE, "--id", number.lower().replace("-", " "), "-o", WORK / "again.gif")
        assert again.stdout.strip() == number and path.read_bytes() == (WORK / "again.gif").read_bytes()
        shown = subprocess.run(["ffprobe", "-v", "error", "-count_frames", "-show_entries", "stream=nb_read_frames,duration", "-of", "csv=p=0", path],
                               capture_output=True, text=True, check=True).stdout
        assert shown.strip() == "4.700000,11", shown
        # A video of it, an image of it, and an image with a large border.
        still = ["-sseof", "-0.2", "-update", "1"]
        for name, arguments, source in (("clip.mp4", ["-crf", "28", "-pix_fmt", "yuv420p"], path),
                                        ("still.png", [], WORK / "clip.mp4"),
                                        ("half.jpg", ["-vf", "scale=128:128", "-q:v", "9"], WORK / "still.png"),
                                        ("shot.png", ["-vf", "pad=500:700:33:120:gray"], WORK / "still.png")):
            before = still if name == "still.png" else []
            command = ["ffmpeg", "-v", "error", "-y", *before[:2], "-i", source, *before[2:], *arguments, WORK / name]
            subprocess.run(command, check=True)
            assert mien("read-id", WORK / name).stdout.strip() == number, name
    secret = mien("gif", "--secret", "-o", WORK / "secret.gif").stdout.strip()
    assert mien("read-id", WORK / "secret.gif").stdout.strip() == secret


def test_names_of_expressions_are_in_help_and_errors():
    names = ["wink_l", "tongue_out", "surprise", "wink_r", "smile", "smooch", "kiss"]
    for command, text in (("gif", []), ("lock", ["hello"])):
        help = re.sub(r"\s+", " ", mien(command, "--help").stdout)
        assert all(name in help for name in names), help
        error = re.sub(r"\s+", " ", mien(command, *text, "--sequence", "smile,grin,smooch", "-o", WORK / "never.gif", expect=64).stderr)
        assert "step 2 is not an expression" in error and all(name in error for name in names) and "grin" not in error, error
        error = mien(command, *text, "--sequence", "smile,smooch,kiss", "-o", WORK / "never.gif", expect=64).stderr
        assert "step 3 repeats" in error, error
    number = mien("gif", "--sequence", "smile,smooch,surprise", "-o", WORK / "smooch.gif").stdout.strip()
    mien("gif", "--sequence", "smile,kiss,surprise", "--id", number, "-o", WORK / "kiss.gif")
    assert (WORK / "kiss.gif").read_bytes() == (WORK / "smooch.gif").read_bytes()


def test_gif_and_read_id_reject_invalid_input():
    for arguments in (["--sequence", "smile,grin,smooch"], ["--sequence", "smile,smile,smooch"], ["--sequence", "smile"], [],
                      ["--sequence", SEQUENCE, "--secret"], ["--sequence", SEQUENCE, "--id", "0123-4567-89AB-CDEF"],
                      ["--sequence", SEQUENCE, "--avatar", "../fox"], ["--sequence", SEQUENCE, "--rest", "a.png"]):
        mien("gif", *arguments, "-o", WORK / "never.gif", expect=64)
    assert mien("gif", "--sequence", SEQUENCE, "--avatar", "owl", "-o", WORK / "never.gif", expect=2).stdout == ""
    assert not (WORK / "never.gif").exists()
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-f", "lavfi", "-i", "color=teal:s=256x256", "-frames:v", "1", WORK / "plain.png"], check=True)
    subprocess.run(["ffmpeg", "-v", "error", "-y", "-i", WORK / "plain.png", WORK / "plain.gif"], check=True)
    for name, found in (("plain.png", "nothing"), ("plain.gif", "nothing")):
        assert as_json(mien("read-id", WORK / name, "--json", expect=1)) == {"found": found}
    (WORK / "broken.gif").write_bytes(b"GIF89a and nothing more")
    for name in ("broken.gif", "missing.gif", "text.jpg"):
        (WORK / "text.jpg").write_text("I am no picture.\n")
        assert mien("read-id", WORK / name, expect=2).stdout == ""
    mien("gif", "--sequence", SEQUENCE, "--sheet", WORK / "plain.png", "-o", WORK / "never.gif", expect=2)
