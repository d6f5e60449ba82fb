/// Response to `DELETE /v1/people/{person}` if requested with `Prefer: return=representation` (RFC 7240).
public struct DeletionResponse: Codable, Hashable, Sendable {
  /// Number of deleted items by kind.
  public var erased: [String: Int]

  public init(erased: [String: Int]) {
    self.erased = erased
  }
}
