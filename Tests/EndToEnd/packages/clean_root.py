"""Programs in a root folder of their own, as a container runs them: no file of this machine, an unprivileged user, a read-only root."""

import os
import pathlib
import shutil
import signal
import subprocess
import tempfile

import pytest

from support.server import Server

# Mounts what an engine provides: the root read-only, /proc, an empty /tmp, /dev with the usual devices, and the data folder as a volume.
ENTER = """set -e
mount --make-rprivate /
mount --bind "$ROOT" "$ROOT"
mount --bind "$DATA" "$ROOT/data"
mount -t proc proc "$ROOT/proc"
mount -t tmpfs -o mode=1777 tmp "$ROOT/tmp"
mount -t tmpfs dev "$ROOT/dev"
mkdir "$ROOT/dev/shm"; chmod 1777 "$ROOT/dev/shm"
for device in null zero full random urandom; do touch "$ROOT/dev/$device"; mount --bind "/dev/$device" "$ROOT/dev/$device"; done
ln -s /proc/self/fd "$ROOT/dev/fd"
mount -o remount,ro,bind "$ROOT"
exec setpriv --no-new-privs chroot --userspec="$OWNER" "$ROOT" /usr/bin/env -i $VARIABLES "$@"
"""


def require_root():
    """Reports the test as skipped without the rights to mount."""
    if os.getuid() or subprocess.run(["unshare", "--mount", "true"], capture_output=True).returncode:
        pytest.skip("needs root rights to mount")


def enter(root, data, variables, command, owner=10001, **more):
    """Starts a command in a root folder."""
    environment = {"PATH": os.environ["PATH"], "ROOT": str(root), "DATA": str(data), "OWNER": f"{owner}:{owner}",
                   "VARIABLES": " ".join(variables)}
    # The namespace of process IDs ends with its first process, and nothing is left behind.
    return subprocess.Popen(
        ["unshare", "--mount", "--pid", "--fork", "--kill-child", "bash", "-c", ENTER, "enter", *command], env=environment,
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, **more)


class Debian:
    """A fresh Debian in a folder, with what the package depends on."""

    def __init__(self, root):
        self.root = root

    def run(self, *command, expect=0):
        ended = subprocess.run(
            ["unshare", "--mount", "--pid", "--fork", "--kill-child", "bash", "-c",
             'mount --make-rprivate /; mount -t proc proc "$0/proc"; exec chroot "$0" /usr/bin/env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin '
             'DEBIAN_FRONTEND=noninteractive LC_ALL=C.UTF-8 "$@"', self.root, *map(str, command)],
            capture_output=True, text=True)
        assert ended.returncode == expect, (command, ended.stdout[-2000:], ended.stderr[-2000:])
        return ended.stdout + ended.stderr

    def install(self, package):
        shutil.copyfile(package, self.root / "tmp/mien.deb")
        return self.run("apt-get", "install", "-y", "-q", "--no-install-recommends", "/tmp/mien.deb")

    @classmethod
    def fresh(cls, root):
        """Makes the smallest Debian, with packages from where this machine has them."""
        listed = subprocess.run(["apt-get", "indextargets", "--format", "$(REPO_URI) $(RELEASE)", "Identifier: Packages", "Origin: Debian"],
                                capture_output=True, text=True, check=True).stdout
        mirrors = [line.split() for line in sorted(set(listed.splitlines()))]
        (mirror,) = [uri for uri, release in mirrors if release == "bookworm"]
        run = subprocess.run(["debootstrap", "--variant=minbase", "bookworm", root, mirror], capture_output=True, text=True)
        assert run.returncode == 0, run.stdout[-2000:]
        (root / "etc/apt/sources.list").write_text("".join(f"deb {uri} {release} main\n" for uri, release in mirrors))
        shutil.copyfile("/etc/resolv.conf", root / "etc/resolv.conf")
        # Settings of this machine for apt, such as a proxy.
        for path in pathlib.Path("/etc/apt/apt.conf.d").iterdir():
            shutil.copyfile(path, root / "etc/apt/apt.conf.d" / path.name)
        system = cls(root)
        system.run("apt-get", "update", "-q")
        return system


class RootedServer(Server):
    """A server in a root folder, started as the image says; tests talk to it like to any other."""

    def __init__(self, root, image, arguments=()):
        self.root, self.image = root, image
        # Its content belongs to the image's user.
        data = tempfile.mkdtemp(prefix="mien-root-")
        os.chown(data, 10001, 10001)
        super().__init__(image["config"]["Entrypoint"][0], data=data, arguments=arguments, claims=False)

    def start(self):
        config = self.image["config"]
        command = [*config["Entrypoint"], *config["Cmd"], "--port", "0", *self.arguments]
        self.process = enter(self.root, self.data, config["Env"], command)
        for line in self.process.stdout:
            if line.startswith("API key: "):
                self.key = line.split()[-1]
            if line.startswith("Listening on http"):
                self.port = int(line.rsplit(":", 1)[1])
                break
        else:
            raise RuntimeError("the server did not start: " + self.process.stderr.read())
        self.lines = []
        self.drain(self.process.stdout)
        self.drain(self.process.stderr)

    def stop(self):
        if self.process.poll() is None:
            # The server is the child of `unshare`, which does not pass the signal on.
            with open(f"/proc/{self.process.pid}/task/{self.process.pid}/children") as children:
                os.kill(int(children.read().split()[0]), signal.SIGTERM)
            self.process.wait(120)
        return self.process.returncode

    def clean(self):
        if self.process.poll() is None:
            self.kill()
        shutil.rmtree(self.data, ignore_errors=True)
