"""Tests of the parts that packages are made of, with small files instead of the program: layers, unit file, man pages, versions."""

import configparser
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest
import yaml

from support.program import PROGRAM, ROOT

sys.path.insert(0, str(ROOT / "scripts"))
from packaging import licenses, manual, oci, release_facts, sbom, stage  # noqa: E402

PACKAGING = ROOT / "Packaging"


def tree(folder, backwards=False):
    """Makes the same files, in either order, at different times, and with the rights of different umasks."""
    names = ["bin/tool", "etc/a.conf", "etc/b.conf", "share/long-" + "x" * 120]
    for name in reversed(names) if backwards else names:
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name * 100)
        path.chmod(0o755 if name.startswith("bin/") else 0o644)
        path.parent.chmod(0o755)
        os.utime(path, (len(name) + backwards, 5))
    (folder / "bin/alias").symlink_to("tool")
    return folder


@pytest.mark.parametrize("compression", oci.COMPRESSIONS)
def test_image_of_the_same_files_is_the_same(tmp_path, compression):
    if compression == "zstd" and not shutil.which("zstd"):
        pytest.skip("zstd not found; run scripts/install-system package")
    packed = []
    for number in range(2):
        layout = oci.ImageLayout(tmp_path / f"layout{number}", 1_700_000_000, compression)
        layout.add_layer(tree(tmp_path / f"tree{number}", backwards=number == 1), "files", {"etc": 10001})
        digest = layout.finish({"User": "10001:10001", "Labels": {"a": "b"}}, "amd64", "mien", "0.1.0")
        layout.pack(tmp_path / f"{number}.tar")
        packed.append((digest, (tmp_path / f"{number}.tar").read_bytes()))
    assert packed[0] == packed[1]
    image = oci.unpack(tmp_path / "layout0", tmp_path / "root")
    assert image["config"]["User"] == "10001:10001" and image["created"] == "2023-11-14T22:13:20Z"
    assert (tmp_path / "root/etc/a.conf").read_text() == "etc/a.conf" * 100 and os.readlink(tmp_path / "root/bin/alias") == "tool"
    assert (tmp_path / "root/bin/tool").stat().st_mode & 0o777 == 0o755
    if os.getuid() == 0:
        assert (tmp_path / "root/etc").stat().st_uid == 10001 and (tmp_path / "root/etc/a.conf").stat().st_uid == 0


def test_changed_blob_is_noticed(tmp_path):
    layout = oci.ImageLayout(tmp_path / "layout", 1_700_000_000)
    layout.add_layer(tree(tmp_path / "tree"), "files")
    layout.finish({}, "amd64", "mien", "0.1.0")
    blob = tmp_path / "layout/blobs" / layout.layers[0]["digest"].replace(":", "/")
    blob.write_bytes(blob.read_bytes()[:-1] + b"x")
    with pytest.raises(ValueError, match="other contents"):
        oci.unpack(tmp_path / "layout", tmp_path / "root")


def test_version_is_decided_in_the_changelog():
    assert release_facts.deviating_copies() == []
    version = subprocess.run([PROGRAM, "--version"], capture_output=True, text=True, check=True).stdout.strip()
    assert version == release_facts.version()


def unit():
    parser = configparser.ConfigParser(strict=False, interpolation=None, delimiters=["="])
    parser.optionxform = str
    parser.read(PACKAGING / "mien.service")
    return parser


def test_unit_gives_the_server_no_more_than_it_needs(tmp_path):
    service = unit()["Service"]
    wanted = {"User": "mien", "ProtectSystem": "strict", "ProtectHome": "yes", "PrivateTmp": "yes", "NoNewPrivileges": "yes",
              "CapabilityBoundingSet": "", "StateDirectory": "mien", "StateDirectoryMode": "0700", "KillSignal": "SIGTERM"}
    assert {name: service[name] for name in wanted} == wanted
    settings = json.loads((PACKAGING / "mien.json").read_text())
    assert settings["data"] == "/var/lib/" + service["StateDirectory"] and settings["demo"] is False
    if not shutil.which("systemd-analyze"):
        pytest.skip("systemd-analyze not found")
    run = subprocess.run(["systemd-analyze", "security", "--offline=true", "--threshold=25", str(PACKAGING / "mien.service")],
                         capture_output=True, text=True)
    assert run.returncode == 0, run.stdout[-600:] + run.stderr


def test_server_accepts_the_packaged_settings(tmp_path):
    settings = json.loads((PACKAGING / "mien.json").read_text())
    assert settings.pop("port") == 8080
    file = tmp_path / "mien.json"
    file.write_text(json.dumps({**settings, "port": 0, "data": str(tmp_path / "data")}))
    with subprocess.Popen([PROGRAM, "serve", "--config", file, "--models", "/nowhere"], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
                          text=True) as server:
        assert any(line.startswith("Listening on http://127.0.0.1:") for line in server.stdout), server.stderr.read()
        server.terminate()
        server.stderr.read()
    assert server.returncode == 0


def test_man_pages_describe_every_command(tmp_path):
    dump = subprocess.run([PROGRAM, "--experimental-dump-help"], capture_output=True, text=True, check=True).stdout
    pages = dict(manual.pages(dump))
    assert {"mien", "mien-serve", "mien-check", "mien-scan-check", "mien-keys-add"} <= set(pages) and len(pages) > 30
    assert "\\fB\\-\\-challenge\\fR" in pages["mien-check"] and "mien check clip.mov" in pages["mien-check"].replace("\\-", "-")
    if not shutil.which("groff"):
        pytest.skip("groff not found")
    for name, text in pages.items():
        run = subprocess.run(["groff", "-Kutf8", "-man", "-Tutf8", "-ww", "-z"], input=text, capture_output=True, text=True)
        assert run.returncode == 0 and not run.stderr, (name, run.stderr)


