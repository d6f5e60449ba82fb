"""Tests of the package of `<mien-liveness>`: its bundle in another site's page, its types, and the script for web views."""

from __future__ import annotations

import base64
import gzip
import hashlib
import json
import re
import subprocess
import sys
import urllib.request

import pytest

from browser.environment import PHONE, BrowserEnvironment, ending, equal, true, until
from browser.liveness_element import IN_SHADOW, TEXTS, await_ending, received_events, shown, visit
from browser.scripted_steps import ScriptedSteps
from support.program import ROOT

PACKAGE = ROOT / "Clients/element"
FAILED = {"state": "failed", "instruction": "done", "side": None, "progress": 0, "hints": [], "reason": "wrong-direction",
          "remaining_ms": 0, "outline": []}


class Bundle:
    def __init__(self, folder):
        built = subprocess.run([sys.executable, str(PACKAGE / "build"), str(folder)], capture_output=True, text=True, timeout=60)
        assert built.returncode == 0, built.stderr
        self.integrity, self.content = built.stdout.strip(), (folder / "mien-liveness.js").read_bytes()


@pytest.fixture(scope="module")
def bundle(tmp_path_factory):
    return Bundle(tmp_path_factory.mktemp("bundle"))


def embed(env: BrowserEnvironment, bundle: Bundle) -> str:
    """Serves the bundle from the other site; returns the attributes of its script."""
    env.site.files["/mien-liveness.js"] = ("text/javascript", bundle.content)
    return f'src="/mien-liveness.js" integrity="{bundle.integrity}" crossorigin'


def test_bundle_has_its_integrity_hash_and_is_reproducible(bundle: Bundle, tmp_path) -> None:
    equal(bundle.integrity, "sha384-" + base64.b64encode(hashlib.sha384(bundle.content).digest()).decode(), "hash")
    equal(Bundle(tmp_path).content, bundle.content, "the bytes of a second build")
    true((tmp_path / "LICENSE").read_bytes() == (ROOT / "LICENSE").read_bytes(), "the license is beside the bundle")
    equal((tmp_path / "integrity.txt").read_text().strip(), bundle.integrity, "integrity.txt")
    manifest = json.loads((PACKAGE / "package.json").read_text())
    equal(manifest["version"], json.loads((ROOT / "Web/openapi.json").read_text())["info"]["version"], "version")
    files = {manifest["types"], manifest["exports"]["."]["types"], *manifest["files"]} - {"dist"}
    true(all((PACKAGE / file).exists() for file in files), f"files of the package: {files}")
    true(len(bundle.content) < 200_000, f"{len(bundle.content)} bytes")
    true(len(gzip.compress(bundle.content, 9)) < 60_000, "its size as a server sends it")


def test_head_turn_passes_with_the_bundle_of_another_origin(env: BrowserEnvironment, bundle: Bundle) -> None:
    """The page loads one file from its own origin, with its hash; in English, only the requests of the check go to the server."""
    check = env.server.create("turn-right")
    with env.page(env.browser(env.footage.turn_right())) as page:
        requested = []
        page.on("request", lambda request: requested.append(request.url))
        visit(env, page, f'session-id="{check["id"]}" session-token="{check["token"]}" server="{env.server.url}"',
              script=embed(env, bundle))
        env.shoot(page, "element-bundle-welcome")
        page.click("#begin")
        until(page, f"{IN_SHADOW % 'drawing'}.querySelector('.arrow').style.visibility === 'visible'", 90)
        env.shoot(page, "element-bundle-asking")
        equal(await_ending(page), TEXTS["en"]["passed.title"], "heading")
        until(page, "heard.some((event) => event.name === 'success')")
        equal(received_events(page, "success")[0]["sessionId"], check["id"], "session")
        equal(env.server.result(check["id"])["state"], "passed", "the server's own result")
        foreign = {url for url in requested if not url.startswith(env.site.url) and "/v1/checks/" not in url and ":" in url[:6]}
        equal({url for url in foreign if url.startswith("http")}, set(), "requests that are not of the check")


