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
