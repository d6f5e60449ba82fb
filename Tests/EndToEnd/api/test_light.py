"""Tests of the light task: a rendered head in the light of the screen passes; recordings, flat pictures and the colors of another
check do not; too little light is not assessed, and another task is asked instead."""

import re
import time

import pytest

from support import footage, light, synthetic_head
from support.checks import observation
from support.program import ROOT
from support.replies import conforms, expect
from support.server import Server


@pytest.fixture(scope="module")
def head(binary):
    if footage.shared() is None:
        pytest.skip("shared/data not found")
    return synthetic_head.head(binary, footage.shared() / "data", light.LitHead)


@pytest.fixture(scope="module")
def reporting(binary):
    # Passive signals are only reported: they may flag the rendered head as an attack.
    server = Server(binary, arguments=["--passive", "report"])
    yield server
    server.clean()


def finding(check, name="light"):
    result = check.result().json
    conforms("Result", result)
    found = next((found for found in result["findings"] if found["check"] == name), None)
    print(result["state"], result.get("reason"), found)
    return found


def assessed(server, head, screen, share):
    """Performs a light task, again if a busy machine left a color without a frame; returns check, last step and kinds of tasks."""
    for take in range(4):
        check = server.create(tasks=[{"kind": "light"}])
        step, kinds = light.perform(check, head, screen(), share, light.FollowIfAsked())
        if kinds == ["light"]:
            break
    return check, step, kinds


def test_head_in_the_light_of_the_screen_passes(reporting, head):
    check, step, kinds = assessed(reporting, head, light.Screen, 0.12)
    found = finding(check)
    assert (step["state"], kinds) == ("passed", ["light"]), (step, found)
    assert found["result"] == "genuine" and found["native"] > 0.9
    assert check.result().json["tasks"] == ["light"]


def test_soft_fades_pass(reporting, head):
    check, step, kinds = assessed(reporting, head, lambda: light.Screen(fade=0.3), 0.2)
    assert (step["state"], kinds) == ("passed", ["light"]), finding(check)


@pytest.mark.parametrize("name", ["recording", "still", "flat replay", "another check's sequence"])
def test_attacks_do_not_pass(reporting, head, name):
    check = reporting.create(tasks=[{"kind": "light"}])
    screen = light.Sequence(7) if name.startswith("another") else light.Screen()
    share = 0 if name in ("recording", "still") else 0.15
    if name == "still":
        # One picture and the noise of a camera.
        class Still(light.LitHead):
            def render(self, **pose):
                return super().render()
        subject = Still.__new__(Still)
        subject.__dict__.update(head.__dict__)
    else:
        subject = head
    step, kinds = light.perform(check, subject, screen, share, flat=name == "flat replay")
    found = finding(check)
    assert step["state"] in ("failed", "timed-out") and found["result"] != "genuine", (step, kinds, found)
    reasons = {"flat replay": ["flat-light", None], "another check's sequence": ["foreign-light", None]}.get(name, [None])
    # Nothing is guessed: what may be too little light is followed by a task that a recording does not do.
    assert step["reason"] in reasons or kinds == ["light", "head-path"], (step, kinds, found)


def test_two_percent_of_light_is_not_assessed(reporting, head):
    check = reporting.create(tasks=[{"kind": "light"}])
    step, kinds = light.perform(check, head, light.Screen(), 0.02, performer=light.FollowIfAsked())
    found = finding(check)
    assert found["result"] == "not-assessed" and found["reason"] == "too-little-light", found
    assert kinds == ["light", "head-path"]
    assert finding(check, "head-path")["result"] == ("genuine" if step["state"] == "passed" else "suspect")
    assert step["state"] == "passed", step


def test_light_can_be_declined_for_another_task(reporting, head):
    check = reporting.create(tasks=[{"kind": "light"}])
    path, declined = f"/v1/checks/{check.id}/decline", []

    def decline(step):
        if step["state"] == "instructing" and not declined:
            assert step["task"]["prompt"]["light"]["can_decline"] is True
            declined.append(expect(reporting.request("POST", path, token=check.token, headers={"Mien-Client": "camera-1"}), 200).json)
            conforms("Step", declined[0])
            assert declined[0]["task"]["kind"] == "head-path"

    step, kinds = light.perform(check, head, light.Screen(), 0.12, performer=light.FollowIfAsked(), on_step=decline)
    assert declined and kinds == ["light", "head-path"]
    assert finding(check)["reason"] == "declined"
    assert step["state"] == "passed", step


def test_declining_needs_the_token_and_a_task(reporting):
    check = reporting.create(tasks=[{"kind": "light"}])
    path = f"/v1/checks/{check.id}/decline"
    assert reporting.request("POST", path).status == 401
    assert reporting.request("POST", path, token="x" + check.token).status == 401
    reply = reporting.request("POST", path, token=check.token)
    assert (reply.status, reply.code) == (422, "bad-value")


def test_claimed_observations_never_satisfy_it(server):
    check = server.claimed(tasks=[{"kind": "light"}])
    began, step = time.monotonic(), None
    while time.monotonic() - began < 30:
        step = expect(check.observe(observation(round(time.monotonic() - began, 3))), 200).json
        if step["state"] in ("passed", "failed", "timed-out"):
            break
        time.sleep(0.08)
    assert (step["state"], step["reason"]) == ("failed", "not-measured")


def test_colors_of_the_page_cannot_flash():
    """WCAG 2.3.1 over the page's own list: no pair of its colors is a flash, and two changes a second are one pair at most."""
    source = (ROOT / "Web/assets/core/light-surface.js").read_text()
    listed = re.search(r"lightColors = \[(.*?)\]", source, re.S)[1]
    colors = re.findall(r'"(#[0-9a-f]{6})"', listed)
    assert colors == [light.PEARL, *light.COLORS]
    values = [light.rgb(code) for code in colors]
    luminances = [0.2126 * r + 0.7152 * g + 0.0722 * b for r, g, b in values]
    assert max(luminances) - min(luminances) < 0.1
    assert all(r / (r + g + b) < 0.8 for r, g, b in values)
    assert int(re.search(r"shortestDwell = (\d+)", source)[1]) >= 400