def test_bundle_loads_other_languages_when_they_are_needed(env: BrowserEnvironment, bundle: Bundle) -> None:
    """English is in the bundle; another language comes from the server of the check, once, and the check goes on without it."""
    with env.page(env.browser(env.footage.two_halves()), size=PHONE) as page:
        script = ScriptedSteps(page, {**FAILED})
        requested = []
        page.on("request", lambda request: requested.append(request.url) if ".json" in request.url else None)
        visit(env, page, f'session-id="chk_scripted" session-token="scripted" server="{env.server.url}"', script=embed(env, bundle))
        until(page, f"{IN_SHADOW % 'begin'}.textContent === {TEXTS['en']['welcome.begin']!r}")
        equal(requested, [], "requests for texts in English")
        page.route("**/liveness.fr.json", lambda route: route.abort())
        page.evaluate("() => { check.language = 'fr'; }")
        page.wait_for_timeout(300)
        equal(shown(page, "begin"), TEXTS["en"]["welcome.begin"], "a language that does not load")
        # The element reports the failure, as it should.
        env.errors.clear()
        page.unroute("**/liveness.fr.json")
        requested.clear()
        for code in ("de", "ar", "he", "en"):
            page.evaluate("(code) => { check.language = code; }", code)
            until(page, f"{IN_SHADOW % 'begin'}.textContent === {TEXTS[code]['welcome.begin']!r}")
        equal(requested, [f"{env.server.url}/assets/bundles/liveness.{code}.json" for code in ("de", "ar", "he")], "files of texts")
        page.click("#begin")
        equal(await_ending(page), TEXTS["en"]["reason.wrong-direction.title"], "heading")
        true(script.seen > 0 and shown(page, "ending-title") != "reason.wrong-direction.title", "a text, not its key")
    contents = json.loads(re.search(r"const contents = (\{.*?\n\});", bundle.content.decode(), re.S)[1])
    equal([path for path in contents if path.endswith(".json")], ["bundles/liveness.en.json"], "texts in the bundle")
    server = {code: json.loads(urllib.request.urlopen(f"{env.server.url}/assets/bundles/liveness.{code}.json", timeout=60).read())
              for code in TEXTS}
    texts = server | {"en": json.loads(contents["bundles/liveness.en.json"])}
    equal(texts["en"], server["en"], "the English texts of the bundle and of the server")
    for prefix in ("welcome", "instruction", "hint", "reason", "trouble", "problem", "passed", "task", "able", "element", "cover", "toward",
                   "count", "permission", "answer", "light"):
        for code in TEXTS:
            missing = [key for key in TEXTS[code] if key.startswith(prefix + ".") and key not in texts[code]]
            equal(missing, [], f"texts of {prefix} in {code}")
    true(len(texts["en"]) < len(TEXTS["en"]) / 2, "the texts of other pages are left out")


def test_changed_bundle_is_not_run(env: BrowserEnvironment, bundle: Bundle) -> None:
    with env.page(env.browser()) as page:
        script = embed(env, bundle)
        env.site.files["/mien-liveness.js"] = ("text/javascript", bundle.content + b"\n")
        blocked = []
        page.on("console", lambda message: blocked.append(message.text))
        page.goto(env.site.show("", script=script))
        page.wait_for_timeout(500)
        true(not page.evaluate("Boolean(customElements.get('mien-liveness'))"), "the element is not defined")
        true(any("integrity" in text for text in blocked), f"the browser says why: {blocked}")


def members(text: str, head: str) -> set[str]:
    """Returns the names of the members of a class or interface in the declarations."""
    body = re.search(rf"^export (?:class|interface) {head}\b[^{{]*\{{\n(.*?)^\}}", text, re.M | re.S)[1]
    return set(re.findall(r'^  (?:readonly |static |get |set )?"?([\w-]+)"?\??(?:\(|:|<)', body, re.M))


