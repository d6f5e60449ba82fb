"""The tree of files that the image and the Debian package share: the program, its private libraries, models, pages, and documents.

    usr/bin/mien                 the program, stripped, which finds its private libraries in /usr/lib/mien
    usr/lib/mien/                inference runtime and Swift runtime, which no Debian package contains
    usr/share/mien/              models, pages, and the viewer of 3-D models
    usr/share/doc/mien/          licenses of everything in the package
    usr/share/man, …             man pages and shell completions, generated from the program
"""

from __future__ import annotations

import gzip
import os
import pathlib
import re
import shutil
import subprocess

from . import licenses, manual
from .release_facts import PARTS, ROOT

PRIVATE = "usr/lib/mien"
SHARE = "usr/share/mien"
DOCUMENTS = "usr/share/doc/mien"
# Libraries that the inference runtime loads by name when it starts.
LOADED = [r"libopenvino_(intel|arm)_cpu_plugin\.so", r"libopenvino_tensorflow_lite_frontend\.so.*", r"libopenvino_onnx_frontend\.so.*"]
# The archive out of which the models come is not read by the program, and it computes the weights from the packed ones.
UNUSED_MODELS = {"face_landmarker.task", "sface_2021dec.onnx.data"}
COMPLETIONS = {"bash": "usr/share/bash-completion/completions/mien", "zsh": "usr/share/zsh/vendor-completions/_mien",
               "fish": "usr/share/fish/vendor_completions.d/mien.fish"}


def run(*command: object, **more) -> str:
    ended = subprocess.run([str(part) for part in command], capture_output=True, text=True, **more)
    if ended.returncode:
        raise SystemExit(f"{command[0]}: {ended.stderr.strip() or ended.stdout.strip() or ended.returncode}")
    return ended.stdout


def shared_libraries(*files: pathlib.Path) -> dict[str, pathlib.Path]:
    """Returns the libraries that the files need, by the name under which they are loaded, with those that these need."""
    found: dict[str, pathlib.Path] = {}
    for file in files:
        for name, path in re.findall(r"^\s*(\S+) => (.*?) \(0x", run("ldd", file), re.M):
            if path in ("", "not found"):
                raise SystemExit(f"{file} needs {name}, which is not found")
            found[name] = pathlib.Path(path)
        if missing := re.search(r"^\s*(\S+) => not found", run("ldd", file), re.M):
            raise SystemExit(f"{file} needs {missing[1]}, which is not found")
    return found


def debian_packages(paths: list[pathlib.Path]) -> dict[pathlib.Path, str]:
    """Returns which Debian package owns each file; others are missing from the result."""
    owners = {}
    for path in paths:
        # Debian 12 registers files below /lib that are now below /usr/lib.
        for candidate in {path, path.resolve(), pathlib.Path(re.sub("^/usr/lib/", "/lib/", str(path)))}:
            ended = subprocess.run(["dpkg-query", "-S", str(candidate)], capture_output=True, text=True)
            if ended.returncode == 0:
                owners[path] = ended.stdout.split(":")[0]
                break
    return owners


def crates(library: pathlib.Path) -> str:
    """Returns the names and versions of the Rust packages in a library, one a line, as the paths of their sources in it tell."""
    found = re.findall(rb"index\.crates\.io-[0-9a-f]+/([a-zA-Z0-9_-]+-[0-9][0-9a-zA-Z.+-]*)/", library.read_bytes())
    return "".join(f"{name.decode()}\n" for name in sorted(set(found)))


