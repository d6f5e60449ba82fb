/// Optional body of `POST /v1/messages/{id}/unlock`.
public struct UnlockRequest: Codable, Hashable, Sendable {
  /// Secret part of the message's link: what follows the message ID and a slash in its fragment.
  public var linkKey: String?

  public enum CodingKeys: String, CodingKey, CaseIterable {
    case linkKey = "link_key"
  }

  public init(linkKey: String? = nil) {
    self.linkKey = linkKey
  }

  /// - Throws: ``UnknownKeyError`` for an undocumented key; `DecodingError` for wrong types.
  public init(from decoder: any Decoder) throws {
    try decoder.refuseStrayKeys(CodingKeys.self)
    let box = try decoder.container(keyedBy: CodingKeys.self)
    linkKey = try box.decodeIfPresent(String.self, forKey: .linkKey)
  }
}

/// Optional body of `POST /v1/messages/recordings`.
public struct RecordingRequest: Codable, Hashable, Sendable {
  /// Number of steps, 3…12; 5 if omitted.
  public var steps: Int?

  public enum CodingKeys: String, CodingKey, CaseIterable { case steps }

  /// - Throws: ``UnknownKeyError`` for an undocumented key; `DecodingError` for wrong types.
  public init(from decoder: any Decoder) throws {
    try decoder.refuseStrayKeys(CodingKeys.self)
    let box = try decoder.container(keyedBy: CodingKeys.self)
    steps = try box.decodeIfPresent(Int.self, forKey: .steps)
  }
}

/// A performance that is ready to start.
public struct PerformanceResponse: Codable, Hashable, Sendable {
  public var id: String
  /// Bearer token; returned only once.
  public var token: String
  /// Number of steps in the sequence.
  public var steps: Int
  /// Expiration time, RFC 3339 in UTC.
  public var expiresAt: String

  public enum CodingKeys: String, CodingKey {
    case id, token, steps
    case expiresAt = "expires_at"
  }

  public init(id: String, token: String, steps: Int, expiresAt: String) {
    self.id = id
    self.token = token
    self.steps = steps
    self.expiresAt = expiresAt
  }
}

/// State after each frame of a performance; clients display it and make no decisions of their own.
public struct PerformanceStepResponse: Codable, Hashable, Sendable {
  /// `performing`, and final: `recorded`, `opened`, `wrong`, `suspect`, `locked`, `expired`, `gone`.
  public var state: String
  /// `one-face`, `no-face` or `several-faces`.
  public var face: String
  /// Expression currently detected.
  public var seen: String?
  /// Progress of holding the expression, 0…1.
  public var hold: Float
  /// `false` while the face must relax before another expression counts.
  public var neutral: Bool
  /// Names of the expressions performed so far.
  public var performed: [String]
  public var count: Int
  /// `true` if the previous expression was performed again, which does not count as a step.
  public var repeated: Bool
  /// `observed` (frames) or `claimed` (observations by the device).
  public var source: String
  public var remainingMilliseconds: Int
  /// Text of the message; in `opened` only.
  public var text: String?
  /// Number of views left; in `opened`, unless unlimited.
  public var viewsLeft: Int?
  /// Number of attempts left; in `wrong`.
  public var attemptsLeft: Int?
  /// Time of the next attempt, RFC 3339 in UTC; in `locked`, unless locked permanently.
  public var waitsUntil: String?

  public enum CodingKeys: String, CodingKey {
    case state, face, seen, hold, neutral, performed, count, repeated, source, text
    case remainingMilliseconds = "remaining_ms"
    case viewsLeft = "views_left"
    case attemptsLeft = "attempts_left"
    case waitsUntil = "waits_until"
  }

  public init(
    state: String, face: String, seen: String?, hold: Float, neutral: Bool, performed: [String], count: Int,
    repeated: Bool, source: String, remainingMilliseconds: Int
  ) {
    self.state = state
    self.face = face
    self.seen = seen
    self.hold = hold
    self.neutral = neutral
    self.performed = performed
    self.count = count
    self.repeated = repeated
    self.source = source
    self.remainingMilliseconds = remainingMilliseconds
  }
}
