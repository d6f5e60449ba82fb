"""Images in the OCI format (image-spec 1.1), written without a container engine and byte for byte the same each time."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import pathlib
import shutil
import subprocess
import tarfile
import time

TYPE = "application/vnd.oci.image"
COMPRESSIONS = ("gzip", "zstd")


def entry(path: pathlib.Path, name: str, epoch: int, owner: int = 0) -> tarfile.TarInfo:
    """Returns the header of a file, directory, or symbolic link without anything that depends on this machine."""
    status = path.lstat()
    info = tarfile.TarInfo(name)
    info.mtime, info.uid, info.gid = epoch, owner, owner
    if path.is_symlink():
        info.type, info.linkname, info.mode = tarfile.SYMTYPE, str(path.readlink()), 0o777
    elif path.is_dir():
        info.type, info.mode = tarfile.DIRTYPE, status.st_mode & 0o7777
    else:
        info.size, info.mode = status.st_size, status.st_mode & 0o7777
    return info


def archive(root: pathlib.Path, epoch: int, owners: dict[str, int] | None = None) -> bytes:
    """Returns a tar archive of everything below a folder, sorted by name; `owners` maps names to the IDs of other users than root."""
    data = io.BytesIO()
    with tarfile.open(fileobj=data, mode="w", format=tarfile.GNU_FORMAT) as tar:
        for path in sorted(root.rglob("*"), key=lambda path: path.relative_to(root).parts):
            name = path.relative_to(root).as_posix()
            info = entry(path, name, epoch, (owners or {}).get(name, 0))
            if info.isreg():
                with path.open("rb") as file:
                    tar.addfile(info, file)
            else:
                tar.addfile(info)
    return data.getvalue()


def compressed(data: bytes, compression: str, fast: bool = False) -> bytes:
    if compression == "gzip":
        return gzip.compress(data, 1 if fast else 9, mtime=0)
    # One thread: the result of several depends on their number.
    level = "-1" if fast else "-19"
    return subprocess.run(["zstd", level, "-T1", "--quiet", "--stdout"], input=data, capture_output=True, check=True).stdout


class ImageLayout:
    """An image in a folder: blobs by their digests, and an index."""

    def __init__(self, folder: pathlib.Path, epoch: int, compression: str = "gzip", fast: bool = False):
        assert compression in COMPRESSIONS, compression
        self.folder, self.epoch, self.compression, self.fast = folder, epoch, compression, fast
        shutil.rmtree(folder, ignore_errors=True)
        (folder / "blobs/sha256").mkdir(parents=True)
        self.layers: list[dict] = []
        self.digests: list[str] = []
        self.history: list[dict] = []

    @property
    def time(self) -> str:
        return time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(self.epoch))

    def blob(self, data: bytes, media: str) -> dict:
        digest = hashlib.sha256(data).hexdigest()
        (self.folder / "blobs/sha256" / digest).write_bytes(data)
        return {"mediaType": media, "digest": f"sha256:{digest}", "size": len(data)}

    def add_layer(self, root: pathlib.Path, comment: str, owners: dict[str, int] | None = None) -> int:
        """Adds a layer with the contents of a folder, and returns its compressed size."""
        data = archive(root, self.epoch, owners)
        self.digests.append("sha256:" + hashlib.sha256(data).hexdigest())
        self.layers.append(self.blob(compressed(data, self.compression, self.fast), f"{TYPE}.layer.v1.tar+{self.compression}"))
        self.history.append({"created": self.time, "created_by": "scripts/make-image", "comment": comment})
        return self.layers[-1]["size"]

    def finish(self, config: dict, architecture: str, name: str, tag: str) -> str:
        """Writes configuration, manifest, and index; returns the digest of the manifest."""
        def text(value: dict) -> bytes:
            return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()

        image = {"created": self.time, "architecture": architecture, "os": "linux", "config": config,
                 "rootfs": {"type": "layers", "diff_ids": self.digests}, "history": self.history}
        manifest = {"schemaVersion": 2, "mediaType": f"{TYPE}.manifest.v1+json",
                    "config": self.blob(text(image), f"{TYPE}.config.v1+json"), "layers": self.layers,
                    "annotations": config.get("Labels", {})}
        described = self.blob(text(manifest), manifest["mediaType"])
        described["platform"] = {"architecture": architecture, "os": "linux"}
        # Podman and skopeo read the first name, containerd and Docker the second.
        described["annotations"] = {"org.opencontainers.image.ref.name": tag, "io.containerd.image.name": f"{name}:{tag}"}
        index = {"schemaVersion": 2, "mediaType": f"{TYPE}.index.v1+json", "manifests": [described]}
        (self.folder / "index.json").write_bytes(text(index))
        (self.folder / "oci-layout").write_bytes(text({"imageLayoutVersion": "1.0.0"}))
        return described["digest"]

    def pack(self, target: pathlib.Path) -> None:
        """Writes the layout as one archive, which `docker load` and `podman load` read."""
        for path in [self.folder, *self.folder.rglob("*")]:
            path.chmod(0o755 if path.is_dir() else 0o644)
        target.write_bytes(archive(self.folder, self.epoch))


def unpack(folder: pathlib.Path, target: pathlib.Path) -> dict:
    """Unpacks the layers of a layout as an engine would, after checking all digests; returns the image's configuration."""
    def read(described: dict) -> bytes:
        data = (folder / "blobs" / described["digest"].replace(":", "/")).read_bytes()
        if hashlib.sha256(data).hexdigest() != described["digest"].partition(":")[2] or len(data) != described["size"]:
            raise ValueError(f"{described['digest']} has other contents")
        return data

    (described,) = json.loads((folder / "index.json").read_bytes())["manifests"]
    manifest = json.loads(read(described))
    image = json.loads(read(manifest["config"]))
    target.mkdir(parents=True)
    for layer, digest in zip(manifest["layers"], image["rootfs"]["diff_ids"], strict=True):
        data = read(layer)
        if layer["mediaType"].endswith("+zstd"):
            data = subprocess.run(["zstd", "-d", "--stdout"], input=data, capture_output=True, check=True).stdout
        else:
            data = gzip.decompress(data)
        if "sha256:" + hashlib.sha256(data).hexdigest() != digest:
            raise ValueError(f"{digest} has other contents")
        with tarfile.open(fileobj=io.BytesIO(data)) as tar:
            tar.extraction_filter = tarfile.fully_trusted_filter
            tar.extractall(target, numeric_owner=True)
    return image
