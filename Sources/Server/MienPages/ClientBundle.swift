internal import Crypto
internal import Foundation

/// Files of a page of the browser client, or of its element: one script, one style sheet, and the texts that they can show.
struct ClientBundle: Sendable {
  /// State of a source when it was read.
  struct Stamp: Hashable, Sendable {
    let size: Int
    let modified: Date
  }

  let name: String
  let script: [UInt8]
  let style: [UInt8]
  /// Name of the script and of the style sheet, with a digest of their contents.
  let scriptName: String
  let styleName: String
  /// Texts that the script can show.
  let areas: Set<String>
  /// Digest in the names of the texts.
  let textsDigest: String
  let languages: Set<String>
  /// All files that the bundle depends on, by their path in the client's folder.
  let sources: [String: Stamp]
  private let document: PageDocument?

  static let folder = "/assets/bundles/"
  /// Name of the bundle of `<mien-liveness>`, which pages of other origins load.
  static let element = "liveness"

  /// Builds the bundle of `NAME.html`, or that of the element.
  ///
  /// - Throws: ``BundleError``, or the errors of reading a file.
  init(_ name: String, in root: String) throws {
    var reader = SourceReader(root: root)
    self.name = name
    var entries = ["liveness.js"]
    var sheets: [PageDocument.StyleSheet] = []
    var shown = ""
    if name == Self.element {
      document = nil
    } else {
      shown = try reader.text("\(name).html")
      let page = PageDocument(shown)
      (document, entries, sheets) = (page, page.scripts, page.styles)
    }
    guard entries.count == 1, let entry = entries.first else {
      throw BundleError(path: "\(name).html", reason: "does not have exactly one module of its own")
    }
    let module = try ModuleBundle(entry: entry) { try reader.text($0) }
    areas = PageTexts.areas(in: module.code + shown)
    style = try Array(sheets.map { try Self.sheet($0, &reader) }.joined(separator: "\n").utf8)
    languages = Set(try reader.names(in: "assets/texts", ending: ".json"))
    var texts = SHA256()
    for language in languages.sorted() { texts.update(data: try reader.data("assets/texts/\(language).json")) }
    texts.update(data: Data(areas.sorted().joined(separator: " ").utf8))
    textsDigest = Self.text(of: texts.finalize())
    var code = module.code
    let place = "bundles/\(name).{language}.\(textsDigest).json"
    try Self.replace("const textsPath = \"texts/{language}.json\";", by: "const textsPath = \"\(place)\";", in: &code)
    if name == Self.element {
      let contents = try JSONEncoder.sorted.encode(Self.elementSheets(&reader))
      try Self.replace(
        "const contents = {};", by: "const contents = \(String(decoding: contents, as: UTF8.self));", in: &code)
    }
    script = Array(code.utf8)
    scriptName = "\(name).\(Self.digest(script)).js"
    styleName = "\(name).\(Self.digest(style)).css"
    sources = reader.stamps
  }

  /// Returns the address of the texts in a language.
  func textsAddress(_ language: String) -> String { "\(Self.folder)\(name).\(language).\(textsDigest).json" }

  /// Returns the texts in a language.
  func texts(_ language: String, in root: String) throws -> [UInt8] {
    try PageTexts.subset(areas, of: try SourceReader(root: root).contents("assets/texts/\(language).json"))
  }

  /// Returns the HTML, which announces the texts in a language.
  func page(_ language: String?) -> [UInt8] {
    guard let document else { return [] }
    return Array(
      document.text(
        style: Self.folder + styleName, script: Self.folder + scriptName, texts: language.map(textsAddress)
      ).utf8)
  }

  static func digest(_ bytes: [UInt8]) -> String { text(of: SHA256.hash(data: bytes)) }

  private static func text(of digest: SHA256Digest) -> String {
    digest.prefix(8).map { String($0 >> 4, radix: 16) + String($0 & 15, radix: 16) }.joined()
  }

  private static func sheet(_ sheet: PageDocument.StyleSheet, _ reader: inout SourceReader) throws -> String {
    let text = try reader.text(sheet.path)
    return sheet.media.map { "@media \($0) {\n\(text)\n}" } ?? text
  }

  /// Returns the style sheets that the element adopts, by their path in the folder of assets.
  private static func elementSheets(_ reader: inout SourceReader) throws -> [String: String] {
    let path = "assets/element/stylesheets.js"
    let line = try reader.text(path).split(separator: "\n").first { $0.contains("const names = [") }
    guard let line else { throw BundleError(path: path, reason: "does not name its style sheets") }
    let names = line.split(separator: "\"").enumerated().filter { $0.offset % 2 == 1 }.map { String($0.element) }
    return Dictionary(
      uniqueKeysWithValues: try names.map { ("style/\($0).css", try reader.text("assets/style/\($0).css")) })
  }

  private static func replace(_ old: String, by new: String, in code: inout String) throws {
    guard let range = code.range(of: old) else {
      throw BundleError(path: "assets/core/files.js", reason: "does not have the line \(old)")
    }
    code.replaceSubrange(range, with: new)
  }
}

/// Reads the sources of a bundle, and records which ones.
private struct SourceReader {
  let root: String
  private(set) var stamps: [String: ClientBundle.Stamp] = [:]

  init(root: String) { self.root = root }

  mutating func text(_ path: String) throws -> String { String(decoding: try data(path), as: UTF8.self) }

  mutating func data(_ path: String) throws -> Data {
    stamps[path] = try ClientBundle.Stamp(of: path, in: root)
    return try contents(path)
  }

  func contents(_ path: String) throws -> Data { try Data(contentsOf: URL(fileURLWithPath: "\(root)/\(path)")) }

  /// Returns the names of the files in a folder without their ending.
  func names(in folder: String, ending: String) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: "\(root)/\(folder)").filter { $0.hasSuffix(ending) }
      .map { String($0.dropLast(ending.count)) }
  }
}

extension ClientBundle.Stamp {
  init(of path: String, in root: String) throws {
    let attributes = try FileManager.default.attributesOfItem(atPath: "\(root)/\(path)")
    guard let size = attributes[.size] as? Int, let modified = attributes[.modificationDate] as? Date else {
      throw BundleError(path: path, reason: "has no attributes")
    }
    self.init(size: size, modified: modified)
  }
}

extension JSONEncoder {
  fileprivate static var sorted: JSONEncoder {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return encoder
  }
}
