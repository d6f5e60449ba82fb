"""Tests of `mien track` and the files it writes."""

import json
import math
import pathlib
import re

from cli.commands import SIDES, WORK, as_json, check, folder, mien, rows, stills, tracked, turns
from support import footage


def test_track_counts_frames_and_faces():
    _, summary = tracked("zubair/real.mov")
    assert summary["frames"] == 199 and 20 < summary["frames_without_face"] < 80, summary
    assert summary["yaw_min"] < -30 and summary["yaw_max"] > 30 and summary["pitch_min"] < summary["pitch_max"], summary
    assert summary["frames_with_several_faces"] == 0 and 14 < summary["frame_rate"] < 31, summary


def test_table_has_a_row_per_frame_and_no_value_for_unseen_faces():
    path, summary = tracked("zubair/real.mov")
    table = rows(path / "table.csv")
    assert len(table) == summary["frames"] and len(table[0]) == 57
    assert list(table[0])[:5] == ["time_s", "faces", "yaw_deg", "pitch_deg", "roll_deg"] and "tongueOut" in table[0]
    blank = [row for row in table if row["faces"] == "0"]
    assert len(blank) == summary["frames_without_face"]
    assert all(value == "" for row in blank for name, value in row.items() if name not in ("time_s", "faces"))
    yaws = [float(row["yaw_deg"]) for row in table if row["yaw_deg"]]
    assert math.isclose(min(yaws), summary["yaw_min"], abs_tol=1e-4) and math.isclose(max(yaws), summary["yaw_max"], abs_tol=1e-4)
    times = [float(row["time_s"]) for row in table]
    assert all(a < b for a, b in zip(times, times[1:]))


def test_observation_lines_equal_the_table():
    path, summary = tracked("zubair/real.mov")
    head, *lines = map(json.loads, (path / "lines.jsonl").read_text().splitlines())
    assert head["mien"] == "observations" and head["version"] == 1 and head["source"] == "mien-tracker", head
    table = rows(path / "table.csv")
    assert len(lines) == summary["frames"]
    for line, row in zip(lines, table):
        assert math.isclose(line["t"], float(row["time_s"]), abs_tol=1e-5) and line["faces"] == int(row["faces"])
        assert (line.get("pose") is None) == (row["yaw_deg"] == "") and (line.get("box") is None) == (row["yaw_deg"] == "")
        if line.get("pose"):
            assert math.isclose(line["pose"]["yaw"], float(row["yaw_deg"]), abs_tol=1e-4)
            # The tongue is not measured while the mouth is hidden: its key is absent and its cell empty.
            assert len(line["blendshapes"]) == (51 if row["tongueOut"] == "" else 52)


def test_live_link_file_has_the_columns_of_animation_tools():
    path, summary = tracked("zubair/real.mov")
    take = rows(path / "take.csv")
    assert len(take) == summary["frames"] - summary["frames_without_face"]
    names = list(take[0])
    assert names[:3] == ["Timecode", "BlendShapeCount", "EyeBlinkLeft"] and len(names) == 63 and names[53] == "TongueOut", names
    assert names[54:57] == ["HeadYaw", "HeadPitch", "HeadRoll"]
    faces = [row for row in rows(path / "table.csv") if row["yaw_deg"]]
    for mine, row in zip(take, faces):
        assert re.fullmatch(r"\d\d:\d\d:\d\d:\d\d(\.\d+)?", mine["Timecode"]) and mine["BlendShapeCount"] == "61"
        assert math.isclose(math.degrees(float(mine["HeadYaw"])), -float(row["yaw_deg"]), abs_tol=1e-3)
        assert math.isclose(float(mine["JawOpen"]), float(row["jawOpen"]), abs_tol=1e-4)


def test_replayed_observations_get_the_verdict_of_the_video():
    path, _ = tracked("zubair/real.mov")
    for side, start, pause, code in (("turn-right", 0, 1, 0), ("turn-left", 0, 1, 1), ("turn-left", 8, 0, 0), ("turn-right", 8, 0, 1)):
        recorded = turns(side, start, pause, expect=code)
        for name, tolerance in (("lines.jsonl", 1e-4), ("take.csv", 1e-3)):
            replay = check(path / name, side, "--from", start, "--pause", pause, expect=code)
            assert replay["verdict"] == recorded["verdict"] and replay.get("reason") == recorded.get("reason"), (name, side, start, replay)
            for member in ("outbound_path", "return_path"):
                ours, theirs = recorded["evidence"][member], replay["evidence"][member]
                same = len(ours) == len(theirs) and all(math.isclose(a, b, abs_tol=tolerance) for a, b in zip(ours, theirs))
                assert same, (name, side, start, member)


