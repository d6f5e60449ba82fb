"""Tests of the files of the browser client as served: bundles, caching, compression, and the files that browsers and robots ask for."""

import gzip
import json
import re
import subprocess

import pytest

from support.replies import expect
from support.serving import serving

HTML = {"Accept": "text/html,application/xhtml+xml,*/*;q=0.8"}
GZIP = {"Accept-Encoding": "gzip, deflate, br"}


def links(page):
    return re.findall(r'(?:href|src)="(/assets/bundles/[^"]+)"', page)


def test_pages_name_files_that_never_change(server):
    page = expect(server.request("GET", "/check", headers={"Accept-Language": "de-AT,en;q=0.5"}), 200)
    assert page.headers["cache-control"] == "no-cache" and "Accept-Language" in page.headers["vary"], page.headers
    found = links(page.body.decode())
    kinds = {address.rsplit(".", 1)[1] for address in found}
    assert kinds == {"js", "css", "json"} and any(".de." in address for address in found), found
    for address in found:
        reply = expect(server.request("GET", address), 200)
        assert "immutable" in reply.headers["cache-control"], (address, reply.headers)
        again = server.request("GET", address, headers={"If-None-Match": reply.headers["etag"]})
        assert again.status == 304 and again.body == b"", address
        # A page of another version of the server still gets a file that works, but does not keep it.
        other = re.sub(r"\.[0-9a-f]{16}\.", ".0123456789abcdef.", address)
        current = expect(server.request("GET", other), 200)
        assert current.body == reply.body and current.headers["cache-control"] == "no-cache", (other, current.headers)
    again = server.request("GET", "/check", headers={"If-None-Match": page.headers["etag"], "Accept-Language": "de"})
    assert again.status == 304, again


def test_texts_are_those_of_the_page_and_the_language(server):
    whole = expect(server.request("GET", "/assets/texts/de.json"), 200).json
    for page, own, foreign in (("check", "welcome.title", "scan.tab.all"), ("scans", "scan.tab.all", "welcome.title"),
                               ("liveness", "welcome.title", "scan.tab.all")):
        part = expect(server.request("GET", f"/assets/bundles/{page}.de.json"), 200).json
        assert part.items() <= whole.items() and own in part and foreign not in part, page
        assert len(part) < len(whole) / 2, (page, len(part))
    for wrong in ("check.xx.json", "check.de.html", "nothing.js", "../check.js", "check.json", "check.a.b.c.d.js"):
        assert server.request("GET", f"/assets/bundles/{wrong}").status in (400, 404), wrong


def test_text_is_compressed_for_clients_that_accept_it(server):
    page = server.request("GET", "/").body.decode()
    for path in ("/", "/openapi.json", "/liveness.js", "/assets/style/base.css", "/assets/three/three.module.js", *links(page)):
        plain = expect(server.request("GET", path), 200)
        assert "content-encoding" not in plain.headers and "Accept-Encoding" in plain.headers["vary"], (path, plain.headers)
        for _ in range(2):
            packed = expect(server.request("GET", path, headers=GZIP), 200)
            assert packed.headers["content-encoding"] == "gzip" and int(packed.headers["content-length"]) == len(packed.body), path
            assert gzip.decompress(packed.body) == plain.body and len(packed.body) < len(plain.body) * 0.6, path
        refused = server.request("GET", path, headers={"Accept-Encoding": "gzip;q=0, identity"})
        assert refused.body == plain.body, path
        unchanged = server.request("GET", path, headers={**GZIP, "If-None-Match": packed.headers["etag"]})
        assert unchanged.status == 304 and unchanged.body == b"", (path, unchanged)
    part = server.request("GET", "/openapi.json", headers={**GZIP, "Range": "bytes=0-9"})
    assert part.status == 206 and len(part.body) == 10 and "content-encoding" not in part.headers, part.headers
    assert "content-encoding" not in server.request("GET", "/assets/avatars/bear.png", headers=GZIP).headers
    for _ in range(8):
        server.create(reference="x" * 100)
    listed = server.request("GET", "/v1/checks?limit=8", headers=GZIP, token=server.key)
    assert listed.headers["content-encoding"] == "gzip" and len(json.loads(gzip.decompress(listed.body))["checks"]) == 8
    # Secrets are not compressed together with text of the client's choice.
    made = server.request("POST", "/v1/checks", {"reference": "y" * 100},
                          headers=GZIP, token=server.key)
    assert made.status == 201 and "content-encoding" not in made.headers


