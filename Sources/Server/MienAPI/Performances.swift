/// The body of `POST /v1/messages/{id}/unlock`; it may be left out.
public struct UnlockRequest: Codable, Hashable, Sendable {
  /// True to take the person's neutral face for a second first.
  public var calibrate: Bool?

  public enum CodingKeys: String, CodingKey, CaseIterable { case calibrate }

  public init(calibrate: Bool? = nil) {
    self.calibrate = calibrate
  }

  /// - Throws: ``UnknownKeyError`` for a key that is not in the document; `DecodingError` for wrong types.
  public init(from decoder: any Decoder) throws {
    try decoder.refuseStrayKeys(CodingKeys.self)
    calibrate = try decoder.container(keyedBy: CodingKeys.self).decodeIfPresent(Bool.self, forKey: .calibrate)
  }
}

/// The body of `POST /v1/messages/recordings`; it may be left out.
public struct RecordingRequest: Codable, Hashable, Sendable {
  /// How many steps, 3…12; 5 when left out.
  public var steps: Int?
  /// True to take the person's neutral face for a second first.
  public var calibrate: Bool?

  public enum CodingKeys: String, CodingKey, CaseIterable { case steps, calibrate }

  /// - Throws: ``UnknownKeyError`` for a key that is not in the document; `DecodingError` for wrong types.
  public init(from decoder: any Decoder) throws {
    try decoder.refuseStrayKeys(CodingKeys.self)
    let box = try decoder.container(keyedBy: CodingKeys.self)
    steps = try box.decodeIfPresent(Int.self, forKey: .steps)
    calibrate = try box.decodeIfPresent(Bool.self, forKey: .calibrate)
  }
}

/// A performance that can begin.
public struct PerformanceResponse: Codable, Hashable, Sendable {
  public var id: String
  /// Shown here once and never again.
  public var token: String
  /// How many places there are.
  public var steps: Int
  /// RFC 3339, UTC.
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

/// What the server says after each frame of a performance; the client shows it and decides nothing.
public struct PerformanceStepResponse: Codable, Hashable, Sendable {
  /// `calibrating`, `performing`, and final: `recorded`, `opened`, `wrong`, `suspect`, `locked`, `expired`, `gone`.
  public var state: String
  /// `one-face`, `no-face` or `several-faces`.
  public var face: String
  /// The expression that is being seen.
  public var seen: String?
  /// How much of the hold, or of the calibration, is done, 0…1.
  public var hold: Float
  /// False while the face has to relax before an expression counts.
  public var neutral: Bool
  /// The places that are filled, by the names of what was performed.
  public var performed: [String]
  public var count: Int
  /// True when the expression before was performed again, which fills no place.
  public var repeated: Bool
  /// `observed` (frames), or `claimed` (what a device says it saw).
  public var source: String
  public var remainingMilliseconds: Int
  /// The message; in `opened` only.
  public var text: String?
  /// In `opened`, unless there is no end to them.
  public var viewsLeft: Int?
  /// In `wrong`.
  public var attemptsLeft: Int?
  /// In `locked`, unless it is locked for good. RFC 3339, UTC.
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