def test_overlay_has_one_image_per_frame_of_the_same_size():
    path, summary = tracked("zubair/real.mov")
    pictures = sorted((path / "overlay").iterdir())
    assert len(pictures) == summary["frames"] and pictures[0].name == "real-00000.jpg"
    for picture in pictures:
        data = picture.read_bytes()
        assert data[:3] == b"\xff\xd8\xff" and data[-2:] == b"\xff\xd9", picture
        at = re.search(rb"\xff[\xc0\xc2]\x00.\x08", data).end()
        assert (int.from_bytes(data[at:at + 2], "big"), int.from_bytes(data[at + 2:at + 4], "big")) == (540, 960), picture


def test_cartoon_gives_no_face_and_no_values():
    path, summary = tracked("pyfeat/no_face.mp4")
    assert summary["frames"] == summary["frames_without_face"] == 95 and summary["blinks"] == 0
    assert "yaw_min" not in summary and "pitch_max" not in summary, summary
    assert len(rows(path / "take.csv")) == 0 and len(list((path / "overlay").iterdir())) == 95
    for side in SIDES:
        assert check(path / "lines.jsonl", side, expect=2)["verdict"] == "not-assessed"
        assert check(path / "take.csv", side, expect=2)["verdict"] == "not-assessed"


def test_tracks_a_folder_of_stills_one_by_one():
    path, count = stills()
    out = folder("stills-overlay")
    summary = as_json(mien("track", path, "--json", "--jsonl", WORK / "stills.jsonl", "--overlay", out))
    assert summary["frames"] == count and summary["frames_without_face"] == (0 if footage.shared() else count), summary
    assert len((WORK / "stills.jsonl").read_text().splitlines()) == count + 1
    # still-0.jpg and still-0.png have the same base name: neither output replaces the other.
    assert len(list(out.iterdir())) == count, sorted(p.name for p in out.iterdir())
    one = as_json(mien("track", path / "still-1.jpg", path / "still-0.png", "--json"))
    assert one["frames"] == 2, one


def test_track_never_overwrites_its_input():
    path, _ = stills()
    before = {p.name: p.read_bytes() for p in path.iterdir()}
    for arguments, cwd in (([path, "--overlay", path], WORK), ([path / "still-1.jpg", "--overlay", path], WORK),
                           (["still-1.jpg", "--overlay", "."], path), ([".", "--overlay", path], path)):
        run = mien("track", *arguments, expect=64, cwd=cwd)
        assert "overwrite" in run.stderr, run.stderr
    assert before == {p.name: p.read_bytes() for p in path.iterdir()}


def test_unreadable_input_is_reported_with_2():
    path, _ = stills()
    (WORK / "text.mp4").write_text("I am no video.\n")
    (WORK / "text.jpg").write_text("I am no picture.\n")
    for arguments in (["missing.mp4"], ["text.mp4"], ["text.jpg"], [folder("nothing")], [path / "still-1.jpg", "missing.png"]):
        run = mien("track", *arguments, "--json", expect=2)
        assert run.stdout == "" and pathlib.Path(arguments[-1]).name in run.stderr and "Domain=" not in run.stderr, run


def test_track_verifies_its_outputs_before_working():
    path, _ = stills()
    for option in ("--csv", "--jsonl", "--live-link"):
        run = mien("track", path, option, WORK / "no-such-folder/out", expect=2)
        assert "no-such-folder" in run.stderr and "Domain=" not in run.stderr, run.stderr
    (WORK / "a-file").write_text("")
    assert "a-file" in mien("track", path, "--overlay", WORK / "a-file", expect=2).stderr
    run = mien("track", "a.mov", "b.mov", "--jsonl", WORK / "two.jsonl", expect=64)
    assert "one video" in run.stderr and not (WORK / "two.jsonl").exists()