def test_element_is_one_file_with_its_style_sheets(server):
    code = expect(server.request("GET", "/liveness.js"), 200)
    text = code.body.decode()
    assert code.headers["access-control-allow-origin"] == "*" and "style/element.css" in text
    assert not re.findall(r"^import ", text, re.M) and re.search(r"^export \{ MienLiveness \};", text, re.M)
    # The modules themselves are still there, for those who read or test them.
    assert "import " in expect(server.request("GET", "/assets/element/mien-liveness.js"), 200).body.decode()
    assert '/assets/check/main.js"' in expect(server.request("GET", "/check.html"), 200).body.decode()


def test_browsers_and_robots_find_their_files(server):
    icon = expect(server.request("GET", "/favicon.ico"), 200)
    assert icon.body[:6] == b"\0\0\1\0\3\0" and icon.headers["content-type"] in ("image/x-icon", "image/vnd.microsoft.icon"), icon.headers
    robots = expect(server.request("GET", "/robots.txt"), 200)
    assert robots.headers["content-type"].startswith("text/plain") and "Disallow: /" in robots.body.decode()
    manifest = expect(server.request("GET", "/manifest.webmanifest"), 200)
    assert manifest.headers["content-type"].startswith("application/manifest+json"), manifest.headers
    for entry in manifest.json["icons"]:
        assert expect(server.request("GET", entry["src"]), 200).headers["content-type"].startswith(entry["type"]), entry
    for entry in manifest.json["shortcuts"]:
        expect(server.request("GET", entry["url"]), 200)


def test_security_contact_is_published_if_there_is_one(server):
    expect(server.request("GET", "/.well-known/security.txt"), 404, "not-found")
    with serving(server, "--security-contact", "mailto:security@shop.example") as named:
        reply = expect(named.request("GET", "/.well-known/security.txt"), 200)
        text = reply.body.decode()
        assert re.fullmatch(r"Contact: mailto:security@shop\.example\nExpires: 20\d\d-[\dT:.Z-]+\n", text), text


def test_apps_that_open_links_are_published_if_there_are_some(server):
    for name in ("apple-app-site-association", "assetlinks.json"):
        expect(server.request("GET", f"/.well-known/{name}"), 404, "not-found")
    prints = [":".join([f"{byte:02X}"] * 32) for byte in (1, 0xAB)]
    with serving(server, "--app-link", "TEAMID1234.org.mien.app", "--app-link", "TEAMID1234.com.shop",
                 "--android-app-link", f"com.shop={prints[0]}", "--android-app-link", f"com.shop={prints[1].lower()}") as named:
        reply = expect(named.request("GET", "/.well-known/apple-app-site-association"), 200)
        assert reply.headers["content-type"] == "application/json", reply.headers
        [detail] = reply.json["applinks"]["details"]
        assert detail["appIDs"] == ["TEAMID1234.org.mien.app", "TEAMID1234.com.shop"]
        # Pages without a task stay in the browser; every page that is named exists.
        assert all(component["#"] == "?*" for component in detail["components"]), detail
        for component in detail["components"]:
            expect(named.request("GET", component["/"]), 200)
        assert expect(named.request("GET", "/.well-known/assetlinks.json"), 200).json == [
            {"relation": ["delegate_permission/common.handle_all_urls"],
             "target": {"namespace": "android_app", "package_name": "com.shop", "sha256_cert_fingerprints": prints}}]


@pytest.mark.parametrize("option, value", [
    ("--app-link", "org.mien.app"), ("--app-link", "TEAMID1234."), ("--app-link", "TEAMID1234.a b"),
    ("--android-app-link", "com.shop"), ("--android-app-link", "com.shop=14:6D"), ("--android-app-link", "=" + ":".join(["AA"] * 32)),
    ("--android-app-link", "com.shop=" + ":".join(["+A"] * 32))])
def test_apps_of_another_form_stop_the_start(server, option, value):
    ended = subprocess.run([server.binary, "serve", option, value], capture_output=True, text=True, timeout=60)
    assert ended.returncode != 0 and option in ended.stderr, ended


def test_people_get_a_page_and_programs_problem_details(server):
    page = server.request("GET", "/nowhere", headers=HTML)
    assert page.status == 404 and page.headers["content-type"].startswith("text/html") and links(page.body.decode()), page.headers
    assert "default-src 'none'" in page.headers["content-security-policy"]
    for path, headers in (("/nowhere", {}), ("/nowhere", {"Accept": "*/*"}), ("/v1/nowhere", HTML), ("/assets/nowhere.js", HTML)):
        expect(server.request("GET", path, headers=headers), 404, "not-found")
    expect(server.request("DELETE", "/nowhere", headers=HTML), 404, "not-found")
