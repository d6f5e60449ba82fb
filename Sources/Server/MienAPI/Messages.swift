/// Body of `POST /v1/messages`: a text and its lock.
public struct CreateMessageRequest: Codable, Hashable, Sendable {
  /// Reference to a completed recording.
  public struct Recording: Codable, Hashable, Sendable {
    public var id: String
    public var token: String

    public enum CodingKeys: String, CodingKey, CaseIterable { case id, token }

    public init(id: String, token: String) {
      self.id = id
      self.token = token
    }

    /// - Throws: ``UnknownKeyError`` for an undocumented key; `DecodingError` for wrong types.
    public init(from decoder: any Decoder) throws {
      try decoder.refuseStrayKeys(CodingKeys.self)
      let box = try decoder.container(keyedBy: CodingKeys.self)
      id = try box.decode(String.self, forKey: .id)
      token = try box.decode(String.self, forKey: .token)
    }
  }

  /// Text of 1…100 characters (grapheme clusters).
  public var text: String
  /// Names of the expressions, 3…12; mutually exclusive with `recording`.
  public var steps: [String]?
  public var recording: Recording?
  /// `open` (the GIF shows the sequence) or `secret`; `open` if omitted.
  public var mode: String?
  /// Avatar name; `bear` if omitted.
  public var avatar: String?
  /// Number of wrong attempts allowed, 1…100; 10 if omitted.
  public var attempts: Int?
  /// Seconds to wait for one more attempt when they are used up, 10…86,400, doubling each time up to a day; an hour if
  /// omitted.
  public var firstWait: Int?
  /// Number of times the message can be opened, 1…100; unlimited if omitted.
  public var views: Int?
  /// Seconds until the message expires; 30 days if omitted.
  public var expiresIn: Int?
  /// `false` if observations that a device claims can open the message, too, which the server must allow; `true` (frames
  /// only) if omitted.
  public var requiresFrames: Bool?
  /// `true` if frames rejected by passive signals cannot open the message; implies `requiresFrames`.
  public var requiresPassive: Bool?
  /// `true` if only the holder of the message's link can try to open it; the response contains its secret part.
  public var requiresLink: Bool?

  public enum CodingKeys: String, CodingKey, CaseIterable {
    case text, steps, recording, mode, avatar, attempts, views
    case firstWait = "first_wait"
    case expiresIn = "expires_in"
    case requiresFrames = "requires_frames"
    case requiresPassive = "requires_passive"
    case requiresLink = "requires_link"
  }

  /// Creates a request from a text and the names of 3…12 expressions; the other properties can be set afterwards.
  public init(text: String, steps: [String]) {
    self.text = text
    self.steps = steps
  }

  /// - Throws: ``UnknownKeyError`` for an undocumented key; `DecodingError` for wrong types.
  public init(from decoder: any Decoder) throws {
    try decoder.refuseStrayKeys(CodingKeys.self)
    let box = try decoder.container(keyedBy: CodingKeys.self)
    text = try box.decode(String.self, forKey: .text)
    steps = try box.decodeIfPresent([String].self, forKey: .steps)
    recording = try box.decodeIfPresent(Recording.self, forKey: .recording)
    mode = try box.decodeIfPresent(String.self, forKey: .mode)
    avatar = try box.decodeIfPresent(String.self, forKey: .avatar)
    attempts = try box.decodeIfPresent(Int.self, forKey: .attempts)
    firstWait = try box.decodeIfPresent(Int.self, forKey: .firstWait)
    views = try box.decodeIfPresent(Int.self, forKey: .views)
    expiresIn = try box.decodeIfPresent(Int.self, forKey: .expiresIn)
    requiresFrames = try box.decodeIfPresent(Bool.self, forKey: .requiresFrames)
    requiresPassive = try box.decodeIfPresent(Bool.self, forKey: .requiresPassive)
    requiresLink = try box.decodeIfPresent(Bool.self, forKey: .requiresLink)
  }
}

/// Public state of a message, visible to every client that has its ID.
public struct MessageResponse: Codable, Hashable, Sendable {
  /// Message ID, `XXXX-XXXX-XXXX-XXXX`.
  public var id: String
  /// `ready`, `waiting`, `locked`, `read`, `expired` or `deleted`.
  public var state: String
  public var mode: String
  public var avatar: String
  /// Number of steps in the sequence.
  public var steps: Int
  /// Names of the expressions that the GIF shows, in order; only for an `open` message that can be opened.
  public var expressions: [String]?
  /// Number of attempts left; in `ready` only.
  public var attemptsLeft: Int?
  /// Time of the next attempt, RFC 3339 in UTC; in `waiting` only.
  public var waitsUntil: String?
  /// Number of views left; omitted if unlimited.
  public var viewsLeft: Int?
  public var requiresFrames: Bool
  public var requiresPassive: Bool
  public var requiresLink: Bool
  public var createdAt: String
  public var expiresAt: String
  /// Path of the GIF, relative to the server; omitted once the message is no longer available.
  public var gif: String?
  /// Secret that authorizes deletion of the message; returned only once, to the sender.
  public var receipt: String?
  /// Secret part of the link, if only its holder can open the message: `/decode#ID/KEY`. Returned only once, to the sender.
  public var linkKey: String?

  public enum CodingKeys: String, CodingKey {
    case id, state, mode, avatar, steps, expressions, gif, receipt
    case attemptsLeft = "attempts_left"
    case waitsUntil = "waits_until"
    case viewsLeft = "views_left"
    case requiresFrames = "requires_frames"
    case requiresPassive = "requires_passive"
    case requiresLink = "requires_link"
    case linkKey = "link_key"
    case createdAt = "created_at"
    case expiresAt = "expires_at"
  }

  public init(
    id: String, state: String, mode: String, avatar: String, steps: Int, viewsLeft: Int?, requiresFrames: Bool,
    requiresPassive: Bool, requiresLink: Bool, createdAt: String, expiresAt: String
  ) {
    self.id = id
    self.state = state
    self.mode = mode
    self.avatar = avatar
    self.steps = steps
    self.viewsLeft = viewsLeft
    self.requiresFrames = requiresFrames
    self.requiresPassive = requiresPassive
    self.requiresLink = requiresLink
    self.createdAt = createdAt
    self.expiresAt = expiresAt
  }
}

/// Response to an image that may show a message ID.
public struct MessageIDResponse: Codable, Hashable, Sendable {
  /// `comment` or `pixels`: the location of the ID; `damaged`: the check characters do not match; `nothing`: no ID was
  /// found.
  public var found: String
  /// Message ID, `XXXX-XXXX-XXXX-XXXX`. The message need not exist.
  public var id: String?

  public init(found: String, id: String?) {
    self.found = found
    self.id = id
  }
}
