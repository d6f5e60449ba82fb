/// Kind of an actor in the audit log. The console has a text for each.
public enum AuditActorKind: String, Hashable, Sendable, CaseIterable {
  /// An API key; its name is its ID, `key_…`.
  case key
  case user
  /// An access key of the AWS-compatible API.
  case aws
  /// Holder of a check's token.
  case check
  /// Holder of a receipt.
  case receipt
  /// A client without a credential.
  case anyone
  /// The server at the end of a retention period.
  case retention
  /// A command of `mien`.
  case commandLine = "command-line"

  /// Returns the name of an actor: of this kind alone, or of one with an ID.
  public func actor(_ id: String? = nil) -> String {
    guard let id else { return rawValue }
    return self == .key ? id : "\(rawValue)/\(id)"
  }
}
