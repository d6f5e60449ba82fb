internal import MienCore
public import MienPlatform

/// Identifies a capture. Anyone who knows the ID can view the capture: it has 192 random bits, in the sandbox 168.
public struct CaptureID: Hashable, Sendable, CustomStringConvertible {
  public let text: String

  /// Returns `nil` if the text is not a valid ID.
  public init?(_ text: String) {
    guard Realm.allCases.contains(where: { text.hasPrefix($0.capturePrefix) }), text.utf8.count == Self.length,
      IdentifierRules.isPlain(text)
    else { return nil }
    self.text = text
  }

  /// Creates a new ID in a realm.
  public init(in realm: Realm = .live, using generator: inout some RandomNumberGenerator) {
    let prefix = realm.capturePrefix
    text = RandomTokens.make(prefix: prefix, count: Self.length - prefix.utf8.count, using: &generator)
  }

  public var description: String { text }

  private static let length = 36
}
