internal import Foundation

/// The texts of one language, the same files as the pages use (`Web/assets/texts`).
public struct LocalizationTable: Sendable {
  private let table: [String: String]

  /// - Parameter file: the bytes of a file of texts.
  /// - Returns: nil when it is none.
  public init?(_ file: [UInt8]) {
    guard let table = try? JSONDecoder().decode([String: String].self, from: Data(file)) else { return nil }
    self.table = table
  }

  /// The words; the key itself where there are none, so that a gap is seen.
  public func words(_ text: LocalizedText) -> String {
    if let own = text.own { return own }
    guard let found = table[text.key] else { return text.key }
    var words = ""
    var rest = found[...]
    // Once from left to right, so that a value with braces in it stays as it is.
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      let name = String(rest[rest.index(after: open)..<close])
      words += rest[..<open] + (text.values[name] ?? "{\(name)}")
      rest = rest[rest.index(after: close)...]
    }
    return words + rest
  }

  /// Whether there are words for a key.
  public func has(_ key: String) -> Bool { table[key] != nil }

  /// As many texts as there are of `<key>.1`, `<key>.2`, …
  public func list(_ key: String) -> [String] {
    var found: [String] = []
    while let words = table["\(key).\(found.count + 1)"] { found.append(words) }
    return found
  }

  /// The first of the notices that has words; the last one where none has.
  public func first(_ notices: [ViewNotice]) -> ViewNotice? {
    notices.first { has($0.title.key) } ?? notices.last
  }
}
