"""Tests of `mien evaluate --match`: error rates of face match over templates, and templates of pictures and clips."""

import json
import os
import pathlib
import stat
import subprocess

import pytest

from cli.commands import WORK, as_json, folder, mien

PARTS = pathlib.Path(os.environ.get("MIEN_PARTS") or pathlib.Path(__file__).parents[3] / ".mien")
MEDIA = PARTS / "media"
NUMBERS = 128


def template(axis, tilt=0.0):
    """Returns a template: those of different axes are orthogonal without a tilt."""
    return " ".join(str(1 if index == axis else tilt if index == NUMBERS - 1 else 0) for index in range(NUMBERS))


def table(name, rows, header="id\tperson\tclip\tlabel\tliveness\ttemplate"):
    path = WORK / f"{name}.tsv"
    path.write_text("\n".join([header, *("\t".join(row) for row in rows)]) + "\n")
    return path


def people(count, *, attacks=True):
    """Returns rows of people with two clips each, and a replay that liveness finds of all but the first."""
    rows = []
    for person in range(count):
        for clip, tilt in (("a", 0.0), ("b", 0.1)):
            rows.append((f"{person}{clip}", f"p{person}", f"{person}{clip}", "", "passed", template(person, tilt)))
        if attacks:
            outcome = "failed" if person else "passed"
            rows.append((f"{person}r", f"p{person}", f"{person}r", "replay", outcome, template(person, 0.2)))
    return rows


def test_rates_are_exact_and_liveness_and_match_are_evaluated_together():
    rows = people(10)
    # One person's second clip shows another face, which is a third person's.
    rows[4] = (*rows[4][:5], template(2, 0.15))
    result = as_json(mien("evaluate", "--match", table("people", rows), "--json"))
    assert (result["people"], result["clips"], result["missing"]) == (10, 20, []), result
    at = result["atThreshold"]
    assert at["threshold"] == 0.363 and at["clips"]["falseNonMatches"] == {"errors": 1, "of": 10}, at
    assert at["clips"]["falseMatches"] == {"errors": 2, "of": 180}, at
    rate = at["peopleWithFalseMatch"]
    # Clopper–Pearson interval of 2 of 10, from tables of the beta distribution.
    assert (rate["errors"], rate["of"]) == (2, 10) and abs(rate["lower"] - 0.025211) < 1e-5 and abs(rate["upper"] - 0.556095) < 1e-5, rate
    assert result["leastSimilarOfOnePerson"][0]["first"] == "1a" and 0.5 < result["auc"] < 1, result
    system = result["fullSystem"]
    species, = system["species"]
    assert (species["iapar"]["errors"], species["iapar"]["of"]) == (1, 10) and species["matched"]["errors"] == 10, species
    assert (system["falseRejects"]["errors"], system["falseRejects"]["of"]) == (1, 10), system
    assert abs(species["riapar"]["value"] - 0.2) < 1e-9 and species["riapar"]["lower"] < 0.2 < species["riapar"]["upper"], species
    text = mien("evaluate", "--match", WORK / "people.tsv").stdout
    assert "IAPAR 10.0 % (1/10" in text and "RIAPAR 20.0 %" in text and "FMR 1.111 % (2/180)" in text, text
    strict = as_json(mien("evaluate", "--match", WORK / "people.tsv", "--threshold", "0.999", "--json"))
    assert strict["atThreshold"]["clips"]["falseNonMatches"]["errors"] == 10, strict["atThreshold"]


def test_a_table_that_lacks_something_says_what():
    result = as_json(mien("evaluate", "--match", table("one-person", people(1, attacks=False)), "--json"))
    assert [line.split(":")[0] for line in result["missing"]] == ["no false match rate", "no IAPAR and RIAPAR"], result
    assert "auc" not in result and "fullSystem" not in result
    said = mien("evaluate", "--match", table("one-clip", people(1)[:1]), expect=2)
    assert "fewer than two bona fide clips" in said.stderr and said.stdout == "", said.stderr


