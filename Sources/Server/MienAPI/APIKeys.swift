/// Body of `POST /v1/keys`.
public struct CreateKeyRequest: Codable, Hashable, Sendable {
  /// Display name of 1 to 64 characters.
  public var name: String?
  /// `checks`, `captures`, `scans`, `messages`, `webhooks`, `read`, `admin`; all scopes if omitted.
  public var scopes: [String]?
  /// Lifetime of the key in seconds; valid until revoked if omitted.
  public var expiresIn: Int?

  public enum CodingKeys: String, CodingKey, CaseIterable {
    case name, scopes
    case expiresIn = "expires_in"
  }

  public init(name: String? = nil, scopes: [String]? = nil, expiresIn: Int? = nil) {
    self.name = name
    self.scopes = scopes
    self.expiresIn = expiresIn
  }

  /// - Throws: ``UnknownKeyError`` for an undocumented key; `DecodingError` for wrong types.
  public init(from decoder: any Decoder) throws {
    try decoder.refuseStrayKeys(CodingKeys.self)
    let box = try decoder.container(keyedBy: CodingKeys.self)
    name = try box.decodeIfPresent(String.self, forKey: .name)
    scopes = try box.decodeIfPresent([String].self, forKey: .scopes)
    expiresIn = try box.decodeIfPresent(Int.self, forKey: .expiresIn)
  }
}

/// Body of `POST /v1/keys/{id}/rotation`.
public struct RotateKeyRequest: Codable, Hashable, Sendable {
  /// Time in seconds for which the old key remains valid beside the new one; one day if omitted.
  public var overlap: Int?

  public enum CodingKeys: String, CodingKey, CaseIterable { case overlap }

  public init(overlap: Int? = nil) {
    self.overlap = overlap
  }

  /// - Throws: ``UnknownKeyError`` for an undocumented key; `DecodingError` for wrong types.
  public init(from decoder: any Decoder) throws {
    try decoder.refuseStrayKeys(CodingKeys.self)
    overlap = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(Int.self, forKey: .overlap)
  }
}

/// An API key as shown to an administrator. The key itself is returned only once, when it is created.
public struct KeyResponse: Codable, Hashable, Sendable {
  /// Key ID: `key_` and 16 digits.
  public var id: String
  public var key: String?
  public var name: String?
  /// Scopes; omitted if the key has all of them.
  public var scopes: [String]?
  /// `good`, `expired` or `revoked`.
  public var state: String
  public var createdAt: String
  public var expiresAt: String?
  public var revokedAt: String?
  public var lastUsedAt: String?

  public enum CodingKeys: String, CodingKey {
    case id, key, name, scopes, state
    case createdAt = "created_at"
    case expiresAt = "expires_at"
    case revokedAt = "revoked_at"
    case lastUsedAt = "last_used_at"
  }

  public init(
    id: String, key: String?, name: String?, scopes: [String]?, state: String, createdAt: String, expiresAt: String?,
    revokedAt: String?, lastUsedAt: String?
  ) {
    self.id = id
    self.key = key
    self.name = name
    self.scopes = scopes
    self.state = state
    self.createdAt = createdAt
    self.expiresAt = expiresAt
    self.revokedAt = revokedAt
    self.lastUsedAt = lastUsedAt
  }
}

/// Response to `GET /v1/keys`.
public struct KeysResponse: Codable, Hashable, Sendable {
  public var keys: [KeyResponse]

  public init(keys: [KeyResponse]) {
    self.keys = keys
  }
}
