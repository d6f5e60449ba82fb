"""Tests of `mien enroll`."""

import pathlib

from cli.commands import WORK, as_json, heads, mien, video
from support.program import PROGRAM
from support import depth, footage
from support.server import Server


def test_derives_thresholds_from_a_head():
    reply = as_json(mien("enroll", *heads(), "--json"))
    assert len(reply["captures"]) == 4 and "version" not in reply, reply
    for name, floor, ceiling in (("nose_relief_mm", 17, 28), ("plane_residual_mm", 4, 9), ("sheet_residual_mm", 2, 3.5),
                                 ("center_to_rim_mm", 6, 16)):
        assert floor <= reply["thresholds"][name] <= ceiling, reply["thresholds"]
        assert all(capture["shape"][name] > reply["thresholds"][name] for capture in reply["captures"])
    assert mien("enroll", *heads()).stdout.count("capture: ") == 4


def test_rejects_boards_and_too_few_or_dissimilar_captures():
    boards = [WORK / f"board-{index}.mdf" for index in range(3)]
    for index, path in enumerate(boards):
        path.write_bytes(depth.board(index, tilt=(0.1 * index, 0)))
    child = WORK / "child.mdf"
    child.write_bytes(depth.head(9, scale=0.45, distance=250))
    for captures, reason in ((boards, "not-a-face"), (heads()[:2], "too-few-captures"), ([*heads()[:2], boards[0]], "not-a-face")):
        run = mien("enroll", *captures, "--json", expect=2)
        reply = as_json(run)
        assert reply["refused"] == reason and "thresholds" not in reply and len(reply["captures"]) == len(captures), reply
        assert reason in run.stderr


def test_unreadable_input_is_2_and_invalid_options_are_64():
    (WORK / "text.mdf").write_text("I am no depth.\n")
    cut = WORK / "cut.mdf"
    cut.write_bytes(heads()[0].read_bytes()[:-1])
    for name in ("missing.mdf", "text.mdf", cut):
        run = mien("enroll", name, expect=2)
        assert pathlib.Path(name).name in run.stderr and run.stdout == "", run
    for arguments in (["map.png"], ["map.png", "--intrinsics", "1,2,3,4"], ["map.png", "--intrinsics", "1,2,3", "--face", "0,0,1,1"],
                      ["map.png", "--intrinsics", "1,2,x,3,4", "--face", "0,0,1,1"], ["a.mdf", "--unit", "0"],
                      ["a.mdf", "--person", "../etc"]):
        mien("enroll", *arguments, expect=64)
    run = mien("enroll", *heads(), "--person", "ada", "--data", WORK / "no-database", expect=2)
    assert "no-database" in run.stderr and not (WORK / "no-database").exists(), run.stderr


def test_stores_versions_for_a_person():
    server = Server(PROGRAM, loads_models=False)
    try:
        for version in (1, 2):
            assert as_json(mien("enroll", *heads(), "--person", "ada", "--data", server.data, "--json"))["version"] == version
        check = server.gated(depth=True, person="ada")
        steps = [check.post("depth", depth.head(20 + index), "application/vnd.mien.depth-frame").json for index in range(3)]
        assert [step["state"] for step in steps] == ["positioning", "positioning", "passed"], steps
    finally:
        server.clean()


def test_rejects_flat_boards_of_a_real_sensor():
    video("")
    boards = sorted((footage.shared() / "data/face_depth/zeiss_iPadPro12_4gen_iOS15").glob("depth_*.png"))
    assert len(boards) == 5
    camera = ["--unit", "100", "--intrinsics", "595.3,595.3,318.3,240.0", "--face", "0.02,0.02,0.96,0.96"]
    reply = as_json(mien("enroll", *boards, *camera, "--json", expect=2))
    assert reply["refused"] == "not-a-face" and len(reply["captures"]) == 5, reply
    for capture in reply["captures"]:
        assert capture["shape"]["plane_residual_mm"] < 0.3 and 190 < capture["distance_mm"] < 205, capture


def test_accepts_a_real_face():
    video("")
    captures = []
    for index, moved in enumerate([(0, 0), (-10, 0), (10, 0), (0, -12), (0, 12)]):
        captures.append(WORK / f"real-face-{index}.mdf")
        captures[-1].write_bytes(depth.real_face(moved))
    reply = as_json(mien("enroll", *captures, "--json"))
    assert len(reply["captures"]) == 5 and reply["thresholds"]["nose_relief_mm"] >= 17, reply["thresholds"]
