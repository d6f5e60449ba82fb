"""The part of Debian that the image needs: libraries, certificates, and a few programs, without a package manager.

Packages are fetched by apt, which verifies them. Of their files only those stay that something in the image uses, so that there
is little to attack and to update; the packages are listed in var/lib/dpkg/status.d, where vulnerability scanners look.
"""

from __future__ import annotations

import os
import pathlib
import re
import shutil
import subprocess
import tempfile

from .stage import run

# Programs in the image: a shell for the health check and for looking around, and what limits ffmpeg.
PROGRAMS = ["usr/bin/bash", "usr/bin/timeout", "usr/bin/nice", "usr/bin/prlimit", "usr/bin/cat", "usr/bin/ls", "usr/bin/id", "usr/bin/env"]
PACKAGES = ["base-files", "bash", "ca-certificates", "coreutils", "libc6", "util-linux"]
# Files that stay although no program of the image needs them to load: names of the system, and modules that libraries load by name.
KEPT = [r"etc/(debian_version|host\.conf|os-release|issue.*)", r"usr/lib/os-release", r"usr/share/doc/[^/]+/copyright",
        r"usr/lib/[^/]+/lib(c|m|dl|pthread|rt|resolv|gcc_s|nss_\w+)\.so\.\d.*", r"(usr/)?lib64/.*", r"usr/lib/[^/]+/ld-linux.*",
        r"usr/share/ca-certificates/.*"]
MERGED = ["bin", "sbin", "lib", "lib64"]


def fetch(packages: list[str], folder: pathlib.Path) -> list[pathlib.Path]:
    """Fetches packages with everything that they depend on; returns their files, sorted."""
    (folder / "partial").mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as work:
        nothing = pathlib.Path(work, "status")
        nothing.touch()
        options = [f"Dir::State::status={nothing}", f"Dir::Cache::archives={folder}", "APT::Install-Recommends=false",
                   "APT::Sandbox::User=root", "Debug::NoLocking=1"]
        apt = ["apt-get", "-q", "-y", *(part for option in options for part in ("-o", option))]
        listed = run(*apt, "--print-uris", "install", *packages)
        names = re.findall(r"^'\S+' (\S+\.deb) ", listed, re.M)
        run(*apt, "--download-only", "install", *packages)
    return sorted(folder / name for name in names)


def needed_names(path: pathlib.Path) -> list[str]:
    """Returns the names of the libraries that a program or library loads; none for other files."""
    with path.open("rb") as file:
        if file.read(4) != b"\x7fELF":
            return []
    return re.findall(r"\(NEEDED\).*\[(.+?)\]", run("readelf", "-d", path))


class DebianBase:
    """The files in a folder, which is emptied first."""

    def __init__(self, root: pathlib.Path, archives: pathlib.Path, packages: set[str]):
        self.root = root
        shutil.rmtree(root, ignore_errors=True)
        (root / "usr").mkdir(parents=True)
        for name in MERGED:
            (root / "usr" / name).mkdir()
            (root / name).symlink_to(f"usr/{name}")
        #: Version and owned files of each package.
        self.packages: dict[str, dict] = {}
        for archive in fetch(sorted({*PACKAGES, *packages}), archives):
            self.unpack(archive)

    def unpack(self, archive: pathlib.Path) -> None:
        control = run("dpkg-deb", "--field", archive)
        name = re.search(r"^Package: (.+)$", control, re.M)[1]
        listed = subprocess.run(["dpkg-deb", "--fsys-tarfile", archive], capture_output=True, check=True).stdout
        tar = ["tar", "--extract", "--keep-directory-symlink", "--no-same-owner", "--directory", self.root]
        subprocess.run([*tar, "--file=-"], input=listed, check=True)
        files = subprocess.run(["tar", "--list", "--file=-"], input=listed, capture_output=True, check=True).stdout.decode()
        owned = {re.sub(rf"^({'|'.join(MERGED)})/", r"usr/\1/", path.removeprefix("./")) for path in files.splitlines()}
        self.packages[name] = {"control": control, "files": {path for path in owned if path and not path.endswith("/")}}

    def trim(self, *programs: pathlib.Path) -> None:
        """Deletes everything that neither these programs and libraries nor `PROGRAMS` need, and packages of which nothing is left."""
        libraries = {path.name: path for path in self.root.rglob("*.so*") if not path.is_dir()}
        waiting = [*programs, *(self.root / name for name in PROGRAMS), *(self.root / "usr/lib").glob("*/ld-linux*")]
        kept = {self.root / name for name in PROGRAMS}
        while waiting:
            path = waiting.pop()
            kept.add(path)
            if path.is_symlink():
                waiting += [target for target in [path.parent / path.readlink()] if target not in kept]
                continue
            waiting += [libraries[name] for name in needed_names(path) if name in libraries and libraries[name] not in kept]
        used = {path.relative_to(self.root).as_posix() for path in kept if path.is_relative_to(self.root)}
        for path in sorted(self.root.rglob("*"), reverse=True):
            name = path.relative_to(self.root).as_posix()
            if path.is_symlink() and name in MERGED or name in used:
                continue
            if path.is_dir() and not path.is_symlink():
                if not any(path.iterdir()):
                    path.rmdir()
            elif not any(re.fullmatch(pattern, name) for pattern in KEPT):
                path.unlink()
        for name, package in list(self.packages.items()):
            left = {file for file in package["files"] if (self.root / file).is_file() and not file.startswith("usr/share/doc/")}
            if not left:
                shutil.rmtree(self.root / "usr/share/doc" / name, ignore_errors=True)
                del self.packages[name]

    def configure(self, user: int) -> None:
        """Adds what the packages' scripts would have made, and an unprivileged user."""
        root = self.root
        for name in ("etc/ssl/certs", "var/lib/dpkg/status.d", "proc", "sys", "dev", "run", "tmp", "root", "data", "var/tmp"):
            (root / name).mkdir(parents=True, exist_ok=True)
        certificates = sorted((root / "usr/share/ca-certificates").rglob("*.crt"))
        (root / "etc/ssl/certs/ca-certificates.crt").write_text("".join(path.read_text() for path in certificates))
        shutil.rmtree(root / "usr/share/ca-certificates")
        (root / "etc/passwd").write_text(
            f"root:x:0:0:root:/root:/usr/bin/bash\nmien:x:{user}:{user}:Mien:/data:/usr/sbin/nologin\nnobody:x:65534:65534:nobody:/:/usr/sbin/nologin\n")
        (root / "etc/group").write_text(f"root:x:0:\nmien:x:{user}:\nnogroup:x:65534:\n")
        (root / "etc/nsswitch.conf").write_text("passwd: files\ngroup: files\nhosts: files dns\n")
        (root / "usr/bin/sh").symlink_to("bash")
        for name, package in sorted(self.packages.items()):
            (root / "var/lib/dpkg/status.d" / name).write_text(package["control"])
        for path in root.rglob("*"):
            if not path.is_symlink():
                executable = path.is_dir() or os.access(path, os.X_OK)
                path.chmod(0o755 if executable else 0o644)
        for name in ("tmp", "var/tmp"):
            (root / name).chmod(0o1777)
        (root / "data").chmod(0o700)
