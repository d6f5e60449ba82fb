internal import Foundation

/// Texts of the browser client, and the part of them that a bundle can show.
enum PageTexts {
  /// First segments of keys that occur in literals of a source: `"welcome.title"`, `` `reason.${code}` `` or `"passed"`.
  static func areas(in source: String) -> Set<String> {
    var areas: Set<String> = []
    let bytes = Array(source.utf8)
    var place = 0
    while place < bytes.count {
      defer { place += 1 }
      guard isQuote(bytes[place]) else { continue }
      var end = place + 1
      while end < bytes.count, isPart(bytes[end]) { end += 1 }
      guard end > place + 1, end < bytes.count, isQuote(bytes[end]) || bytes[end] == UInt8(ascii: ".") else { continue }
      areas.insert(String(decoding: bytes[place + 1..<end], as: UTF8.self))
    }
    return areas
  }

  /// Returns the texts of some areas as compact JSON with sorted keys.
  ///
  /// - Throws: decoding errors.
  static func subset(_ areas: Set<String>, of file: Data) throws -> [UInt8] {
    let texts = try JSONDecoder().decode([String: String].self, from: file)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    return [UInt8](try encoder.encode(texts.filter { areas.contains(String($0.key.prefix { $0 != "." })) }))
  }

  /// Returns the language of `available` that a browser probably chooses, so that its texts can be announced early.
  ///
  /// The browser decides, also by its memory; a wrong guess costs a download that is not used.
  ///
  /// - Parameter accepted: value of `Accept-Language` (RFC 9110, section 12.5.4); browsers list the preferred language first.
  static func likelyLanguage(_ accepted: String?, among available: Set<String>) -> String? {
    for range in (accepted ?? "").split(separator: ",") {
      let tag = range.prefix { $0 != ";" }.filter { $0 != " " }
      let parts = tag.split(separator: "-")
      guard let first = parts.first?.lowercased() else { continue }
      let old = ["iw": "he", "in": "id"]
      let code = old[first] ?? first
      if available.contains(code) { return code }
      guard code == "zh" else { continue }
      let isTraditional = parts.contains { ["hant", "tw", "hk", "mo"].contains($0.lowercased()) }
      let chinese = isTraditional ? "zh-Hant" : "zh-Hans"
      if available.contains(chinese) { return chinese }
    }
    return available.contains("en") ? "en" : nil
  }

  private static func isQuote(_ byte: UInt8) -> Bool {
    byte == UInt8(ascii: "\"") || byte == UInt8(ascii: "'") || byte == UInt8(ascii: "`")
  }

  private static func isPart(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte) || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
      || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) || byte == UInt8(ascii: "-")
  }
}
