import Foundation
import MienCompression
import Testing

@testable import MienPages

/// Bundles of the browser client: modules, style sheets and texts of a page in one file each.
@Suite struct `Bundles of pages` {
  private static let web = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Web").path

  private static func bundle(_ sources: [String: String], entry: String = "a/main.js") throws -> ModuleBundle {
    try ModuleBundle(entry: entry) { path in
      guard let source = sources[path] else { throw BundleError(path: path, reason: "does not exist") }
      return source
    }
  }

  @Test func `a module becomes a function, after those that it imports and only once`() throws {
    let bundle = try Self.bundle([
      "a/main.js":
        "import { one, two as other } from \"./one.js\";\nimport { Three } from \"../b/three.js\";\nawait one(Three);",
      "a/one.js":
        "import { Three } from \"../b/three.js\";\nexport async function one() {}\nconst two = 2;\nexport { two };",
      "b/three.js": "export class Three {}\nexport const four = 4;",
    ])
    #expect(bundle.paths == ["b/three.js", "a/one.js", "a/main.js"])
    let code = bundle.code
    #expect(
      code.contains(
        "const { one, two: other } = module_a_one_js;\nconst { Three } = module_b_three_js;\nawait one(Three);"))
    #expect(code.contains("return { one, two };") && code.contains("return { Three, four };"))
    #expect(code.ranges(of: "class Three {}").count == 1 && !code.contains("import ") && !code.contains("export "))
  }

  @Test func `a namespace import is the object that the module returns`() throws {
    let bundle = try Self.bundle(["a/main.js": "import * as all from \"./c.js\";", "a/c.js": "export const a = 1;"])
    #expect(bundle.code.contains("const all = module_a_c_js;"))
  }

  @Test func `an import over several lines is one import`() throws {
    let bundle = try Self.bundle([
      "a/main.js": "import {\n  a,\n  b,\n} from \"./c.js\";\n", "a/c.js": "export const a = 1;\nexport const b = 2;",
    ])
    #expect(bundle.code.contains("const { a, b } = module_a_c_js;"))
  }

  @Test(arguments: [
    "import main from \"./one.js\";", "import \"./one.js\";",
    "import { a } from \"https://elsewhere.example/one.js\";", "import { a } from \"../../one.js\";", "import { a",
    "import { missing } from \"./missing.js\";", "import { waits } from \"./waits.js\";",
    "import { d } from \"./default.js\";",
    "import { circle } from \"./circle.js\";",
  ])
  func `syntax that a bundle would change is an error`(line: String) {
    let sources = [
      "a/main.js": line, "a/one.js": "export const a = 1;", "a/waits.js": "const text = await fetch(\"x\");",
      "a/default.js": "export default function d() {}", "a/circle.js": "import { x } from \"./main.js\";",
    ]
    #expect(throws: BundleError.self) { try Self.bundle(sources) }
  }

  @Test func `texts are found by the literals of a source`() {
    let areas = PageTexts.areas(
      in: "text(\"welcome.title\"); text(`reason.${code}`); { key: \"passed\" }; page.home; 'able.x'; \"a b.c\"")
    #expect(
      areas.isSuperset(of: ["welcome", "reason", "passed", "able"]) && !areas.contains("home")
        && !areas.contains("page"))
  }

  @Test func `a subset has the texts of its areas only`() throws {
    let file = Data(#"{"welcome.title": "Hi", "welcomes.x": "no", "scan.a": "no", "passed.b": "Yes / no"}"#.utf8)
    let subset = try PageTexts.subset(["welcome", "passed"], of: file)
    #expect(String(decoding: subset, as: UTF8.self) == #"{"passed.b":"Yes / no","welcome.title":"Hi"}"#)
  }

  @Test(arguments: [
    ("de-AT,de;q=0.9,en;q=0.8", "de"), ("zh-TW", "zh-Hant"), ("zh-CN,zh;q=0.9", "zh-Hans"), ("zh-Hant-HK", "zh-Hant"),
    ("ZH-hant", "zh-Hant"), ("zh-tw", "zh-Hant"),
    ("iw", "he"),
    ("in-ID", "id"), ("tlh, ja;q=0.5", "ja"), ("xx", "en"), ("", "en"), (nil, "en"),
  ])
  func `the announced language is that of the first tag with texts`(accepted: String?, language: String) {
    let all: Set = ["en", "de", "he", "id", "ja", "zh-Hans", "zh-Hant"]
    #expect(PageTexts.likelyLanguage(accepted, among: all) == language)
  }

  @Test func `a page loads the files of its bundle in place of its own`() {
    let page = PageDocument(
      """
      <head>
        <link rel="icon" href="/i.svg">
        <link rel="stylesheet" href="/assets/a.css">
        <link rel="stylesheet" href="/assets/dark.css" media="(prefers-color-scheme: dark)">
        <script type="module" src="/assets/main.js"></script>
        <script type="module" src="/liveness.js"></script>
      </head>

      """)
    #expect(page.styles.map(\.path) == ["assets/a.css", "assets/dark.css"])
    #expect(page.styles.map(\.media) == [nil, "(prefers-color-scheme: dark)"] && page.scripts == ["assets/main.js"])
    #expect(
      page.text(style: "/s.css", script: "/m.js", texts: "/t.json") == """
        <head>
          <link rel="icon" href="/i.svg">
          <link rel="stylesheet" href="/s.css">
          <link rel="modulepreload" href="/m.js">
          <link rel="preload" href="/t.json" as="fetch" crossorigin>
          <script type="module" src="/m.js"></script>
          <script type="module" src="/liveness.js"></script>
        </head>

        """)
  }

  @Test(arguments: ClientPages.bundles)
  func `every page and the element can be combined`(name: String) throws {
    let bundle = try ClientBundle(name, in: Self.web)
    #expect(bundle.languages.count >= 20 && bundle.areas.count > 3)
    #expect(bundle.scriptName.hasPrefix("\(name).") && !bundle.script.isEmpty)
    let texts = try JSONDecoder().decode([String: String].self, from: Data(try bundle.texts("de", in: Self.web)))
    #expect(!texts.isEmpty)
    if name != ClientBundle.element {
      let page = String(decoding: bundle.page("de"), as: UTF8.self)
      #expect(page.contains(bundle.styleName) && page.contains(bundle.scriptName) && !page.contains("/assets/style/"))
      #expect(bundle.style.count > 1000)
    }
  }

  @Test func `the same sources have the same names`() throws {
    let (one, other) = (try ClientBundle("check", in: Self.web), try ClientBundle("check", in: Self.web))
    #expect(
      one.scriptName == other.scriptName && one.styleName == other.styleName && one.textsDigest == other.textsDigest)
    #expect(one.page("de") != one.page("en"))
  }

  @Test(arguments: [
    ("gzip, deflate, br", true), ("br;q=1.0, gzip;q=0.8", true), ("*", true), ("gzip;q=0", false), ("identity", false),
    ("", false),
    (nil, false), ("GZIP", true), ("gzip; q=0.0, *;q=0", false),
  ])
  func `compression requires a client that accepts it`(value: String?, isAccepted: Bool) {
    #expect(ResponseCompression.accepts(value) == isAccepted)
  }

  @Test func `compressed bytes can be decompressed`() throws {
    let bytes = Array(String(repeating: "liveness ", count: 5000).utf8)
    for level in [1, 6, 9] {
      let packed = Deflate.gzip(bytes, level: level)
      // The header has 10 bytes, the trailer a checksum and the size of 4 bytes each (RFC 1952).
      #expect(packed.prefix(3) == [0x1F, 0x8B, 8] && packed.count < bytes.count / 20)
      #expect(Deflate.decompressed(bare: packed[10..<packed.count - 8], size: bytes.count) == bytes)
    }
    #expect(Deflate.decompressed(bare: Deflate.bare(bytes), size: bytes.count) == bytes)
    #expect(Deflate.decompressed(bare: Deflate.bare(bytes), size: bytes.count - 1) == nil)
    #expect(Deflate.gzip([]).count > 18)
  }
}
