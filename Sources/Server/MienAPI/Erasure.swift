/// What `DELETE /v1/people/{person}` returns to who asks for it (`Prefer: return=representation`, RFC 7240).
public struct DeletionResponse: Codable, Hashable, Sendable {
  /// How much was erased, by kind.
  public var erased: [String: Int]

  public init(erased: [String: Int]) {
    self.erased = erased
  }
}
