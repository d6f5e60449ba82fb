"""Tests of `mien analyze` and `mien evaluate`."""

import json
import os
import pathlib

from cli import photos
from cli.commands import WORK, mien


def test_analyzes_all_photos_or_rejects_them_with_a_reason():
    folder = WORK / "photos"
    folder.mkdir()
    for name, data in {**photos.files(), **photos.unreadable()}.items():
        (folder / name).write_bytes(data)
    readable = [folder / name for name in photos.files()]
    lines = [json.loads(line) for line in mien("analyze", "--json", *readable).stdout.splitlines()]
    assert [line["path"] for line in lines] == [str(path) for path in readable]
    found = {pathlib.Path(line["path"]).name: line for line in lines}
    for line in lines:
        text = json.dumps(line)
        assert "NaN" not in text and "Infinity" not in text, text
        assert line["algorithm_versions"] if "algorithm_versions" in line else line["checks"], text
    assert found["plain.jpg"]["moire"] and "moire" not in found["dot.png"], "a picture of one pixel tells nothing"
    for name in photos.unreadable():
        said = mien("analyze", folder / name, expect=2)
        assert name in said.stderr and said.stdout == "", said.stderr
    both = mien("analyze", "--json", folder / "text.jpg", folder / "plain.jpg", expect=2)
    assert "text.jpg" in both.stderr and json.loads(both.stdout)["path"].endswith("plain.jpg"), "one bad file stops no other"
    mien("analyze", folder / "plain.jpg", "--report", folder / "report.html")
    page = (folder / "report.html").read_text()
    assert "<svg" in page or "<img" in page, "the report shows what was measured"
    assert "http://" not in page.replace("http://www.w3.org", "") and "<script" not in page, "it stands by itself"
    mien("analyze", expect=64)
    mien("analyze", folder / "plain.jpg", "--depth", folder / "text.jpg", expect=2)


def test_error_rates_are_exact_and_invalid_tables_are_rejected():
    folder = WORK / "evaluation"
    folder.mkdir()
    rows = [("genuine", -1)] * 19 + [("genuine", 5)] + [("screen", 5)] * 6 + [("screen", -1)] * 4
    table = "path\tlabel\tsource\ttexture\n" + "".join(
        f"p{number}.jpg\t{label}\ts{number % 2}\t{measure}\n" for number, (label, measure) in enumerate(rows))
    (folder / "table.tsv").write_text(table)
    texture, = json.loads(mien("evaluate", folder / "table.tsv", "--json").stdout)
    assert texture["check"] == "texture", texture["check"]
    bpcer, apcer = texture["bpcer"], texture["apcer"]
    assert (bpcer["errors"], bpcer["of"], apcer["errors"], apcer["of"]) == (1, 20, 4, 10), (bpcer, apcer)
    # Clopper–Pearson intervals of 1 of 20 and 4 of 10, from tables of the beta distribution.
    for rate, lower, upper in ((bpcer, 0.001265, 0.248733), (apcer, 0.121552, 0.737622)):
        assert abs(rate["lower"] - lower) < 1e-5 and abs(rate["upper"] - upper) < 1e-5, rate
    (folder / "silent.tsv").write_text("path\tlabel\ttexture\tmoire\na.jpg\tgenuine\t-1\t\nb.jpg\tscreen\t5\t\n")
    heard, silent = json.loads(mien("evaluate", folder / "silent.tsv", "--json").stdout)
    assert heard["bpnrr"]["errors"] == 0 and silent["check"] == "moire", (heard["bpnrr"], silent["check"])
    assert all(silent[rate]["errors"] == silent[rate]["of"] == 1 for rate in ("bpnrr", "apnrr")) and "curve" not in silent, silent
    text, = [line for line in mien("evaluate", folder / "silent.tsv").stdout.splitlines() if line.startswith("moire:")]
    assert "APCER none, BPCER none" in text and text.endswith("AUC none, EER none"), text
    for bad, words in (("", "header"), ("path\tlabel\n", "row"), ("path\tlabel\n../up.jpg\tgenuine\n", "leaves"),
                       ("path\tlabel\ttexture\na.jpg\tgenuine\tmany\n", "2")):
        (folder / "bad.tsv").write_text(bad)
        said = mien("evaluate", folder / "bad.tsv", expect=2)
        assert words in said.stderr and said.stdout == "", (bad, said.stderr)


def test_evaluates_labeled_photos():
    folder = WORK / "labeled"
    folder.mkdir()
    rows = []
    for number in range(4):
        for label, grid in (("genuine", False), ("screen", True)):
            (folder / f"{label}-{number}.jpg").write_bytes(photos.encoded(photos.scene(seed=number, grid=grid)))
            rows.append(f"{label}-{number}.jpg\t{label}")
    (folder / "gone.tsv").write_text("path\tlabel\n" + "\n".join(rows + ["missing.jpg\tgenuine"]) + "\n")
    run = mien("evaluate", folder / "gone.tsv", "--json", "--html", folder / "report.html")
    assert "missing.jpg" in run.stderr, "what cannot be read is said"
    rates = {one["check"]: one for one in json.loads(run.stdout)}
    assert rates["moire"]["apcer"]["errors"] == 0, "a grid of every third pixel is seen"
    assert rates["moire"]["bpnrr"]["errors"] == 1 and rates["moire"]["bpnrr"]["of"] == 5, rates["moire"]["bpnrr"]
    page = (folder / "report.html").read_text()
    assert "<svg" in page and "<script" not in page and "report" not in os.listdir(folder)
    # Given measures replace measured ones, and everything is weighed again.
    sums = []
    for measure in (-9, 9):
        (folder / "given.tsv").write_text("path\tlabel\ttexture\n" + "".join(f"{row}\t{measure}\n" for row in rows))
        given = {one["check"]: one for one in json.loads(mien("evaluate", folder / "given.tsv", "--complete", "--json").stdout)}
        wrong = given["texture"]["attacksMissed" if measure < 0 else "bpcer"]
        assert wrong["errors"] == wrong["of"] == 4, (measure, wrong)
        assert given["moire"]["apcer"] == rates["moire"]["apcer"], given["moire"]["apcer"]
        sums.append(sum(one["measure"] for one in given["aggregated"]["worst"]))
    assert sums[0] < sums[1], f"the given measures count: {sums}"
    (folder / "empty.tsv").write_text("path\tlabel\nmissing.jpg\tgenuine\nmissing too.jpg\tscreen\n")
    nothing = mien("evaluate", folder / "empty.tsv", "--html", folder / "empty.html", expect=2)
    assert "none of its 2 pictures" in nothing.stderr and nothing.stdout == "", nothing
    assert not (folder / "empty.html").exists()