def test_types_match_the_element(env: BrowserEnvironment, bundle: Bundle) -> None:
    """Members, attributes, events and error keys of the declarations are those of the element's source."""
    text = (PACKAGE / "index.d.ts").read_text()
    source = "\n".join(path.read_text() for path in sorted((ROOT / "Web/assets/element").glob("*.js")))
    with env.page(env.browser()) as page:
        page.goto(env.site.show("", script=embed(env, bundle)))
        until(page, "customElements.get('mien-liveness') !== undefined")
        real = page.evaluate("""() => {
          const element = customElements.get("mien-liveness");
          return { members: Object.getOwnPropertyNames(element.prototype), attributes: element.observedAttributes };
        }""")
        user, branding = page.evaluate("() => { const { user, branding } = document.getElementById('check'); "
                                       "return [user, branding].map((given) => Object.keys(given)); }")
    declared = members(text, "MienLiveness") - {"addEventListener", "removeEventListener", "observedAttributes"}
    equal(declared, set(real["members"]) - {"constructor"}, "members")
    attributes = set(re.findall(r'(?:this|element)\.(?:get|set|toggle)Attribute\("([\w-]+)"', source)) | set(real["attributes"])
    attributes |= set(re.findall(r'(?:readFlag|readJSON)\((?:this|element), "([\w-]+)"\)', source))
    attributes |= set(re.findall(r'\b(?:text|flag)\("([a-z]+-[\w-]+)"\)', source))
    attributes.discard("aria-label")  # of the panel inside
    equal(members(text, "MienLivenessAttributes"), attributes, "attributes")
    events = set(re.findall(r'#tell\("(\w+)"', source)) | set(re.findall(r'\? "(\w+)" : "(\w+)", detail', source)[0])
    equal(members(text, "MienLivenessEventMap"), events, "events")
    keys = set(re.findall(r': "(\w+)",$', re.search(r"const keys = \{(.*?)\};", source, re.S)[1], re.M))
    keys |= set(re.findall(r'\?\? "(\w+)"', re.search(r"function errorKey.*?\n\}", source, re.S)[0]))
    equal(set(re.findall(r'"(\w+)"', re.search(r"type ErrorKey =(.*?);", text, re.S)[1])), keys, "error keys")
    kinds = json.loads(re.search(r"const kinds = (\[.*?\]);", source)[1])
    equal(set(re.findall(r'"([\w-]+)"', re.search(r"type TaskKind =(.*?);", text, re.S)[1])), set(kinds), "kinds of tasks")
    equal(members(text, "User"), set(user), "members of user")
    equal(members(text, "Branding"), set(branding), "members of branding")
    progress = re.search(r"return \{ (state, instruction[^}]*) \}", source)[1].split(", ")
    equal(members(text, "Progress"), set(progress), "members of progress")
    outcome = re.search(r"const detail = \{(.*?)\};", source, re.S)[1]
    equal(members(text, "Outcome"), set(re.findall(r"^    (\w+)", outcome, re.M)), "members of an outcome")


def test_script_for_web_views_reports_the_end_of_a_check(env: BrowserEnvironment) -> None:
    """The first script of the guide tells each platform once; its last one does the same for a page with the element."""
    guide = (ROOT / "Documentation/guides/WebView.md").read_text()
    script, forward = re.findall(r"^```js\n(.*?)^```", guide, re.M | re.S)
    bridge = "{ postMessage: (text) => { globalThis.told = [...(globalThis.told ?? []), text]; } }"
    for name in ("webkit", "mien", "ReactNativeWebView"):
        app = f"{{ messageHandlers: {{ mien: {bridge} }} }}" if name == "webkit" else bridge
        # Flutter offers its channel under both names on iOS.
        offered = f"globalThis.{name} = {app}; " + (f"globalThis.mien = {bridge}; " if name == "webkit" else "")
        for element in (False, True) if name == "mien" else (False,):
            with env.page(env.browser(env.footage.two_halves()), size=PHONE) as page:
                ScriptedSteps(page, FAILED)
                page.add_init_script(offered + script)
                if element:
                    visit(env, page, 'session-id="chk_scripted" session-token="scripted"')
                    page.evaluate(f"() => {{ {forward} }}")
                else:
                    page.goto(f"{env.server.url}/check#id=chk_scripted&token=scripted")
                page.click("#begin")
                await_ending(page) if element else ending(page)
                until(page, "globalThis.told !== undefined")
                announced = page.evaluate("told")
                equal([json.loads(text) for text in announced],
                      [{"id": "chk_scripted", "state": "failed", "reason": "wrong-direction"}], name)
