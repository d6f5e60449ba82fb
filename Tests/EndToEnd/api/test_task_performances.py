"""Tests of every task performed by a rendered head, correctly and in each wrong way: images of a real face go through the real server,
which picks tasks at random; the head does what the server asks, or what the test specifies instead.
"""

import concurrent.futures

import pytest

from support import footage, synthetic_head
from support import performers as act
from support.performance import PERFORMANCES, judge, perform
from support.replies import conforms
from support.server import Server

# Performances run in real time and mostly wait, so several run at once.
AT_ONCE = 3


@pytest.fixture(scope="module")
def head(binary):
    if footage.shared() is None:
        pytest.skip("shared/data not found")
    return synthetic_head.head(binary, footage.shared() / "data")


@pytest.fixture(scope="module")
def outcomes(request, binary, head):
    """The futures of all selected performances by name, which run in the background."""
    # Passive signals are only reported: they may flag the rendered head as an attack, and only the tasks are tested here.
    server = Server(binary, arguments=["--passive", "report"])
    selected = {item.callspec.params["name"] for item in request.session.items
                if item.module is request.module and "name" in getattr(getattr(item, "callspec", None), "params", {})}
    with concurrent.futures.ThreadPoolExecutor(AT_ONCE) as pool:
        yield {name: pool.submit(judge, server, head, asked, make(), reasons)
               for name, asked, make, reasons in PERFORMANCES if name in selected}
    server.clean()


def test_tracker_reads_the_rendered_poses(binary, head):
    """If this fails, the results of the other tests mean nothing."""
    errors, lids, mouth = synthetic_head.proof(binary, head)
    reported = "yaw, pitch and roll within " + ", ".join(f"{error:.1f}°" for error in errors)
    reported += f"; lids +{min(lids):.2f}, mouth +{mouth:.2f}"
    assert max(errors) <= 6 and min(lids) > 0.3 and mouth > 0.5, reported


@pytest.mark.parametrize("name", [name for name, *_ in PERFORMANCES])
def test_performance(outcomes, name):
    print(outcomes[name].result())


LEVELS = {
    "basic": (lambda: act.Turn(), 1, ["head-turn"]),
    "standard": (lambda: act.PerTask(act.Follow()), 13, ["head-path"]),
    "high": (lambda: act.PerTask(act.Follow(), act.Move()), 30, ["head-path", "motions"]),
}


@pytest.mark.parametrize("level", LEVELS)
def test_every_level_can_be_performed(binary, head, level):
    performer, bits, kinds = LEVELS[level]
    server = Server(binary, arguments=["--passive", "report", "--default-assurance", level])
    try:
        check = server.create()
        step = perform(check, head, performer())
        result = check.result().json
        conforms("Result", result)
        assert step["state"] == "passed", (step, result)
        assert (result["assurance"], result["basis"]) == (level, "frames") and result["bits_of_choice"] >= bits, result
        assert set(kinds) <= set(result["signals"]["assessed"]), result["signals"]
        assert "depth-gate" in {one["signal"] for one in result["signals"]["not_assessed"]}, result["signals"]
        print(level, result["bits_of_choice"], result["frames"], result["signals"])
    finally:
        server.clean()