@pytest.mark.parametrize("row, words", [
    (("1", "p", "c", "", "", "1 2 3"), "line 3, column template: 3 numbers, not 128"),
    (("1", "p", "c", "", "", template(0).replace("1", "nan", 1)), "line 3, column template: number 1 is not finite"),
    (("1", "p", "c", "", "", template(1000)), "line 3, column template: all numbers are zero"),
    (("0", "p", "c", "", "", ""), "line 3 repeats line 2"),
    (("1", "p", "c", "", "", template(0)), "line 3 has the template of line 2"),
    (("1", "p", "0", "", "", ""), "line 3, column person"),
    (("1", "p", "c", "", "maybe", ""), "line 3, column liveness"),
    (("1", "p"), "line 3 has fewer cells"),
])
def test_wrong_lines_are_rejected_with_their_numbers(row, words):
    path = table("wrong", [("0", "q", "0", "", "", template(0)), row])
    said = mien("evaluate", "--match", path, expect=2)
    assert words in said.stderr and said.stdout == "", said.stderr
    assert template(0)[:40] not in said.stderr, "a template is never printed"


def test_options_that_do_not_belong_together_are_usage_errors():
    path = table("options", people(2))
    for more in (["--html", "x.html"], ["--frames", "--measures", "x"], ["--by-folder"], ["--threshold", "2"]):
        mien("evaluate", "--match", path, *more, expect=64)
    mien("evaluate", path, "--threshold", "0.3", expect=64)
    mien("evaluate", path, "--templates", "x", expect=64)
    mien("compare", "--pairs", path, expect=64)


@pytest.mark.skipif(
    not (PARTS / "models/sface_2021dec.onnx").exists() or not (MEDIA / "obama.jpg").exists(),
    reason="the recognition model or the photographs are missing; run scripts/install-parts and scripts/install-test-media")
def test_templates_of_pictures_and_clips_are_made_once_and_used_again():
    path = folder("match")
    names = ["obama.jpg", "obama2.jpg", "biden.jpg", "free-mountain-vector-01.jpg"]
    for name in names:
        (path / name).write_bytes((MEDIA / name).read_bytes())
    (path / "broken.jpg").write_bytes(b"not a picture")
    subprocess.run([
        "ffmpeg", "-v", "error", "-y", "-loop", "1", "-i", MEDIA / "obama3.jpg", "-t", "2", "-r", "10", "-vf", "scale=640:-2",
        "-pix_fmt", "yuv420p", path / "clip.mp4"], check=True)
    rows = [("obama.jpg", "O", ""), ("obama2.jpg", "O", ""), ("clip.mp4", "O", ""), ("biden.jpg", "B", ""),
            ("free-mountain-vector-01.jpg", "M", ""), ("broken.jpg", "X", "")]
    (path / "table.tsv").write_text("path\tperson\tclip\n" + "".join("\t".join(row) + "\n" for row in rows))
    first = mien("evaluate", "--match", path / "table.tsv", "--json", "--templates", path / "templates.tsv")
    assert "broken.jpg: not-an-image" in first.stderr, first.stderr
    result = json.loads(first.stdout)
    assert (result["people"], result["clips"], result["model"]) == (2, 4, "sface-2021dec-1"), result
    at = result["atThreshold"]["clips"]
    assert at == {"falseMatches": {"errors": 0, "of": 3}, "falseNonMatches": {"errors": 0, "of": 3}}, at
    lines = (path / "templates.tsv").read_text().splitlines()
    assert sum(line.startswith("clip.mp4@") for line in lines) == 4, "one frame each half second of two seconds"
    assert stat.S_IMODE((path / "templates.tsv").stat().st_mode) == 0o600
    assert any("no-face" in line for line in lines) and any("not-an-image" in line for line in lines)
    again = mien("evaluate", "--match", path / "templates.tsv", "--json", "--models", path / "nowhere")
    assert json.loads(again.stdout) == result, "the table of templates needs neither pictures nor a model"
    (path / "gone.tsv").write_text("path\tperson\nnowhere.jpg\tA\n")
    assert "nowhere.jpg does not exist" in mien("evaluate", "--match", path / "gone.tsv", expect=2).stderr
