internal import Foundation
public import MienAPI

/// Texts of one language, read from the files of the web pages (`Web/assets/texts`).
public struct LocalizationTable: Sendable {
  private let table: [String: String]

  /// - Parameter file: the contents of a text file.
  /// - Returns: `nil` if the file is invalid.
  public init?(_ file: [UInt8]) {
    guard let table = try? JSONDecoder().decode([String: String].self, from: Data(file)) else { return nil }
    self.table = table
  }

  /// Returns the localized text, or the key if there is none, which makes missing texts visible.
  public func words(_ text: LocalizedText) -> String {
    if let own = text.own { return own }
    guard let found = table[text.key] else { return text.key }
    var words = ""
    var rest = found[...]
    // One pass from left to right, so that braces within values are not replaced.
    while let open = rest.firstIndex(of: "{"), let close = rest[open...].firstIndex(of: "}") {
      let name = String(rest[rest.index(after: open)..<close])
      words += rest[..<open] + (text.values[name] ?? "{\(name)}")
      rest = rest[rest.index(after: close)...]
    }
    return words + rest
  }

  /// Reports whether the table has a text for a key.
  public func has(_ key: String) -> Bool { table[key] != nil }

  /// Returns all texts with the keys `<key>.1`, `<key>.2`, ….
  public func list(_ key: String) -> [String] {
    var found: [String] = []
    while let words = table["\(key).\(found.count + 1)"] { found.append(words) }
    return found
  }

  /// Returns the first notice that has a text, or the last one if none has.
  public func first(_ notices: [ViewNotice]) -> ViewNotice? {
    notices.first { has($0.title.key) } ?? notices.last
  }
}

extension LocalizationTable {
  /// Returns the text of a scan diagnostic, or the server's English text if the table has none for its code.
  public func words(_ remark: ScanDiagnosticResponse) -> String {
    let key = "scan.remark.\(remark.code)"
    return words(has(key) ? LocalizedText(key, remark.values) : .own(remark.text))
  }
}
