"""The Python client as its users get it: the wheel is built and installed into a virtual environment of its own."""

import importlib
import pathlib
import shutil
import subprocess
import sys
import sysconfig

import pytest

from support.program import ROOT

SOURCES = ROOT / "Clients/python"


class Installation:
    """A virtual environment with the client. Its dependencies are those of the tests' own environment."""

    def __init__(self, folder: pathlib.Path):
        sources = folder / "python"
        shutil.copytree(SOURCES, sources, symlinks=False, ignore=shutil.ignore_patterns("__pycache__"))
        pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
        run([*pip, "wheel", "--no-index", "--no-build-isolation", "--no-deps", "--wheel-dir", str(folder), str(sources)])
        (self.wheel,) = folder.glob("*.whl")
        run([sys.executable, "-m", "venv", "--without-pip", str(folder / "venv")])
        self.python = folder / "venv/bin/python"
        purelib = sysconfig.get_paths("venv", vars={"base": str(folder / "venv"), "platbase": str(folder / "venv")})["purelib"]
        self.packages = pathlib.Path(purelib)
        (self.packages / "tests.pth").write_text(sysconfig.get_paths()["purelib"] + "\n")
        # Without an index, pip fails if a declared dependency is missing.
        run([*pip, "--python", str(self.python), "install", "--no-index", f"{self.wheel}[verify]"])


def run(command):
    ended = subprocess.run(command, capture_output=True, text=True, timeout=300)
    assert ended.returncode == 0, ended.stdout + ended.stderr


@pytest.fixture(scope="session")
def installation(tmp_path_factory):
    return Installation(tmp_path_factory.mktemp("python-client"))


@pytest.fixture(scope="session")
def mien_client(installation):
    """The installed package."""
    sys.path.insert(0, str(installation.packages))
    package = importlib.import_module("mien_client")
    assert pathlib.Path(package.__file__).is_relative_to(installation.packages), package.__file__
    return package


@pytest.fixture(scope="module")
def mien(mien_client, server):
    """The client of this module's server, with its API key."""
    with mien_client.Mien(f"http://127.0.0.1:{server.port}", server.key) as client:
        yield client
