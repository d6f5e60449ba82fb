import Foundation
import MienReconstruction
import Testing

/// Localization of scan diagnostics in all languages.
@Suite struct `Scan diagnostic texts` {
  private static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
    .deletingLastPathComponent().appendingPathComponent("Web/assets/texts")

  private static func texts(_ language: String) throws -> [String: String] {
    try JSONDecoder().decode(
      [String: String].self, from: Data(contentsOf: folder.appendingPathComponent("\(language).json")))
  }

  /// Returns the placeholder names in alphabetical order.
  private static func places(_ text: String) -> [String] {
    text.matches(of: /\{(\w+)\}/).map { String($0.1) }.sorted()
  }

  @Test func `every code has a text and every text has a code`() throws {
    let known = Set(ScanDiagnostic.Code.allCases.map { "scan.remark.\($0.rawValue)" })
    let files = try FileManager.default.contentsOfDirectory(atPath: Self.folder.path)
    let languages = files.filter { $0.hasSuffix(".json") }.map { String($0.dropLast(5)) }
    #expect(languages.count >= 20)
    for language in languages {
      let texts = try Self.texts(language)
      for code in ScanDiagnostic.Code.allCases {
        let text = texts["scan.remark.\(code.rawValue)"]
        #expect(text.map(Self.places) == Self.places(code.english), "\(language): \(code.rawValue)")
        if language == "en" { #expect(text == code.english) }
      }
      #expect(texts.keys.filter { $0.hasPrefix("scan.remark.") && !known.contains($0) } == [], "\(language)")
    }
  }

  @Test func `values are inserted verbatim and missing values are visible`() {
    #expect(ScanDiagnostic(.photosNone).words == "There is no photo to assess.")
    #expect(ScanDiagnostic(.noteReadAs, ["layout": "{layout} }{"]).words == "The maps were read as {layout} }{.")
    #expect(ScanDiagnostic(.noteReadAs).words == "The maps were read as {layout}.")
    #expect(ScanDiagnostic(.noteBundleDamaged, detail: "byte 7").words.hasSuffix("left out. (byte 7)"))
    #expect(
      [ScanDiagnostic(.coverageTop), ScanDiagnostic(.photosNone)].words.hasPrefix("Not captured well: the top. There"))
  }
}
