"""License texts of everything that is linked into the program or lies beside it, as its licenses demand.

Debian's packages have theirs in usr/share/doc/NAME/copyright, the inference runtime in openvino-*, ffmpeg in usr/share/doc/ffmpeg.
"""

from __future__ import annotations

import json
import pathlib
import shutil

from .release_facts import ROOT

KEPT = ROOT / "Packaging/licenses"


def checkouts(program: pathlib.Path) -> pathlib.Path:
    """Returns the folder with the sources of the Swift packages that the program was built from."""
    for folder in program.resolve().parents:
        if (folder / "checkouts").is_dir():
            return folder / "checkouts"
    # A copied program: the sources of the build in its usual place.
    return ROOT / ".build/checkouts"


def swift_package(sources: pathlib.Path, identity: str) -> str:
    folder = next((path for path in sources.iterdir() if path.name.lower() == identity), None) if sources.is_dir() else None
    files = sorted(path for path in folder.iterdir() if path.name.split(".")[0] in ("LICENSE", "NOTICE")) if folder else []
    if not any(path.name.startswith("LICENSE") for path in files):
        raise SystemExit(f"{sources / identity} has no license text: build the program first (swift build -c release --product mien)")
    return "\n".join(path.read_text() for path in files)


def swift_runtime() -> str:
    """Returns the license of the toolchain whose runtime is shipped."""
    swift = shutil.which("swift")
    path = pathlib.Path(swift).resolve().parents[1] / "share/swift/LICENSE.txt" if swift else None
    if path is None or not path.exists():
        raise SystemExit("the license of the Swift toolchain (share/swift/LICENSE.txt) is not found")
    return path.read_text()


def document(program: pathlib.Path) -> str:
    """Returns all texts, each once, under the names of the parts that it applies to."""
    sources = checkouts(program)
    texts = {pin["identity"]: swift_package(sources, pin["identity"]) for pin in json.loads((ROOT / "Package.resolved").read_text())["pins"]}
    texts["Swift runtime"] = swift_runtime()
    texts["ICU in the Swift runtime"] = (KEPT / "icu.txt").read_text()
    texts["three.js"] = (KEPT / "three.txt").read_text()
    apache = (ROOT / "LICENSE").read_text()
    texts["face_landmarker.task (© 2023 Google LLC)"] = apache
    # It has no text of its own: its files name this license.
    texts["BoringSSL in swift-crypto and swift-nio-ssl (© The OpenSSL Project Authors and Google LLC)"] = apache
    texts["SFace sface_2021dec (© 2021 OpenCV Zoo)"] = apache
    texts["photo_features.onnx out of open_nsfw (© 2016 Yahoo Inc.)"] = (KEPT / "open_nsfw.txt").read_text()
    parts: dict[str, list[str]] = {}
    for name, text in sorted(texts.items()):
        parts.setdefault(text.strip(), []).append(name)
    line = "=" * 100
    return "\n".join(f"{line}\n{', '.join(names)}\n{line}\n\n{text}\n" for text, names in parts.items())
