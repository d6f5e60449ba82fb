"""Facts about the release that the packages state: version, time, and architecture."""

from __future__ import annotations

import os
import pathlib
import platform
import re
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
PARTS = pathlib.Path(os.environ.get("MIEN_PARTS") or ROOT / ".mien")
SUMMARY = "Self-hosted liveness detection and face platform"
MAINTAINER = "Mien maintainers <maintainers@mien.example>"
# Name of the architecture for Debian and in images.
ARCHITECTURE = {"x86_64": "amd64", "aarch64": "arm64"}[platform.machine()]
# Files that repeat the version, with a pattern for it.
COPIES = {
    "Sources/CLI/mien/MienCommand.swift": r'^    version: "([^"]+)",$',
    "Web/openapi.json": r'^  "version": "([^"]+)",$',
    "Clients/element/package.json": r'^  "version": "([^"]+)",$',
    "Clients/python/src/mien_client/__init__.py": r'^__version__ = "([^"]+)"$',
}


def changelog() -> tuple[str, str, str]:
    """Returns version, remark, and text of the newest entry of the changelog, which is where the version is decided."""
    found = re.search(r"^## (\d+\.\d+\.\d+)(?: \(([^)]+)\))?\n(.*?)(?=^## |\Z)", (ROOT / "CHANGELOG.md").read_text(), re.M | re.S)
    if not found:
        raise SystemExit("CHANGELOG.md has no entry that begins with a line such as: ## 1.2.3 (2026-11-26)")
    return found[1], found[2] or "", found[3].strip()


def version() -> str:
    return changelog()[0]


def deviating_copies() -> list[str]:
    """Returns the files whose version is not that of the changelog."""
    wanted = version()
    found = {name: re.findall(pattern, (ROOT / name).read_text(), re.M) for name, pattern in COPIES.items()}
    return [f"{name}: {', '.join(versions) or 'no version'}, not {wanted}" for name, versions in found.items() if versions != [wanted]]


def set_copies() -> None:
    """Writes the changelog's version into the files that repeat it."""
    for name, pattern in COPIES.items():
        path = ROOT / name
        text = path.read_text()
        match = re.search(pattern, text, re.M)
        assert match, name
        path.write_text(text[:match.start(1)] + version() + text[match.end(1):])


def epoch() -> int:
    """Returns the time in seconds that all files of a package carry: $SOURCE_DATE_EPOCH, or the time of the last commit."""
    if given := os.environ.get("SOURCE_DATE_EPOCH"):
        return int(given)
    log = subprocess.run(["git", "-C", ROOT, "log", "-1", "--format=%ct"], capture_output=True, text=True)
    return int(log.stdout) if log.returncode == 0 and log.stdout.strip() else 1_767_225_600
