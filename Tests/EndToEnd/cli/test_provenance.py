"""Tests of `mien provenance`, compared with two other verifiers of content credentials."""

import json
import os

import pytest

from cli.commands import WORK, folder, mien
from support import credentials as c
from support.listener import listener

STUDIO, OTHER = c.signer("Studio"), c.signer("Somebody Else")


def read(files, *trust):
    """Returns the provenance of each file, by its name; `files` are names with contents."""
    place = folder("credentials")
    (place / "trust.pem").write_text("".join(trust))
    for name, data in files.items():
        (place / name).write_bytes(data)
    options = ["--trust", place / "trust.pem"] if trust else []
    lines = mien("provenance", "--json", *options, *(place / name for name in files)).stdout.splitlines()
    replies = [json.loads(line) for line in lines]
    assert [reply["path"] for reply in replies] == [str(place / name) for name in files]
    return {name: reply["provenance"] for name, reply in zip(files, replies)}


def generated():
    """Returns files of every kind: signed, edited, with several segments, and each changed in many ways."""
    files, signed = {}, {}
    for kind in c.KINDS:
        files[f"plain.{kind}"] = c.image(kind)
        signed[f"good.{kind}"] = c.sign(c.image(kind), kind, STUDIO)
        signed[f"edited.{kind}"] = c.sign(signed[f"good.{kind}"], kind, STUDIO, edit=True)
        signed[f"foreign.{kind}"] = c.sign(c.image(kind), kind, OTHER)
        changed = c.flipped(signed[f"good.{kind}"], [len(signed[f"good.{kind}"]) - 3])[0]
        signed[f"edited-after-change.{kind}"] = c.sign(changed, kind, STUDIO, edit=True)
    for algorithm in c.KEYS:
        signed[f"{algorithm}.jpg"] = c.sign(c.image("jpg"), "jpg", c.signer(f"Studio {algorithm}", algorithm))
    signed["thumbnail.jpg"] = c.sign(c.image("jpg"), "jpg", STUDIO, thumbnail=True)
    long = c.definition()
    long["assertions"].append({"label": "org.example.note", "data": {"note": "x" * 90_000}})
    signed["segments.jpg"] = c.sign(c.image("jpg"), "jpg", STUDIO, manifest=long)
    files |= signed
    for number, data in enumerate(c.apart(signed["segments.jpg"])):
        files[f"apart-{number}.jpg"] = data
    for name, count in (("good.jpg", 120), ("good.png", 90), ("good.webp", 60), ("good.gif", 60), ("edited.jpg", 90), ("segments.jpg", 40)):
        stem, _, kind = name.partition(".")
        data = signed[name]
        for number, changed in enumerate(c.flipped(data, c.spread(data, count))):
            files[f"{stem}-flipped-{number}.{kind}"] = changed
        for number, place in enumerate(c.spread(data, 14, start=1)):
            files[f"{stem}-cut-{number}.{kind}"] = data[:place]
            files[f"{stem}-longer-{number}.{kind}"] = data[:place] + b"\0" + data[place:]
    files["good-followed.jpg"] = signed["good.jpg"] + b"trailing"
    files["twice.jpg"] = signed["good.jpg"][:2] + signed["foreign.jpg"][2:c.segments(signed["foreign.jpg"])[1][2]] + signed["good.jpg"][2:]
    files["remote.jpg"] = c.sign(c.image("jpg"), "jpg", STUDIO, remote="http://127.0.0.1:9/x.c2pa", embedded=False)
    files["remote-and-embedded.jpg"] = c.sign(c.image("jpg"), "jpg", STUDIO, remote="http://127.0.0.1:9/x.c2pa")
    files |= {f"excluded-{number}.jpg": data for number, data in enumerate(c.excluding(STUDIO))}
    return files


def original(name):
    """Returns the name of the file that a variant was made of."""
    stem, _, kind = name.partition(".")
    return f"{stem.partition('-flipped-')[0]}.{kind}"


