public import MienCore

/// Body of `POST /v1/checks`, sent by the integrator's backend.
public struct CreateCheckRequest: Codable, Hashable, Sendable {
  /// Strength of the tasks: `basic`, `standard` or `high` (`AssuranceLevel`); the server's default if omitted. With
  /// `tasks` or `challenge`, the minimum that they must reach.
  public var assurance: String?
  /// `turn-left` or `turn-right` (the subject's own sides); tasks if omitted.
  public var challenge: String?
  /// Pseudonym of the person, which selects their own depth thresholds.
  public var person: String?
  /// Pseudonym of the device, for counting its failures.
  public var device: String?
  /// `true` if the device will send depth captures.
  public var depth: Bool?
  /// Reference chosen by the integrator, up to 128 characters.
  public var reference: String?
  /// Tasks in order; those of `assurance` if empty or omitted.
  public var tasks: [TaskRequest]?
  /// Abilities of the person, out of `neck`, `eyelids`, `mouth` and `sight`; all of them if omitted. A task that
  /// requires others is replaced by its equivalent.
  public var abilities: [String]?
  /// Number of attempts, 1…5. If omitted, up to three, after failures that show a person in difficulty.
  public var attempts: Int?
  /// Number of audit images to store in addition to the face image, 0…4; no image is stored if omitted.
  public var auditImages: Int?
  /// `true` to store a video of the frames.
  public var clip: Bool?
  /// Accepted sources of evidence, out of `observed` (frames), `claimed` and `depth`; frames only if omitted.
  public var sources: [String]?
  /// `true` to allow the check's token to send one depth scan.
  public var scan: Bool?
  /// `true` to allow the check's token to send captures.
  public var capture: Bool?
  /// A picture of the person to compare the face with: JPEG, PNG, HEIC, AVIF or WebP in base64 (RFC 4648, section 4).
  public var referenceImage: String?
  /// `match` to compare the face with the person's template, or `enroll` to keep the template of the check, if it
  /// passes, for a day, so that the person can be enrolled.
  public var template: String?
  /// URL to which the check's page returns the person; the operator must have allowed its origin.
  public var returnURL: String?

  public enum CodingKeys: String, CodingKey, CaseIterable {
    case assurance, challenge, person, device, depth, reference, tasks, abilities, attempts, clip, sources, scan,
      capture, template
    case auditImages = "audit_images"
    case referenceImage = "reference_image"
    case returnURL = "return_url"
  }

  public init(
    assurance: AssuranceLevel? = nil, challenge: String? = nil, person: String? = nil, device: String? = nil,
    depth: Bool? = nil, reference: String? = nil,
    tasks: [TaskRequest]? = nil, abilities: [String]? = nil, attempts: Int? = nil, auditImages: Int? = nil,
    clip: Bool? = nil, sources: [String]? = nil, scan: Bool? = nil, capture: Bool? = nil,
    referenceImage: String? = nil, template: String? = nil, returnURL: String? = nil
  ) {
    self.assurance = assurance?.rawValue
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
    self.capture = capture
    self.referenceImage = referenceImage
    self.template = template
    self.returnURL = returnURL
  }

  /// - Throws: ``UnknownKeyError`` for an undocumented key; `DecodingError` for wrong types.
  public init(from decoder: any Decoder) throws {
    try decoder.refuseStrayKeys(CodingKeys.self)
    let box = try decoder.container(keyedBy: CodingKeys.self)
    assurance = try box.decodeIfPresent(String.self, forKey: .assurance)
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
    capture = try box.decodeIfPresent(Bool.self, forKey: .capture)
    referenceImage = try box.decodeIfPresent(String.self, forKey: .referenceImage)
    template = try box.decodeIfPresent(String.self, forKey: .template)
    returnURL = try box.decodeIfPresent(String.self, forKey: .returnURL)
  }
}

/// Wire names of the challenges.
public enum ChallengeName {
  /// Challenge of a check with tasks.
  public static let tasks = "tasks"

  /// Returns `turn-left` or `turn-right`.
  public static func text(_ side: Side) -> String { side == .subjectLeft ? "turn-left" : "turn-right" }

