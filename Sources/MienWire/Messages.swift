/// The body of `POST /v1/messages`: a text and what locks it.
public struct CreateMessageRequest: Codable, Hashable, Sendable {
  /// A recording that is complete.
  public struct Recording: Codable, Hashable, Sendable {
    public var id: String
    public var token: String

    public enum CodingKeys: String, CodingKey, CaseIterable { case id, token }

    public init(id: String, token: String) {
      self.id = id
      self.token = token
    }

    /// - Throws: ``StrayKeyError`` for a key that is not in the document; `DecodingError` for wrong types.
    public init(from decoder: any Decoder) throws {
      try decoder.refuseStrayKeys(CodingKeys.self)
      let box = try decoder.container(keyedBy: CodingKeys.self)
      id = try box.decode(String.self, forKey: .id)
      token = try box.decode(String.self, forKey: .token)
    }
  }

  /// 1…100 characters as a person counts them.
  public var text: String
  /// The names of the expressions, 3…12; either these or a recording.
  public var steps: [String]?
  public var recording: Recording?
  /// `open` (the GIF shows the sequence) or `secret`; `open` when left out.
  public var mode: String?
  /// `bear` when left out.
  public var avatar: String?
  /// Wrong attempts, 1…100; 10 when left out.
  public var attempts: Int?
  /// Seconds to wait for one more attempt when they are used up, 10…86,400, doubling each time up to a day; an hour when left out.
  public var firstWait: Int?
  /// How often it may be opened, 1…100; left out: without end.
  public var views: Int?
  /// Seconds until it is over; 30 days when left out.
  public var expiresIn: Int?
  /// False when what a device claims to have seen opens it too, which a server must allow; true when left out: only frames do.
  public var requiresFrames: Bool?
  /// True when frames that passive signals refuse must not open it; asks for frames too.
  public var requiresPassive: Bool?

  public enum CodingKeys: String, CodingKey, CaseIterable {
    case text, steps, recording, mode, avatar, attempts, views
    case firstWait = "first_wait"
    case expiresIn = "expires_in"
    case requiresFrames = "requires_frames"
    case requiresPassive = "requires_passive"
  }

  /// A text under the names of 3…12 expressions; what else there is can be set afterwards.
  public init(text: String, steps: [String]) {
    self.text = text
    self.steps = steps
  }

  /// - Throws: ``StrayKeyError`` for a key that is not in the document; `DecodingError` for wrong types.
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
  }
}

/// What everybody may know of a message who has its number.
public struct MessageReply: Codable, Hashable, Sendable {
  /// The number, `XXXX-XXXX-XXXX-XXXX`.
  public var id: String
  /// `ready`, `waiting`, `locked`, `read`, `expired` or `deleted`.
  public var state: String
  public var mode: String
  public var avatar: String
  /// How many steps the sequence has.
  public var steps: Int
  /// When it is ready.
  public var attemptsLeft: Int?
  /// When it is waiting: from when on there is another attempt. RFC 3339, UTC.
  public var waitsUntil: String?
  /// Left out when there is no end to them.
  public var viewsLeft: Int?
  public var requiresFrames: Bool
  public var requiresPassive: Bool
  public var createdAt: String
  public var expiresAt: String
  /// The GIF, relative to the server; left out when the message is over.
  public var gif: String?
  /// In the reply to the sender only: deletes the message. It is shown here once and never again.
  public var receipt: String?

  public enum CodingKeys: String, CodingKey {
    case id, state, mode, avatar, steps, gif, receipt
    case attemptsLeft = "attempts_left"
    case waitsUntil = "waits_until"
    case viewsLeft = "views_left"
    case requiresFrames = "requires_frames"
    case requiresPassive = "requires_passive"
    case createdAt = "created_at"
    case expiresAt = "expires_at"
  }

  public init(
    id: String, state: String, mode: String, avatar: String, steps: Int, viewsLeft: Int?, requiresFrames: Bool,
    requiresPassive: Bool, createdAt: String, expiresAt: String
  ) {
    self.id = id
    self.state = state
    self.mode = mode
    self.avatar = avatar
    self.steps = steps
    self.viewsLeft = viewsLeft
    self.requiresFrames = requiresFrames
    self.requiresPassive = requiresPassive
    self.createdAt = createdAt
    self.expiresAt = expiresAt
  }
}

/// The reply to a picture that may show a message's number.
public struct NumberReply: Codable, Hashable, Sendable {
  /// `comment` or `pixels`: where the number stands; `damaged`: there is one whose check characters do not fit;
  /// `nothing`: there is none.
  public var found: String
  /// The number, `XXXX-XXXX-XXXX-XXXX`. Whether there is such a message was not looked up.
  public var id: String?

  public init(found: String, id: String?) {
    self.found = found
    self.id = id
  }
}
