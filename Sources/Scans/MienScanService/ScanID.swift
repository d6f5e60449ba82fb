internal import MienCore
internal import MienPlatform

/// Identifier of a depth scan.
public struct ScanID: Hashable, Sendable, CustomStringConvertible {
  public let text: String

  /// Returns `nil` if the text is not a valid scan ID.
  public init?(_ text: String) {
    guard IdentifierRules.isPlain(text, prefixes: ["scn_", "scntest_"]) else { return nil }
    self.text = text
  }

  init(of realm: Realm, using generator: inout some RandomNumberGenerator) {
    text = RandomTokens.make(prefix: realm == .live ? "scn_" : "scntest_", count: 32, using: &generator)
  }

  public var description: String { text }
}

/// Identifier of a scan subject.
public struct ScanSubjectID: Hashable, Sendable, CustomStringConvertible {
  public let text: String

  /// Returns `nil` if the text is not a valid subject ID.
  public init?(_ text: String) {
    guard IdentifierRules.isPlain(text, prefixes: ["sub_", "subtest_"]) else { return nil }
    self.text = text
  }

  init(of realm: Realm, using generator: inout some RandomNumberGenerator) {
    text = RandomTokens.make(prefix: realm == .live ? "sub_" : "subtest_", count: 32, using: &generator)
  }

  public var description: String { text }
}

/// Validation rules for names of scan files.
enum ScanNameRules {
  /// Reports whether a text is a plain name or a relative path of at most four components and 200 bytes that cannot
  /// leave its directory.
  static func isFileName(_ name: String) -> Bool {
    let parts = name.split(separator: "/", omittingEmptySubsequences: false)
    return (1...200).contains(name.utf8.count) && parts.count <= 4
      && parts.allSatisfy { part in
        !part.isEmpty && !part.hasPrefix(".")
          && part.unicodeScalars.allSatisfy { scalar in
            scalar.value >= 0x20 && scalar.value != 0x7F && scalar != "\\" && scalar != ":"
          }
      }
  }
}
