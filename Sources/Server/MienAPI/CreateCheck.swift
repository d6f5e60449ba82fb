public import MienCore

/// The body of `POST /v1/checks`: what the integrator's backend asks for.
public struct CreateCheckRequest: Codable, Hashable, Sendable {
  /// `turn-left` or `turn-right` (the subject's own sides); left out, the check asks for tasks.
  public var challenge: String?
  /// The person's pseudonym, to use their own depth thresholds.
  public var person: String?
  /// The device's pseudonym, to count its failures.
  public var device: String?
  /// True when the device will send depth captures.
  public var depth: Bool?
  /// The integrator's own note, up to 128 characters.
  public var reference: String?
  /// What to ask, in this order; empty or left out: two tasks of chance.
  public var tasks: [TaskRequest]?
  /// What the person can do, of `neck`, `eyelids`, `mouth` and `sight`; left out: all of it. A task that asks for more is
  /// replaced by its twin.
  public var abilities: [String]?
  /// How often the person may try, 1…5; 1 when left out.
  public var attempts: Int?
  /// How many audit images to keep besides the face image, 0…4; left out: no image is kept.
  public var auditImages: Int?
  /// True to keep a film of the frames.
  public var clip: Bool?
  /// What the check may be judged on, of `observed` (frames), `claimed` and `depth`; left out: frames only.
  public var sources: [String]?
  /// True to let the check's token send one depth scan.
  public var scan: Bool?

  public enum CodingKeys: String, CodingKey, CaseIterable {
    case challenge, person, device, depth, reference, tasks, abilities, attempts, clip, sources, scan
    case auditImages = "audit_images"
  }

  public init(
    challenge: String? = nil, person: String? = nil, device: String? = nil, depth: Bool? = nil,
    reference: String? = nil,
    tasks: [TaskRequest]? = nil, abilities: [String]? = nil, attempts: Int? = nil, auditImages: Int? = nil,
    clip: Bool? = nil, sources: [String]? = nil, scan: Bool? = nil
  ) {
    self.challenge = challenge
    self.person = person
    self.device = device
    self.depth = depth
    self.reference = reference
    self.tasks = tasks
    self.abilities = abilities
    self.attempts = attempts
    self.auditImages = auditImages
    self.clip = clip
    self.sources = sources
    self.scan = scan
  }

  /// - Throws: ``UnknownKeyError`` for a key that is not in the document; `DecodingError` for wrong types.
  public init(from decoder: any Decoder) throws {
    try decoder.refuseStrayKeys(CodingKeys.self)
    let box = try decoder.container(keyedBy: CodingKeys.self)
    challenge = try box.decodeIfPresent(String.self, forKey: .challenge)
    person = try box.decodeIfPresent(String.self, forKey: .person)
    device = try box.decodeIfPresent(String.self, forKey: .device)
    depth = try box.decodeIfPresent(Bool.self, forKey: .depth)
    reference = try box.decodeIfPresent(String.self, forKey: .reference)
    tasks = try box.decodeIfPresent([TaskRequest].self, forKey: .tasks)
    abilities = try box.decodeIfPresent([String].self, forKey: .abilities)
    attempts = try box.decodeIfPresent(Int.self, forKey: .attempts)
    auditImages = try box.decodeIfPresent(Int.self, forKey: .auditImages)
    clip = try box.decodeIfPresent(Bool.self, forKey: .clip)
    sources = try box.decodeIfPresent([String].self, forKey: .sources)
    scan = try box.decodeIfPresent(Bool.self, forKey: .scan)
  }
}

/// The names of the challenges on the wire.
public enum ChallengeName {
  /// A check that asks for tasks.
  public static let tasks = "tasks"

  /// `turn-left` or `turn-right`.
  public static func text(_ side: Side) -> String { side == .subjectLeft ? "turn-left" : "turn-right" }

  /// The side a name asks for; nil for other names.
  public static func side(_ text: String) -> Side? {
    switch text {
    case "turn-left": .subjectLeft
    case "turn-right": .subjectRight
    default: nil
    }
  }
}

/// The reply to a created check. The token is shown here once and never again.
public struct CreateCheckResponse: Codable, Hashable, Sendable {
  public var id: String
  public var token: String
  /// RFC 3339, UTC.
  public var expiresAt: String
  /// Where the person can do the check in a browser, relative to the server.
  public var page: String

  public enum CodingKeys: String, CodingKey {
    case id, token, page
    case expiresAt = "expires_at"
  }

  public init(id: String, token: String, expiresAt: String) {
    self.id = id
    self.token = token
    self.expiresAt = expiresAt
    page = "/check#id=\(id)&token=\(token)"
  }
}