@pytest.mark.parametrize("shell, words", [("bash", "complete -o filenames -F"), ("zsh", "#compdef mien"), ("fish", "complete -c 'mien'")])
def test_completions_are_scripts_of_their_shells(shell, words):
    text = subprocess.run([PROGRAM, "--generate-completion-script", shell], capture_output=True, text=True, check=True).stdout
    assert words in text and all(command in text for command in ("serve", "check", "backup")), text[:300]
    if shutil.which(shell):
        subprocess.run([shell, "-n"], input=text, text=True, check=True)


def test_templates_for_issues_are_complete():
    folder = ROOT / ".github/ISSUE_TEMPLATE"
    assert {path.name for path in folder.iterdir()} == {"bug.yml", "feature.yml", "config.yml"}
    for name in ("bug.yml", "feature.yml"):
        template = yaml.safe_load((folder / name).read_text())
        assert template["name"] and template["description"] and len(template["body"]) >= 3
        for field in template["body"]:
            assert field["type"] in ("markdown", "textarea", "input", "dropdown", "checkboxes")
            assert field["type"] == "markdown" or field["id"] and field["attributes"]["label"]
    assert yaml.safe_load((folder / "config.yml").read_text())["blank_issues_enabled"] is False
    # Pages have twenty languages, which the template for changes names.
    languages = len(list((ROOT / "Web/assets/texts").glob("*.json")))
    assert languages == 20 and "all twenty languages" in (ROOT / ".github/PULL_REQUEST_TEMPLATE.md").read_text()


def test_bill_of_materials_names_licenses_and_versions():
    if not (ROOT / "Package.resolved").exists():
        pytest.skip("Package.resolved not found; a build writes it")
    versions = {"zlib1g": {"control": "Package: zlib1g\nVersion: 1:1.2.13\n"}}
    bill = sbom.document(["zlib1g"], versions, ffmpeg="7:5.1")
    assert bill == sbom.document(["zlib1g"], versions, ffmpeg="7:5.1")
    assert (bill["bomFormat"], bill["specVersion"]) == ("CycloneDX", "1.5")
    assert re.fullmatch(r"urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", bill["serialNumber"])
    parts = {one["name"]: one for one in bill["components"]}
    assert {"openvino", "three", "swift-nio", "grdb.swift", "sface_2021dec.onnx.packed", "photo_features.onnx", "zlib1g", "ffmpeg", "swift-runtime"} <= set(parts)
    kinds = {"application", "library", "machine-learning-model"}
    for one in bill["components"]:
        assert one["type"] in kinds and one["version"] and one["licenses"], one
    references = [one["bom-ref"] for one in bill["components"]]
    assert len(references) == len(set(references)) and bill["dependencies"][0]["dependsOn"] == references


def test_license_texts_cover_every_part():
    if not (ROOT / "Package.resolved").exists():
        pytest.skip("Package.resolved not found; a build writes it")
    text = licenses.document(pathlib.Path(PROGRAM))
    for words in ("grdb.swift", "Gwendal", "swift-nio", "Apache License", "UNICODE LICENSE V3", "three.js authors", "Swift runtime", "SFace", "BoringSSL", "Yahoo Inc."):
        assert words in text, words
    # The same text stands once.
    assert text.count("UNICODE LICENSE V3") == 1 and len(text) < 1_000_000
    named = {name for line in text.split("=" * 100)[1::2] for name in line.strip().split(", ")}
    assert {one["name"] for one in sbom.swift_packages()} <= named


def test_a_part_without_a_license_text_stops_the_packaging(tmp_path):
    (tmp_path / "grdb.swift").mkdir()
    with pytest.raises(SystemExit, match="no license text"):
        licenses.swift_package(tmp_path, "grdb.swift")


def test_compose_file_asks_for_every_secret():
    text = (PACKAGING / "compose.yaml").read_text()
    services = yaml.safe_load(text)["services"]
    assert set(services) == {"mien", "postgres", "s3", "bucket"}
    mien = services["mien"]
    assert mien["read_only"] is True and mien["cap_drop"] == ["ALL"] and mien["volumes"] == ["mien:/data"]
    assert mien["ports"] == ["127.0.0.1:8080:8080"], "only this machine's proxy reaches it"
    needed = set(re.findall(r"\$\{(\w+):\?", text))
    example = pathlib.Path(PACKAGING / "environment.example").read_text()
    assert needed and all(re.search(rf"^{name}=", example, re.M) for name in needed)
    assert not re.search(r"^(POSTGRES_PASSWORD|S3_SECRET)=.", example, re.M), "no default passwords"


def test_rust_packages_of_a_library_are_listed(tmp_path):
    sources = "".join(f"/build/src/index.crates" f".io-1949cf8c6b5b557f/{name}/src/lib.rs\0" for name in (
        "ring-0.17.14", "toml-1.1.8+spec-1.1.0", "c2pa_cbor-0.78.1", "ring-0.17.14"))
    library = tmp_path / "library.so"
    library.write_bytes(b"\x7fELF" + sources.encode() + bytes(9))
    assert stage.crates(library) == "c2pa_cbor-0.78.1\nring-0.17.14\ntoml-1.1.8+spec-1.1.0\n"
