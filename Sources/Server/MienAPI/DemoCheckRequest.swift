/// The body of `POST /v1/demo/checks`; it may be left out.
public struct DemoCheckRequest: Codable, Hashable, Sendable {
  /// What the person can do, of `neck`, `eyelids`, `mouth` and `sight`; left out: all of it.
  public var abilities: [String]?

  public enum CodingKeys: String, CodingKey, CaseIterable { case abilities }

  public init(abilities: [String]? = nil) {
    self.abilities = abilities
  }

  /// - Throws: ``UnknownKeyError`` for a key that is not in the document; `DecodingError` for wrong types.
  public init(from decoder: any Decoder) throws {
    try decoder.refuseStrayKeys(CodingKeys.self)
    abilities = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent([String].self, forKey: .abilities)
  }
}
