/// Identifier of a resumable upload.
public struct UploadID: Hashable, Sendable, CustomStringConvertible {
  public let text: String

  /// Returns `nil` if the text is not a valid upload ID.
  public init?(_ text: String) {
    guard IdentifierRules.isPlain(text, prefixes: ["upl_", "upltest_"]) else { return nil }
    self.text = text
  }

  package init(of space: Realm, using generator: inout some RandomNumberGenerator) {
    text = RandomTokens.make(prefix: space == .live ? "upl_" : "upltest_", count: 32, using: &generator)
  }

  public var description: String { text }
}
