#!/usr/bin/env python3
"""Checks the Apple code without an Apple compiler: MienApple and the app type-check against stubs of Apple's frameworks
(Tests/AppleStubs) in Swift 6 mode, the stubs declare only what Tests/AppleStubs/Symbols.csv lists with its source and its iOS version,
and every accessibility identifier and text of the views is valid.

Needs the modules of a build: `swift build --build-tests`, or that of ./test with MIEN_TEST_BUILD=quick. Prints one line per
check, and counts at the end.
"""

import concurrent.futures
import csv
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parent.parent
STUBS = ROOT / "Tests/AppleStubs"
KIT = ROOT / "Sources/Client/MienApple"
APP = ROOT / "Apps/Mien"
EXAMPLES = ROOT / "Tests/AppleExamples"
SCRATCH = ROOT / ".build-apple"
BUILD = ROOT / (".build-test/debug" if os.environ.get("MIEN_TEST_BUILD") == "quick" else ".build/debug")
# The shared compiler flags in Package.swift.
FLAGS = ["-swift-version", "6", "-package-name", "mien", "-strict-memory-safety", "-warnings-as-errors"]
for feature in ["ExistentialAny", "InternalImportsByDefault", "MemberImportVisibility", "NonisolatedNonsendingByDefault",
                "InferIsolatedConformances"]:
    FLAGS += ["-enable-upcoming-feature", feature]
# C module behind swift-numerics, which the engine's modules import.
FLAGS += ["-Xcc", f"-fmodule-map-file={BUILD.parent}/checkouts/swift-numerics/Sources/_NumericsShims/include/module.modulemap"]
results = []


def report(name, wrong):
    results.append((name, wrong))
    print(("ok    " if not wrong else "FAIL  ") + name, flush=True)
    for line in wrong[:40]:
        print("        " + line)


def test(name):
    def run(check):
        report(name, check() or [])
        return check
    return run


