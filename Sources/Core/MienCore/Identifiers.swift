/// Identifier of a liveness check (a session).
///
/// 1 to 64 characters of `A–Z a–z 0–9 - _`, so that it can appear in a path, a file name or a log line unescaped.
public struct CheckID: Hashable, Sendable, CustomStringConvertible {
  public let text: String

  /// Returns `nil` if the text is empty, longer than 64 characters, or contains a character outside the set.
  public init?(_ text: String) {
    guard IdentifierRules.isPlain(text) else { return nil }
    self.text = text
  }

  public var description: String { text }
}

/// Identifier of a person for enrollment, chosen by the integrator. It should be a pseudonym; same alphabet as
/// ``CheckID``.
public struct PersonID: Hashable, Sendable, CustomStringConvertible {
  public let text: String

  /// Returns `nil` if the text is empty, longer than 64 characters, or contains a character outside the set.
  public init?(_ text: String) {
    guard IdentifierRules.isPlain(text) else { return nil }
    self.text = text
  }

  public var description: String { text }
}

/// Identifier of a device, chosen by the integrator. It should be a pseudonym; same alphabet as ``CheckID``.
public struct DeviceID: Hashable, Sendable, CustomStringConvertible {
  public let text: String

  /// Returns `nil` if the text is empty, longer than 64 characters, or contains a character outside the set.
  public init?(_ text: String) {
    guard IdentifierRules.isPlain(text) else { return nil }
    self.text = text
  }

  public var description: String { text }
}

/// Validation rules for the text of identifiers.
package enum IdentifierRules {
  /// Returns `true` for 1 to 64 characters of `A–Z a–z 0–9 - _`.
  package static func isPlain(_ text: String) -> Bool {
    (1...64).contains(text.utf8.count) && text.utf8.allSatisfy(\.isIdentifierCharacter)
  }

  /// Returns `true` for one of the prefixes followed by 32 characters of `A–Z a–z 0–9 - _`.
  package static func isPlain(_ text: String, prefixes: [String]) -> Bool {
    prefixes.contains { text.hasPrefix($0) && text.utf8.count == $0.utf8.count + 32 } && isPlain(text)
  }
}

extension UInt8 {
  /// `true` for `0–9`.
  package var isASCIIDigit: Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(self) }

  /// `true` for `A–Z a–z 0–9`.
  package var isASCIILetterOrDigit: Bool {
    isASCIIDigit || (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(self | 0x20)
  }

  /// `true` for `A–Z a–z 0–9 - _`, which need no escaping in a path, a header or a log line.
  package var isIdentifierCharacter: Bool {
    isASCIILetterOrDigit || self == UInt8(ascii: "-") || self == UInt8(ascii: "_")
  }
}