class Stage:
    """The tree, in a folder that is emptied first."""

    def __init__(self, root: pathlib.Path, program: pathlib.Path, parts: pathlib.Path = PARTS):
        self.root, self.program, self.parts = root, program.resolve(), parts
        shutil.rmtree(root, ignore_errors=True)
        root.mkdir(parents=True)
        #: Debian packages whose libraries the program needs.
        self.depends: set[str] = set()

    def build(self) -> None:
        self.add_program()
        self.add_assets()
        self.add_documents()
        for path in self.root.rglob("*"):
            if not path.is_symlink():
                path.chmod(0o755 if path.is_dir() or path.parent.name == "bin" else 0o644)

    def add_program(self) -> None:
        runtime = self.parts / "openvino/libs"
        loaded = [path for path in sorted(runtime.iterdir()) if any(re.fullmatch(name, path.name) for name in LOADED)]
        needed = shared_libraries(self.program, *loaded)
        owners = debian_packages(list(needed.values()))
        self.depends = set(owners.values())
        private = {name: path for name, path in needed.items() if path not in owners} | {path.name: path for path in loaded}
        # Loaded by path, where the program looks for its assets.
        credentials = self.parts / "c2pa/libc2pa_c.so"
        if credentials.exists():
            private[credentials.name] = credentials
            link = self.root / SHARE / "c2pa" / credentials.name
            link.parent.mkdir(parents=True)
            link.symlink_to(os.path.relpath(f"/{PRIVATE}/{credentials.name}", f"/{SHARE}/c2pa"))
        for name, path in sorted(private.items()):
            self.add_library(path, f"{PRIVATE}/{name}")
        self.add_binary(self.program, "usr/bin/mien", search="/" + PRIVATE)

    def add_library(self, source: pathlib.Path, name: str) -> None:
        self.add_binary(source, name, search="$ORIGIN")

    def add_binary(self, source: pathlib.Path, name: str, search: str) -> None:
        """Copies a program or library without symbols; it finds libraries in `search` and where the system has them."""
        target = self.root / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(source.resolve(), target)
        run("strip", "--strip-unneeded", "--remove-section=.comment", "--remove-section=.note", target)
        run("patchelf", "--set-rpath", search, target)

    def add_assets(self) -> None:
        def ignored(_: str, names: list[str]) -> set[str]:
            return {name for name in names if name in UNUSED_MODELS or name.startswith(".")}

        run(ROOT / "scripts/make-docs", self.parts / "docs")
        for source, name in ((ROOT / "Web", "Web"), (self.parts / "models", "models"), (self.parts / "three", "three"),
                             (self.parts / "docs", "docs")):
            shutil.copytree(source, self.root / SHARE / name, ignore=ignored)

    def add_documents(self) -> None:
        folder = self.root / DOCUMENTS
        folder.mkdir(parents=True)
        for path in sorted((self.parts / "openvino/licenses").iterdir()):
            self.add_compressed(f"{DOCUMENTS}/openvino-{path.name}.gz", path.read_bytes())
        credentials = self.parts / "c2pa/libc2pa_c.so"
        if credentials.exists():
            # c2pa-rs is "MIT OR Apache-2.0", and the wheel contains no text of either. This project has the same license.
            self.add_compressed(f"{DOCUMENTS}/c2pa-LICENSE.gz", (ROOT / "LICENSE").read_bytes())
            self.add_compressed(f"{DOCUMENTS}/c2pa-crates.gz", crates(credentials).encode())
        for path in (ROOT / "CHANGELOG.md", ROOT / "README.md"):
            self.add_compressed(f"{DOCUMENTS}/{'changelog' if path.stem == 'CHANGELOG' else path.name}.gz", path.read_bytes())
        self.add_compressed(f"{DOCUMENTS}/licenses.gz", licenses.document(self.program).encode())
        for shell, name in COMPLETIONS.items():
            (self.root / name).parent.mkdir(parents=True)
            # Completions are read by a shell and not run.
            (self.root / name).write_text(run(self.program, "--generate-completion-script", shell).removeprefix("#!/bin/bash\n"))
        for name, page in manual.pages(run(self.program, "--experimental-dump-help")):
            self.add_compressed(f"usr/share/man/man1/{name}.1.gz", page.encode())

    def add_compressed(self, name: str, data: bytes) -> None:
        """Adds a file that is compressed without a time, so that it is the same each time."""
        target = self.root / name
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(gzip.compress(data, 9, mtime=0))

    def set_times(self, epoch: int) -> None:
        for path in [self.root, *self.root.rglob("*")]:
            os.utime(path, (epoch, epoch), follow_symlinks=False)