def reason(name, reference, second, replies):
    """Returns the reason why the second verifier has another result than the reference; `None` if none is known.

    It never has a better one: what it takes for valid, the reference does as well.
    """
    if reference == "Trusted" and second in ("Invalid", "None") and "-flipped-" in name:
        # Labels and sizes of the outer boxes are covered by no hash, and the reference does not compare them. What was signed
        # is read as it was.
        unchanged = replies[name] == replies[original(name)]
        return "a label or size outside everything signed was changed, which the reference overlooks" if unchanged else None
    if second == "Error":
        return "the second rejects a file whose structure is damaged" if reference in ("Invalid", "unreadable", "none") else None
    if reference == "unreadable" and second in ("Invalid", "None"):
        return "the reference gives up on a store whose outer boxes are damaged"
    if reference == "Invalid" and second == "None":
        return "the second does not find a store whose segments are apart"
    if reference == "elsewhere" and second == "Invalid":
        return "the second reports a manifest that was not fetched as a failure"
    return None


def test_agrees_with_two_other_verifiers_on_generated_files():
    files = generated()
    assert len(files) >= 500, len(files)
    replies = read(files, STUDIO.root)
    differences, unexplained, agreed = [], [], 0
    for name, data in files.items():
        kind = name.rpartition(".")[2]
        reference, mine = c.reference(data, kind, STUDIO.root), c.ours(replies[name])
        if replies[name].get("reason") == "unsupported":
            # The first bytes are those of no image, so that the file was not passed to the library.
            assert reference[0] in ("none", "unreadable"), (name, reference)
            continue
        if mine == ("none",) and reference == ("unreadable",) and b"jumb" not in data and b"c2pa" not in data:
            # Nothing of the credential is left in the file, so that it was not passed to the library either.
            continue
        if mine != reference:
            differences.append((name, mine, reference))
        second = c.second(data, kind, STUDIO.root).partition(":")[0]
        if second == {"none": "None"}.get(reference[0], reference[0]):
            agreed += 1
        elif not reason(name, reference[0], second, replies):
            unexplained.append((name, reference[0], second))
    assert differences == [], (len(differences), differences[:5])
    assert unexplained == [], (len(unexplained), unexplained[:20])
    assert agreed >= 400, agreed


def test_states_who_signed_what_and_what_changed():
    good = c.sign(c.image("jpg"), "jpg", STUDIO)
    statement = good.index(b"digitalCapture")
    store = next((start, end) for marker, start, end in c.segments(good) if marker == 0xEB)
    image = c.flipped(good, [len(good) - 9])[0]
    files = {
        "good.jpg": good, "image.jpg": image, "statement.jpg": c.flipped(good, [statement])[0],
        "edited.jpg": c.sign(good, "jpg", STUDIO, edit=True), "laundered.jpg": c.sign(image, "jpg", STUDIO, edit=True),
        "plain.jpg": c.image("jpg"), "broken.jpg": good[:store[0] + 40] + b"\xff" * 60 + good[store[0] + 100:], "text.jpg": b"no image",
    }
    found = read(files, STUDIO.root)
    one = found["good.jpg"]["credential"]
    assert one["trust"] == "trusted" and one["changed"] == [] and "signed_at" not in one, one
    assert one["signer"]["common_name"] == "Studio" and one["signer"]["issuer"] == "Studio Ltd", one["signer"]
    assert one["generators"][0]["name"] == "Test Camera" and one["title"] == "sample"
    assert one["actions"] == [{
        "name": "c2pa.created", "software": {"name": "Test Camera", "version": "1.2"}, "source_type": "digitalCapture"}]
    assert found["image.jpg"]["credential"]["trust"] == "invalid"
    assert found["image.jpg"]["credential"]["changed"] == [{"part": "content"}]
    assert found["statement.jpg"]["credential"]["changed"] == [{"part": "statement", "statement": "c2pa.actions.v2"}]
    parent, = found["edited.jpg"]["credential"]["ingredients"]
    assert parent["relationship"] == "parentOf" and parent["signer"]["common_name"] == "Studio" and parent["changed"] == [], parent
    parent, = found["laundered.jpg"]["credential"]["ingredients"]
    assert found["laundered.jpg"]["credential"]["trust"] == "trusted" and parent["changed"] == [{"part": "content"}], (
        "signing a changed file again hides nothing")
    assert found["plain.jpg"] == {"status": "none"} and found["broken.jpg"]["status"] == "unreadable", found["broken.jpg"]
    assert found["text.jpg"] == {"status": "not-assessed", "reason": "unsupported"}
    for trust in ([], [OTHER.root]):
        assert read({"good.jpg": good}, *trust)["good.jpg"]["credential"]["trust"] == "untrusted", "only named issuers are trusted"
    text = mien("provenance", "--trust", WORK / "credentials/trust.pem", WORK / "credentials/image.jpg").stdout
    assert "in the name of Studio" in text and "changed since it was signed: the image" in text and "genuine" not in text, text