def swiftc(*arguments):
    """Runs the compiler and returns its errors and warnings."""
    command = ["swiftc", *map(str, arguments)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    lines = [line for line in (done.stdout + done.stderr).splitlines() if ": error:" in line or ": warning:" in line]
    if done.returncode != 0 and not lines:
        lines = (done.stdout + done.stderr).splitlines()[-10:] or [f"swiftc ended with {done.returncode}"]
    return [line.replace(str(ROOT) + "/", "") for line in lines]


def swift_files(*folders):
    return [path for folder in folders for path in sorted(folder.rglob("*.swift"))]


def without_comments(text):
    return re.sub(r"//.*", "", re.sub(r"/\*(.|\n)*?\*/", "", text))


# MARK: - The compiler

def imports(path):
    return set(re.findall(r"^\s*(?:@_exported )?(?:public |internal )?import (\w+)", path.read_text(), re.M))


def build_stubs():
    """Builds every stub as a module, in the order of their imports."""
    shutil.rmtree(SCRATCH, ignore_errors=True)
    (SCRATCH / "symbols").mkdir(parents=True)
    waiting = {path.stem: imports(path) for path in sorted(STUBS.glob("*.swift"))}
    names = set(waiting)
    wrong, built = [], set()

    def build(name):
        return swiftc(
            "-emit-module", "-emit-symbol-graph", "-emit-symbol-graph-dir", SCRATCH / "symbols", "-parse-as-library",
            "-module-name", name, "-I", SCRATCH, "-swift-version", "6",
            "-enable-upcoming-feature", "InternalImportsByDefault",
            "-o", SCRATCH / f"{name}.swiftmodule", STUBS / f"{name}.swift")

    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        while waiting and not wrong:
            ready = [name for name, needs in waiting.items() if not (needs & names) - built]
            if not ready:
                return [f"stubs import each other in a circle: {sorted(waiting)}"]
            for name, lines in zip(ready, pool.map(build, ready)):
                wrong += lines
                built.add(name)
                del waiting[name]
    return wrong


def modules():
    return BUILD / "Modules"


def compile_kit():
    if not (modules() / "MienViewModels.swiftmodule").exists():
        return [f"{modules().relative_to(ROOT)} has no modules: build first"]
    # SwiftPM adds such a file to a target with resources.
    accessor = SCRATCH / "resource_bundle_accessor.swift"
    accessor.write_text("import class Foundation.Bundle\n\nextension Foundation.Bundle {\n  static let module = Bundle.main\n}\n")
    # Compiled to SIL, since only then is sendability across isolation checked.
    wrong = swiftc(
        "-emit-sil", "-o", "/dev/null", "-wmo", "-parse-as-library", "-module-name", "MienApple", "-I", SCRATCH, "-I",
        modules(), *FLAGS, *swift_files(KIT), accessor)
    if wrong:
        return wrong
    return swiftc(
        "-emit-module", "-parse-as-library", "-module-name", "MienApple", "-I", SCRATCH, "-I", modules(), *FLAGS,
        "-o", SCRATCH / "MienApple.swiftmodule", *swift_files(KIT), accessor)


def compile_app():
    files = swift_files(APP / "Sources")
    if not files:
        return ["the app has no files"]
    wrong = swiftc(
        "-emit-module", "-parse-as-library", "-module-name", "MienKit", "-I", SCRATCH, "-I", modules(), "-swift-version", "6",
        *FLAGS[FLAGS.index("-Xcc"):], "-o", SCRATCH / "MienKit.swiftmodule", *swift_files(APP / "Kit/Sources"))
    return wrong or swiftc(
        "-emit-sil", "-o", "/dev/null", "-wmo", "-parse-as-library", "-module-name", "MienApp", "-I", SCRATCH, "-I",
        modules(), *FLAGS, *files)


def compile_example(name, text, around=""):
    """Type-checks an app of the vendor's SDK as it is built: in Swift 5 mode. Linux has no Objective-C, hence no selectors."""
    text = re.sub(r"#selector\((?:\w+\.)*(\w+)\)", r'Selector("\1")', text.replace("@objc ", ""))
    file = SCRATCH / name
    file.write_text(text + around)
    return swiftc("-typecheck", "-swift-version", "5", "-parse-as-library", "-suppress-warnings", "-module-name", "VendorApp", "-I", SCRATCH,
                  "-I", modules(), *FLAGS[FLAGS.index("-Xcc"):], file)


def vendor_page():
    """The vendor's guide, if it is beside the project."""
    folders = [pathlib.Path(os.environ["MIEN_SHARED"])] if "MIEN_SHARED" in os.environ else [ROOT.parent / "shared"]
    return next((page for folder in folders for page in sorted((folder / "seeds").glob("003_*.txt"))), None)


# What the vendor's guide leaves to the reader.
AROUND_VENDOR = """
let publicMerchantID = "merchant", apiToken = "key"
final class ApiClient {
  static let shared = ApiClient()
  func generateSessionId(publicMerchantID: String, apiToken: String, completion: @escaping (Result<String, Error>) -> Void) {}
  func generateSessionToken(publicMerchantID: String, deviceCorrelationId: String, apiToken: String,
                            completion: @escaping (Result<String, Error>) -> Void) {}
}
"""


def compile_vendor_example():
    page = vendor_page()
    blocks = re.findall(r"```swift\n(.*?)```", page.read_text(), re.S)
    example = next(block for block in blocks if "class MainViewController" in block and "completeTheCircleTapped" in block)
    if example.count("import YouverifyLivenessSDK") != 1:
        return ["the example does not import the vendor's SDK once"]
    return compile_example(
        "VendorExample.swift", example.replace("import YouverifyLivenessSDK", "import MienApple"), AROUND_VENDOR)


report("the stubs of Apple's frameworks are modules", build_stubs())
report("MienApple type-checks on the stubs, with the package settings", compile_kit())
report("the app type-checks on the stubs and MienApple", compile_app())
for example in swift_files(EXAMPLES):
    report(f"{example.name} of the vendor's SDK type-checks with another import", compile_example(example.name, example.read_text()))
skipped = 0
if vendor_page():
    report("the vendor's full example type-checks with another import", compile_vendor_example())
else:
    skipped += 1
    print("SKIPPED the vendor's full example: shared/seeds not found", flush=True)

# MARK: - The stubs themselves


def swift_errors(file):
    """Compiles one file of Tests/AppleMistakes against the stubs, with the package's settings."""
    return swiftc("-emit-sil", "-o", "/dev/null", "-parse-as-library", "-module-name", "Mistake", "-I", SCRATCH, *FLAGS[:FLAGS.index("-Xcc")],
                  file)


@test("each of the mistakes is refused for its own reason, and their correct form is accepted")
def _():
    wrong, seen = [], 0
    for file in swift_files(ROOT / "Tests/AppleMistakes"):
        expected = re.search(r"^// expected: (.+)$", file.read_text(), re.M).group(1)
        found = swift_errors(file)
        seen += 1
        if expected == "no error":
            wrong += found
        elif not any(expected in line for line in found):
            wrong.append(f"{file.name}: no error with {expected!r}, but {found[:2]}")
    return wrong if seen >= 3 else [f"only {seen} files were found"]


def declared_symbols():
    """Returns the public symbols of the stubs as module and path. Members that the compiler makes are left out."""
    made = re.compile(
        r"^(hash\(into:\)|hashValue|==\(_:_:\)|!=\(_:_:\)|<\(_:_:\)|>\(_:_:\)|<=\(_:_:\)|>=\(_:_:\)|\.\.[.<]\(_:\)|\.\.[.<]\(_:_:\)"
        r"|body|Body|rawValue|RawValue|init\(rawValue:\)|ArrayLiteralElement|Element|ID|Context|Value|encode\(to:\)|init\(from:\))$")
    found = set()
    for graph in sorted((SCRATCH / "symbols").glob("*.symbols.json")):
        module = graph.name.removesuffix(".symbols.json").split("@")[0]
        # A graph also has the symbols of modules that the stub exports again: those have the mark of their own module.
        mark = f"{len(module)}{module}"
        for symbol in json.loads(graph.read_text())["symbols"]:
            path, name = symbol["pathComponents"], symbol["identifier"]["precise"]
            if not (name.startswith("s:" + mark) or mark + "E" in name) or "::SYNTHESIZED::" in name or made.match(path[-1]):
                continue
            found.add((module, ".".join(path)))
    return found


def known_symbols():
    with open(STUBS / "Symbols.csv", newline="") as file:
        return {(row["module"], row["symbol"]): row for row in csv.DictReader(file)}


@test("every symbol of the stubs is in the list, with its source and an iOS version up to 17")
def _():
    declared, known = declared_symbols(), known_symbols()
    wrong = [f"{module}: {symbol} is not in Symbols.csv" for module, symbol in sorted(declared - set(known))]
    wrong += [f"{module}: {symbol} is in Symbols.csv and in no stub" for module, symbol in sorted(set(known) - declared)]
    for (module, symbol), row in sorted(known.items()):
        if row["compared"] not in ("declaration", "name", "own"):
            wrong.append(f"{symbol}: compared by {row['compared']!r}")
        if (row["compared"] == "declaration") != bool(row["seen"]):
            wrong.append(f"{symbol}: compared by {row['compared']}, seen in {row['seen']!r}")
        if row["compared"] == "own":
            continue
        if not row["ios"].replace(".", "").isdigit() or float(row["ios"]) > 17:
            wrong.append(f"{symbol}: iOS {row['ios']}")
        if row["deprecated"] and float(row["deprecated"]) <= 17:
            wrong.append(f"{symbol}: deprecated in iOS {row['deprecated']}")
        if not row["source"].startswith("https://developer.apple.com/documentation/"):
            wrong.append(f"{symbol}: no source")
    return wrong if len(declared) > 300 else [f"only {len(declared)} symbols were found"]


# MARK: - Availability


# APIs newer than iOS 17 or unavailable on it, the reason, and a line that the pattern must match.
NEWER = [
    (r"\bMutex\b|\bimport Synchronization\b|\bAtomic<", "iOS 18: NSLock, or an actor", "let lock = Mutex(0)"),
    (r"\bInlineArray\b|\bUTF8Span\b|\bObservations\b", "iOS 26", "var a: InlineArray<3, Int>"),
    (r"\bTab\(|\bTabSection\b|\.sidebarAdaptable\b", "iOS 18: tabItem", 'Tab("Home", systemImage: "x") {'),
    (r"\bMeshGradient\b|\bTextRenderer\b|@Entry\b|@Previewable\b", "iOS 18", "@Entry var pen = Pen()"),
    (r"\bnavigationTransition\b|\bmatchedTransitionSource\b|\bonScroll(Geometry|Visibility|Phase)\w*", "iOS 18",
     ".onScrollGeometryChange(for: Int.self)"),
    (r"\bpresentationSizing\b|\bScrollPosition\b|\bsymbolColorRenderingMode\b", "iOS 18 or 26", "var p = ScrollPosition()"),
    (r"\bglassEffect\b|\bGlassEffectContainer\b|\.glass\b|\.glassProminent\b|\bWebView\(|\bsafeAreaBar\b", "iOS 26",
     ".buttonStyle(.glass)"),
    (r"\bCMReadySampleBuffer\b|\bCVReadOnlyPixelBuffer\b|\bCVMutablePixelBuffer\b", "iOS 26", "let b: CVReadOnlyPixelBuffer"),
    (r"(?<!VN)\bDetectFaceRectanglesRequest\b|(?<!VN)\bImageRequestHandler\b", "iOS 18: the requests that begin with VN",
     "let r = DetectFaceRectanglesRequest()"),
    (r"\bAVCaptureSpatial\w*|\bAVCaptureControl\b|\bAVCapture\w*Slider\b|\bcinematicVideo\w+", "iOS 18 or 26",
     "let s = AVCaptureSystemZoomSlider(device: d)"),
    (r"\bTask\.immediate\b|\bTask\(name:|\bSendableMetatype\b", "of a runtime that came with iOS 26", "Task.immediate { }"),
    (r"\bControlWidget\b|\bBGContinuedProcessingTask\w*", "iOS 18 or 26", "BGContinuedProcessingTaskRequest()"),
    (r"\bUIUpdateLink\b|\bUIZoomTransition\w*|\bUITab\b", "iOS 18", "let l = UIUpdateLink(view: v)"),
    # Deprecated by iOS 17: use the replacement.
    (r"\.videoOrientation\b", "deprecated in iOS 17: videoRotationAngle", "connection.videoOrientation = .portrait"),
    (r"\bUIScreen\.main\b|\bUIApplication\.shared\.windows\b", "deprecated", "let s = UIScreen.main.scale"),
    (r"\bNavigationView\b|\bforegroundColor\b|\.cornerRadius\(", "deprecated: NavigationStack, foregroundStyle, clipShape",
     ".foregroundColor(.red)"),
    (r"#selector|@objc\b|@IBOutlet|@IBAction", "nothing that can be type-checked here: closures instead", "@objc func tapped() {"),
]


@test("every rule of the availability lint refuses what it is there for")
def _():
    return [f"{pattern} does not refuse {line!r}" for pattern, _, line in NEWER if not re.search(pattern, line)]


@test("nothing newer than iOS 17, and nothing that it has left behind")
def _():
    wrong = []
    for path in swift_files(KIT, APP / "Sources"):
        for number, line in enumerate(without_comments(path.read_text()).split("\n"), 1):
            for pattern, why, _ in NEWER:
                found = re.search(pattern, line)
                if found:
                    wrong.append(f"{path.relative_to(ROOT)}:{number}: {found.group()} is {why}")
    return wrong


@test("the deployment target is iOS 17 wherever it is written")
def _():
    wrong = []
    for path, pattern in [(ROOT / "Package.swift", r"\.iOS\(\.v(\d+)\)"),
                          (APP / "project.yml", r"deploymentTarget:\s*\n?\s*(?:iOS:\s*)?\"?(\d+)")]:
        found = re.findall(pattern, path.read_text())
        if set(found) != {"17"}:
            wrong.append(f"{path.relative_to(ROOT)} says {found}")
    return wrong


@test("what an app imports under #if is under the same #if in every file")
def _():
    gate = "#if canImport(ARKit) && canImport(UIKit)"
    portable = {"Foundation", "Observation"}
    names = {path.stem for path in STUBS.glob("*.swift")} - portable
    wrong = []
    for path in swift_files(KIT):
        text = path.read_text()
        if imports(path) & names and not (text.startswith(gate) and text.rstrip().endswith("#endif")):
            wrong.append(f"{path.relative_to(ROOT)} imports {sorted(imports(path) & names)} outside of {gate}")
    return wrong


# MARK: - Identifiers and texts


@test("every accessibility identifier stands in one place")
def _():
    places = {}
    for path in swift_files(KIT, APP / "Sources"):
        text = without_comments(path.read_text())
        for found in re.finditer(r"accessibilityIdentifier(?:\(| = )\"([^\"]*)\"", text):
            places.setdefault(found.group(1), []).append(f"{path.name}:{text[:found.start()].count(chr(10)) + 1}")
    wrong = [f"{name!r} stands in {', '.join(where)}" for name, where in places.items() if len(where) > 1]
    # Identifiers in repeated rows end with an interpolation that distinguishes the rows.
    wrong += [f"{name!r} is not <screen>.<thing>" for name in places
              if not re.fullmatch(r"[a-z]+\.[a-z-]+(\\\(.+\))?", name)]
    return wrong if places else ["no identifier was found at all"]


@test("every button, toggle, field, picker, stepper and link has an identifier")
def _():
    wrong, seen = [], 0
    for path in swift_files(KIT / "Screens"):
        text = without_comments(path.read_text())
        for found in re.finditer(r"\b(Button|Toggle|TextField|SecureField|Picker|PhotosPicker|Stepper|Link|NavigationLink)\(", text):
            seen += 1
            rest = text[found.end():]
            # Searches up to the next control in the file: the modifier belongs to this one.
            following = re.search(r"\b(Button|Toggle|TextField|SecureField|Picker|PhotosPicker|Stepper|Link|NavigationLink)\(", rest)
            if ".accessibilityIdentifier(" not in rest[:following.start() if following else len(rest)]:
                wrong.append(f"{path.name}:{text[:found.start()].count(chr(10)) + 1}: a {found.group(1)} without one")
    return wrong if seen else ["no control was found at all"]


@test("every text that a screen names is there in every language")
def _():
    tables = {path.stem: json.loads(path.read_text()) for path in sorted((ROOT / "Web/assets/texts").glob("*.json"))}
    if len(tables) < 20:
        return [f"there are {len(tables)} languages"]
    used = {}
    for path in swift_files(KIT, APP / "Sources"):
        text = without_comments(path.read_text())
        for call in re.finditer(r"\b(?:localizer|LocalizedText|ViewNotice|fact|count)\(", text):
            notice = call.group().startswith("ViewNotice")
            # The arguments up to the matching closing bracket.
            depth, end = 1, call.end()
            while depth and end < len(text):
                depth += {"(": 1, ")": -1}.get(text[end], 0)
                end += 1
            first = text[call.end():end - 1].split(", [")[0]
            for key in re.findall(r'"((?:[^"\\]|\\\((?:[^()]|\([^()]*\))*\))+)"', first):
                if re.fullmatch(r"[a-z]+(?:[.-][\w\\(.\[\])$-]+)*", key) or key in tables["en"]:
                    for end_of in ([".title", ".text"] if notice else [""]):
                        used.setdefault(key + end_of, f"{path.name}:{text[:call.start()].count(chr(10)) + 1}")
    wrong = []
    for key, place in sorted(used.items()):
        pattern = re.compile(".+".join(re.escape(part) for part in re.split(r"\\\((?:[^()]|\([^()]*\))*\)", key)))
        for language, table in tables.items():
            if not any(pattern.fullmatch(known) for known in table):
                wrong.append(f"{place}: {key} has no words in {language}")
    return wrong if len(used) > 40 else [f"only {len(used)} keys were found"]


@test("no words of our own in a screen")
def _():
    wrong = []
    for path in swift_files(KIT / "Screens", KIT / "UIKit"):
        text = without_comments(path.read_text())
        for found in re.finditer(r"\b(?:Text|Button|Toggle|Label|TextField|Section|Picker|ProgressView|Link)\(\s*\"([^\"\\]*[A-Za-z]{3}[^\"\\]*)\"", text):
            if not found.group(1).startswith("https"):
                wrong.append(f"{path.name}: {found.group(1)!r} is in no language file")
    return wrong


# MARK: - The app's own files


@test("the app says why it uses what it uses")
def _():
    import plistlib
    wrong = []
    facts = plistlib.loads((APP / "Info.plist").read_bytes())
    code = "\n".join(path.read_text() for path in swift_files(KIT, APP / "Sources"))
    # A share sheet offers to save a picture, which ends an app without its text.
    for name, key in {"AVCapture": "NSCameraUsageDescription", "UIActivityViewController": "NSPhotoLibraryAddUsageDescription",
                      "ARFaceTrackingConfiguration": "NSFaceIDUsageDescription"}.items():
        if name in code and not facts.get(key):
            wrong.append(f"{name} is used and Info.plist has no {key}")
    if facts.get("NSAppTransportSecurity", {}).get("NSAllowsLocalNetworking") and not facts.get("NSLocalNetworkUsageDescription"):
        wrong.append("the local network is used and Info.plist has no NSLocalNetworkUsageDescription")
    languages = {path.stem for path in (ROOT / "Web/assets/texts").glob("*.json")}
    if set(facts["CFBundleLocalizations"]) != languages:
        wrong.append(f"CFBundleLocalizations and the languages differ: {sorted(set(facts['CFBundleLocalizations']) ^ languages)}")
    for identifier in re.findall(r'static let task = "([^"]+)"', code):
        if identifier not in facts.get("BGTaskSchedulerPermittedIdentifiers", []):
            wrong.append(f"{identifier} is not permitted in Info.plist")
    rights = plistlib.loads((APP / "Mien.entitlements").read_bytes())
    if "DCAppAttestService" in code and "com.apple.developer.devicecheck.appattest-environment" not in rights:
        wrong.append("App Attest is used without its entitlement")
    return wrong


@test("the privacy manifest names what the app collects, and a reason for each interface that needs one")
def _():
    import plistlib
    facts = plistlib.loads((APP / "PrivacyInfo.xcprivacy").read_bytes())
    code = "\n".join(path.read_text() for path in swift_files(ROOT / "Sources/Client", APP))
    reasons = {entry["NSPrivacyAccessedAPIType"]: entry["NSPrivacyAccessedAPITypeReasons"] for entry in facts["NSPrivacyAccessedAPITypes"]}
    wrong = [] if facts["NSPrivacyTracking"] is False and not facts["NSPrivacyTrackingDomains"] else ["the app tracks"]
    # Apple's categories, and the names whose use needs a reason.
    for category, names in {"DiskSpace": r"systemFreeSize|volumeAvailableCapacity", "UserDefaults": r"\bUserDefaults\b|@AppStorage",
                            "FileTimestamp": r"attributesOfItem|contentModificationDate|creationDate",
                            "SystemBootTime": r"systemUptime|mach_absolute_time", "ActiveKeyboards": r"activeInputModes"}.items():
        listed = bool(reasons.get(f"NSPrivacyAccessedAPICategory{category}"))
        if bool(re.search(names, without_comments(code))) != listed:
            wrong.append(f"{category}: {'listed and not used' if listed else 'used and not listed'}")
    if not any(entry["NSPrivacyCollectedDataType"] == "NSPrivacyCollectedDataTypePhotosorVideos"
               for entry in facts["NSPrivacyCollectedDataTypes"]):
        wrong.append("photos are not listed")
    return wrong


@test("the app's package turns the server's packages off")
def _():
    text = (APP / "Kit/Package.swift").read_text()
    wrong = [] if '.package(name: "mien", path: "../../..", traits: [])' in text else ["Kit/Package.swift sets no traits"]
    if "path: Kit" not in (APP / "project.yml").read_text():
        wrong.append("project.yml does not use Kit")
    return wrong


@test("the module brings its texts, from the files of the pages and no copy of them")
def _():
    target = re.search(r'name: "MienApple",.*?path: "([^"]+)".*?resources: \[\.copy\("([^"]+)"\)\]', (ROOT / "Package.swift").read_text(), re.S)
    if not target or (ROOT / target.group(1) / target.group(2)).resolve() != ROOT / "Web/assets/texts":
        return ["Package.swift gives MienApple other resources than Web/assets/texts"]
    known = {path.name for path in (ROOT / "Web/assets/texts").glob("*.json")}
    return [f"{path.relative_to(ROOT)} is a copy" for path in [*KIT.rglob("*.json"), *APP.rglob("*.json")]
            if path.name in known and "Made" not in path.parts and "build" not in path.parts]


@test("project.yml names files that are there")
def _():
    text = (APP / "project.yml").read_text()
    paths = re.findall(r"^\s*(?:- )?(?:path|script|INFOPLIST_FILE|CODE_SIGN_ENTITLEMENTS):\s*\"?([\w./-]+)\"?\s*$", text, re.M)
    made = {"Made"}
    wrong = [f"{path} is not there" for path in paths if path not in made and not (APP / path).exists()]
    return wrong if len(paths) >= 4 else [f"only {paths} were found"]


@test("the app's pictures are made from our drawings")
def _():
    import plistlib
    import struct
    target = SCRATCH / "Made/Assets.xcassets"
    done = subprocess.run([sys.executable, APP / "make-assets", target.parent], capture_output=True, text=True)
    if done.returncode != 0:
        return done.stderr.splitlines()[-5:]
    wrong = []
    usages = [key for key in plistlib.loads((APP / "Info.plist").read_bytes()) if key.endswith("UsageDescription")]
    languages = sorted((ROOT / "Web/assets/texts").glob("*.json"))
    for language in languages:
        strings = (target.parent / f"{language.stem}.lproj/InfoPlist.strings").read_text()
        wrong += [f"{language.stem} has no {key}" for key in usages if not re.search(rf'^"{key}" = ".{{10,}}";$', strings, re.M)]
    for folder in [target, *sorted(target.glob("*set"))]:
        contents = json.loads((folder / "Contents.json").read_text())
        for image in contents.get("images", []):
            data = (folder / image["filename"]).read_bytes()
            if data[:8] != b"\x89PNG\r\n\x1a\n":
                wrong.append(f"{image['filename']} is no PNG")
            width, height, depth, kind = struct.unpack(">IIBB", data[16:26])
            if folder.suffix == ".appiconset" and (width, height, kind) != (1024, 1024, 2):
                wrong.append(f"the icon is {width}×{height}, color type {kind}; it has to be 1024×1024 without transparency")
    return wrong if (target / "AppIcon.appiconset").exists() else ["there is no icon"]


failed = sum(1 for _, wrong in results if wrong)
print(f"{len(results) - failed} passed, {failed} failed, {skipped} skipped")
sys.exit(1 if failed else 0)
