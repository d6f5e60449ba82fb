/// Names a depth scan.
public struct ScanID: Hashable, Sendable, CustomStringConvertible {
  public let text: String

  /// Refuses (nil) what could not be one.
  public init?(_ text: String) {
    guard ScanNameRules.isPlain(text, prefixes: ["scn_", "scntest_"]) else { return nil }
    self.text = text
  }

  init(of space: Realm, using generator: inout some RandomNumberGenerator) {
    text = RandomTokens.make(prefix: space == .live ? "scn_" : "scntest_", count: 32, using: &generator)
  }

  public var description: String { text }
}

/// Names a file on its way in, which comes in pieces.
public struct UploadID: Hashable, Sendable, CustomStringConvertible {
  public let text: String

  /// Refuses (nil) what could not be one.
  public init?(_ text: String) {
    guard ScanNameRules.isPlain(text, prefixes: ["upl_", "upltest_"]) else { return nil }
    self.text = text
  }

  init(of space: Realm, using generator: inout some RandomNumberGenerator) {
    text = RandomTokens.make(prefix: space == .live ? "upl_" : "upltest_", count: 32, using: &generator)
  }

  public var description: String { text }
}

/// Names whom or what scans are of.
public struct ScanSubjectID: Hashable, Sendable, CustomStringConvertible {
  public let text: String

  /// Refuses (nil) what could not be one.
  public init?(_ text: String) {
    guard ScanNameRules.isPlain(text, prefixes: ["sub_", "subtest_"]) else { return nil }
    self.text = text
  }

  init(of space: Realm, using generator: inout some RandomNumberGenerator) {
    text = RandomTokens.make(prefix: space == .live ? "sub_" : "subtest_", count: 32, using: &generator)
  }

  public var description: String { text }
}

/// What names of scans and of their files may be.
enum ScanNameRules {
  static func isPlain(_ text: String, prefixes: [String]) -> Bool {
    prefixes.contains { text.hasPrefix($0) && text.utf8.count == $0.utf8.count + 32 } && CaptureID.isPlain(text)
  }

  /// True for a plain name or a relative path of at most four parts, 200 bytes in all, that leads nowhere else.
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
