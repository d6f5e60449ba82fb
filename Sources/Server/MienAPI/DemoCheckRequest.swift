/// Optional body of `POST /v1/demo/checks`.
public struct DemoCheckRequest: Codable, Hashable, Sendable {
  /// Abilities of the person, out of `neck`, `eyelids`, `mouth` and `sight`; all of them if omitted.
  public var abilities: [String]?

  public enum CodingKeys: String, CodingKey, CaseIterable { case abilities }

  public init(abilities: [String]? = nil) {
    self.abilities = abilities
  }

  /// - Throws: ``UnknownKeyError`` for an undocumented key; `DecodingError` for wrong types.
  public init(from decoder: any Decoder) throws {
    try decoder.refuseStrayKeys(CodingKeys.self)
    abilities = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent([String].self, forKey: .abilities)
  }
}
