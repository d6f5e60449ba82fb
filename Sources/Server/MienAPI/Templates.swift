internal import MienCore

/// Body of `POST /v1/people/{person}/template`.
public struct EnrollTemplateRequest: Codable, Hashable, Sendable {
  /// ID of a check of the person that passed and that was created with `"template": "enroll"`.
  public var check: String

  public enum CodingKeys: String, CodingKey, CaseIterable { case check }

  public init(check: String) { self.check = check }

  /// - Throws: ``UnknownKeyError`` for an undocumented key; `DecodingError` for wrong types.
  public init(from decoder: any Decoder) throws {
    try decoder.refuseStrayKeys(CodingKeys.self)
    check = try decoder.container(keyedBy: CodingKeys.self).decode(String.self, forKey: .check)
  }
}

/// Description of the template of an enrolled person. The template itself never leaves the server.
public struct TemplateResponse: Codable, Hashable, Sendable {
  public var person: String
  /// Version of the model that made the template.
  public var model: String
  /// Time of the enrollment, RFC 3339 in UTC.
  public var createdAt: String
  /// `check` or `image`.
  public var source: String
  /// Check whose frames the template was made from; omitted if it was made from a picture.
  public var check: String?

  public enum CodingKeys: String, CodingKey {
    case person, model, source, check
    case createdAt = "created_at"
  }

  public init(person: String, model: String, createdAt: String, check: String?) {
    self.person = person
    self.model = model
    self.createdAt = createdAt
    source = check == nil ? "image" : "check"
    self.check = check
  }
}