  /// Returns the side for a challenge name, or `nil` for other names.
  public static func side(_ text: String) -> Side? {
    switch text {
    case "turn-left": .subjectLeft
    case "turn-right": .subjectRight
    default: nil
    }
  }
}

/// Response to the creation of a check. The token is returned only here.
public struct CreateCheckResponse: Codable, Hashable, Sendable {
  public var id: String
  public var token: String
  /// Expiration time, RFC 3339 in UTC.
  public var expiresAt: String
  /// Address of the page on which the person performs the check: relative to the server unless it knows its public
  /// address.
  public var page: String

  public enum CodingKeys: String, CodingKey {
    case id, token, page
    case expiresAt = "expires_at"
  }

  /// - Parameters:
  ///   - id: ID of the check.
  ///   - token: token of the check.
  ///   - expiresAt: end of the token's validity, in RFC 3339.
  ///   - publicURL: public origin of the server.
  public init(id: String, token: String, expiresAt: String, publicURL: String? = nil) {
    self.id = id
    self.token = token
    self.expiresAt = expiresAt
    page = "\(publicURL ?? "")/check#id=\(id)&token=\(token)"
  }
}

/// Response to `GET /v1/checks/{id}/page`: data of a check for its page.
public struct CheckPageResponse: Codable, Hashable, Sendable {
  /// `waiting`, `running`, `passed`, `failed` or `timed-out`.
  public var state: String
  /// Stable reason code if failed or timed out.
  public var reason: String?
  /// Completed fraction of all tasks, 0…1; only while the check is `running`.
  public var progress: Float?
  /// The current task; only while the check is `running`.
  public var task: Task?
  /// URL to which the page returns the person.
  public var returnURL: String?
  /// Public origin of the server, if the server knows it.
  public var publicURL: String?

  public enum CodingKeys: String, CodingKey {
    case state, reason, progress, task
    case returnURL = "return_url"
    case publicURL = "public_url"
  }

  /// Position of a task in a check.
  public struct Task: Codable, Hashable, Sendable {
    /// Index of the task out of `count`, from 0.
    public var index: Int
    public var count: Int

    public init(index: Int, count: Int) {
      self.index = index
      self.count = count
    }
  }

  public init(
    state: String, reason: String?, progress: Float? = nil, task: Task? = nil, returnURL: String?, publicURL: String?
  ) {
    self.state = state
    self.reason = reason
    self.progress = progress
    self.task = task
    self.returnURL = returnURL
    self.publicURL = publicURL
  }
}

/// Optional body of `POST /v1/demo/checks`.
public struct DemoCheckRequest: Codable, Hashable, Sendable {
  /// Abilities of the person, out of `neck`, `eyelids`, `mouth` and `sight`; all of them if omitted.
  public var abilities: [String]?
  /// A picture to compare the face with: JPEG, PNG, HEIC, AVIF or WebP in base64 (RFC 4648, section 4).
  public var referenceImage: String?

  public enum CodingKeys: String, CodingKey, CaseIterable {
    case abilities
    case referenceImage = "reference_image"
  }

  public init(abilities: [String]? = nil, referenceImage: String? = nil) {
    self.abilities = abilities
    self.referenceImage = referenceImage
  }

  /// - Throws: ``UnknownKeyError`` for an undocumented key; `DecodingError` for wrong types.
  public init(from decoder: any Decoder) throws {
    try decoder.refuseStrayKeys(CodingKeys.self)
    let box = try decoder.container(keyedBy: CodingKeys.self)
    abilities = try box.decodeIfPresent([String].self, forKey: .abilities)
    referenceImage = try box.decodeIfPresent(String.self, forKey: .referenceImage)
  }
}

/// Response to an enrollment: the number of captures used and the current version of the person's thresholds.
public struct EnrollmentResponse: Codable, Hashable, Sendable {
  public var person: String
  public var version: Int
  public var captures: Int

  public init(person: String, version: Int, captures: Int) {
    self.person = person
    self.version = version
    self.captures = captures
  }
}