def test_certificates_that_have_expired_are_told_apart_from_changes():
    made = c.expired()
    if made is None:
        pytest.skip("libfaketime is not installed")
    data, root = made
    found = read({"old.jpg": data, "old-changed.jpg": c.flipped(data, [len(data) - 9])[0]}, root)
    assert found["old.jpg"]["credential"]["trust"] == "expired" and found["old.jpg"]["credential"]["changed"] == []
    assert found["old-changed.jpg"]["credential"]["trust"] == "invalid", "what was changed is no longer only expired"
    assert c.ours(found["old.jpg"]) == c.reference(data, "jpg", root)
    # The second verifier takes an expired certificate for an unknown one.
    assert c.second(data, "jpg", root) == "Valid"


def test_verification_uses_no_network():
    """Neither a manifest elsewhere, nor the revocation list or OCSP responder of a certificate, is fetched."""
    with listener() as (port, seen):
        address = f"http://127.0.0.1:{port}/manifest.c2pa"
        away = c.sign(c.image("jpg"), "jpg", STUDIO, remote=address, embedded=False)
        asked = c.signer("Asking Studio", services=f"http://127.0.0.1:{port}/")
        found = read({
            "remote.jpg": away, "both.jpg": c.sign(c.image("jpg"), "jpg", STUDIO, remote=address),
            "asking.jpg": c.sign(c.image("jpg"), "jpg", asked)}, STUDIO.root, asked.root)
        assert found["remote.jpg"] == {"status": "elsewhere", "address": address}
        assert found["both.jpg"]["credential"]["trust"] == found["asking.jpg"]["credential"]["trust"] == "trusted"
        assert seen == [], seen
        # The listener would have noticed: the same library fetches when it is allowed to.
        with pytest.raises(c.c2pa.C2paError):
            c.c2pa.Reader("image/jpeg", c.io.BytesIO(away), context=c.c2pa.Context(c.c2pa.Settings.from_dict({
                "verify": {"remote_manifest_fetch": True}})))
        assert len(seen) == 1, seen


def test_without_the_library_provenance_is_not_available():
    place = folder("no-library")
    (place / "good.jpg").write_bytes(c.sign(c.image("jpg"), "jpg", STUDIO))
    run = mien("provenance", "--json", place / "good.jpg", env={**os.environ, "MIEN_PARTS": str(place)})
    assert json.loads(run.stdout)["provenance"] == {"status": "not-available"} and "install-provenance" in run.stderr, run
    (place / "no.pem").write_text("no certificate")
    assert "no certificate" in mien("provenance", "--trust", place / "no.pem", place / "good.jpg", expect=2).stderr
    mien("provenance", "--trust", place / "missing.pem", place / "good.jpg", expect=2)
    mien("provenance", place / "missing.jpg", expect=2)
    mien("provenance", expect=64)


def test_texts_of_a_file_do_not_reach_the_terminal_unfiltered():
    definition = c.definition([{"action": "c2pa.created", "digitalSourceType": c.CAMERA, "description": "\x1b[2Jgone \u202egone"}])
    definition["title"] = "\x1b]0;title\x07" + "x" * 5000
    place = folder("terminal")
    (place / "a.jpg").write_bytes(c.sign(c.image("jpg"), "jpg", STUDIO, manifest=definition))
    shown = mien("provenance", place / "a.jpg").stdout
    assert "\x1b" not in shown and "\u202e" not in shown and "gone" in shown, shown
    reply = json.loads(mien("provenance", "--json", place / "a.jpg").stdout)
    assert len(reply["provenance"]["credential"]["title"]) <= 400
