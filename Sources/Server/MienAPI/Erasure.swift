/// Response to `DELETE /v1/people/{person}` if requested with `Prefer: return=representation` (RFC 7240).
public struct DeletionResponse: Codable, Hashable, Sendable {
  /// Number of deleted items by kind.
  public var deleted: [String: Int]

  public init(deleted: [String: Int]) {
    self.deleted = deleted
  }

  private enum CodingKeys: String, CodingKey {
    case deleted = "erased"
  }
}
