"""Tests of the Debian package: installed, upgraded, removed, and purged in a fresh Debian."""

import hashlib
import os
import re
import shutil
import subprocess

import pytest

from packages.clean_root import Debian, require_root
from support.program import PROGRAM, ROOT

pytestmark = pytest.mark.slow


def made(folder):
    """Makes the package with quick compression."""
    for tool in ("patchelf", "dpkg-deb", "dpkg-shlibdeps"):
        if not shutil.which(tool):
            pytest.skip(f"{tool} not found; run scripts/install-system package")
    run = subprocess.run([ROOT / "scripts/make-deb", "--program", PROGRAM, "--output", folder, "--fast"],
                         capture_output=True, text=True, env={**os.environ, "SOURCE_DATE_EPOCH": "1700000000"})
    assert run.returncode == 0, run.stdout + run.stderr
    (package,) = folder.glob("mien_*.deb")
    return package


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    return made(tmp_path_factory.mktemp("deb"))


def test_package_is_reproducible(package, tmp_path):
    assert hashlib.sha256(made(tmp_path).read_bytes()).digest() == hashlib.sha256(package.read_bytes()).digest()


def test_lintian_finds_no_error(package):
    if not shutil.which("lintian"):
        pytest.skip("lintian not found; run scripts/install-system package")
    run = subprocess.run(["lintian", "--no-cfg", "--allow-root", "--fail-on", "error", "--tag-display-limit", "0", package],
                         capture_output=True, text=True)
    assert run.returncode == 0, run.stdout + run.stderr


@pytest.fixture(scope="module")
def debian(tmp_path_factory):
    require_root()
    if not shutil.which("debootstrap"):
        pytest.skip("debootstrap not found; run scripts/install-system package")
    root = tmp_path_factory.mktemp("debian") / "root"
    system = Debian.fresh(root)
    yield system
    shutil.rmtree(root, ignore_errors=True)


def test_package_is_installed_upgraded_and_purged(debian, package, tmp_path):
    root = debian.root
    said = debian.install(package)
    assert "journalctl -u mien | grep 'API key'" in said and "/etc/mien/mien.json" in said, said[-1500:]
    text = debian.run("mien", "doctor", "--data", "/var/lib/mien")
    assert text.count("ok ") == 9 and "/usr/share/mien/models" in text, text
    for path in ("usr/share/man/man1/mien-serve.1.gz", "usr/share/bash-completion/completions/mien", "usr/share/doc/mien/sbom.cdx.json",
                 "lib/systemd/system/mien.service"):
        assert (root / path).exists() or "usr/share/man" in path, path
    # A server as the unit starts it, without systemd.
    debian.run("install", "--directory", "--owner=mien", "--mode=0700", "/var/lib/mien")
    began = debian.run("setpriv", "--reuid=mien", "--regid=mien", "--clear-groups", "timeout", "--preserve-status", "60", "mien", "serve", "--config", "/etc/mien/mien.json", "--port", "0")
    assert re.search(r"^API key: mien_", began, re.M) and "Listening on http://127.0.0.1:" in began, began
    key = (root / "var/lib/mien/mien.keyring").read_bytes()

    # An upgrade keeps data and changed settings.
    settings = (root / "etc/mien/mien.json").read_text().replace('"demo": false', '"demo": false,\n  "result-days": 30')
    (root / "etc/mien/mien.json").write_text(settings)
    newer = tmp_path / "newer"
    subprocess.run(["dpkg-deb", "--raw-extract", package, newer], check=True)
    control = (newer / "DEBIAN/control").read_text()
    (newer / "DEBIAN/control").write_text(re.sub(r"^(Version: .*)-1$", r"\1-2", control, flags=re.M))
    subprocess.run(["dpkg-deb", "--build", "--root-owner-group", "-Zgzip", "-z1", newer, tmp_path / "newer.deb"], check=True, capture_output=True)
    said = debian.install(tmp_path / "newer.deb")
    assert "journalctl" not in said and "-2" in debian.run("dpkg-query", "-W", "mien"), said
    assert (root / "etc/mien/mien.json").read_text() == settings and (root / "var/lib/mien/mien.keyring").read_bytes() == key

    debian.run("apt-get", "remove", "-y", "-q", "mien")
    assert not (root / "usr/bin/mien").exists() and (root / "var/lib/mien/mien.keyring").exists() and (root / "etc/mien/mien.json").exists()
    debian.run("apt-get", "purge", "-y", "-q", "mien")
    left = [path for path in ("etc/mien", "var/lib/mien", "usr/share/mien", "usr/lib/mien") if (root / path).exists()]
    assert not left, left
