"""Tests of scripts/release: what it makes without the program, its checksums and signature, and what it refuses."""

import hashlib
import json
import shutil
import subprocess
import tarfile
import zipfile

import pytest

from support.program import ROOT


def release(output, *arguments, expect=0):
    run = subprocess.run([ROOT / "scripts/release", "--output", output, *map(str, arguments)], capture_output=True, text=True,
                         stdin=subprocess.DEVNULL)
    assert run.returncode == expect, run.stdout + run.stderr
    return run


@pytest.fixture(scope="module")
def released(tmp_path_factory):
    """Returns the folder of a release of the clients, and the public key of its signature."""
    if not (ROOT / "Package.resolved").exists():
        pytest.skip("Package.resolved not found; a build writes it")
    folder = tmp_path_factory.mktemp("release")
    signing = []
    if shutil.which("minisign"):
        subprocess.run(["minisign", "-G", "-W", "-s", folder / "secret", "-p", folder / "public"], check=True, capture_output=True)
        signing = ["--key", folder / "secret"]
    release(folder / "out", "--unfinished", "--only", "python", "element", *signing)
    return folder / "out", folder / "public"


def test_checksums_are_those_of_all_files(released):
    folder, _ = released
    lines = dict(reversed(line.split("  ")) for line in (folder / "SHA256SUMS").read_text().splitlines())
    files = {path.name for path in folder.iterdir()} - {"SHA256SUMS", "SHA256SUMS.minisig"}
    assert set(lines) == files and any(name.endswith(".whl") for name in files)
    for name, digest in lines.items():
        assert hashlib.sha256((folder / name).read_bytes()).hexdigest() == digest, name


def test_signature_is_of_the_checksums(released):
    folder, public = released
    if not shutil.which("minisign"):
        pytest.skip("minisign not found; run scripts/install-system package")
    verify = ["minisign", "-V", "-p", public, "-m", folder / "SHA256SUMS"]
    assert subprocess.run(verify, capture_output=True).returncode == 0
    text = (folder / "SHA256SUMS").read_bytes()
    try:
        (folder / "SHA256SUMS").write_bytes(text + b"0  other\n")
        assert subprocess.run(verify, capture_output=True).returncode != 0
    finally:
        (folder / "SHA256SUMS").write_bytes(text)


def test_clients_are_complete_and_the_same_each_time(released, tmp_path):
    folder, _ = released
    version = json.loads((ROOT / "Web/openapi.json").read_text())["info"]["version"]
    with tarfile.open(folder / f"mien-liveness-{version}.tgz") as archive:
        names = archive.getnames()
        listed = json.load(archive.extractfile("package/package.json"))
    assert listed["version"] == version
    assert {"package/dist/mien-liveness.js", "package/index.d.ts", "package/README.md", "package/dist/LICENSE"} <= set(names), names
    (wheel,) = folder.glob("*.whl")
    assert wheel.name == f"mien_client-{version}-py3-none-any.whl" and "mien_client/_sync.py" in zipfile.ZipFile(wheel).namelist()
    release(tmp_path / "again", "--unfinished", "--only", "python", "element")
    assert (tmp_path / "again/SHA256SUMS").read_bytes() == (folder / "SHA256SUMS").read_bytes()


def test_entry_without_a_date_is_no_release(tmp_path):
    if "(unreleased)" not in (ROOT / "CHANGELOG.md").read_text().split("\n## ")[1].split("\n")[0]:
        pytest.skip("the newest entry of CHANGELOG.md has a date")
    run = release(tmp_path / "out", "--only", "element", expect=1)
    assert "CHANGELOG.md" in run.stderr and "date" in run.stderr and not (tmp_path / "out").exists(), run
