/// Response to `GET /v1/checks`: a page of the list, newest first.
public struct CheckListResponse: Codable, Hashable, Sendable {
  public var checks: [CheckSummaryResponse]
  /// Value of `after` for the next page; omitted on the last.
  public var next: String?

  public init(checks: [CheckSummaryResponse], next: String?) {
    self.checks = checks
    self.next = next
  }
}

/// A check as listed: what it was created with, and its outcome, without any measure of a face.
public struct CheckSummaryResponse: Codable, Hashable, Sendable {
  public var id: String
  /// `open`, `passed`, `failed` or `timed-out`.
  public var state: String
  public var assurance: String?
  public var person: String?
  public var reference: String?
  public var createdAt: String
  public var expiresAt: String
  public var decidedAt: String?
  public var reason: String?
  /// `observed`, `claimed` or `none`.
  public var source: String?
  /// `none`, `claimed`, `depth` or `frames`.
  public var basis: String?

  public enum CodingKeys: String, CodingKey {
    case id, state, assurance, person, reference, reason, source, basis
    case createdAt = "created_at"
    case expiresAt = "expires_at"
    case decidedAt = "decided_at"
  }

  public init(
    id: String, state: String, assurance: String?, person: String?, reference: String?, createdAt: String,
    expiresAt: String, decidedAt: String?, reason: String?, source: String?, basis: String?
  ) {
    self.id = id
    self.state = state
    self.assurance = assurance
    self.person = person
    self.reference = reference
    self.createdAt = createdAt
    self.expiresAt = expiresAt
    self.decidedAt = decidedAt
    self.reason = reason
    self.source = source
    self.basis = basis
  }
}

/// Response to `GET /v1/captures`: a page of the list, newest first.
public struct CaptureListResponse: Codable, Hashable, Sendable {
  public var captures: [CaptureSummaryResponse]
  /// Value of `after` for the next page; omitted on the last.
  public var next: String?

  public init(captures: [CaptureSummaryResponse], next: String?) {
    self.captures = captures
    self.next = next
  }
}

/// A capture as listed, without the results of its analysis and without its claims.
public struct CaptureSummaryResponse: Codable, Hashable, Sendable {
  public var id: String
  /// `queued`, `analyzed` or `hash-only`.
  public var state: String
  /// Check whose token created the capture; omitted if an API key did.
  public var check: String?
  /// Total size of the stored files.
  public var bytes: Int
  /// `image/jpeg` or `image/png`; omitted if only the digest was sent.
  public var photoType: String?
  public var hasDepth: Bool
  public var hasMotion: Bool
  public var isSigned: Bool
  public var receivedAt: String

  public enum CodingKeys: String, CodingKey {
    case id, state, check, bytes
    case photoType = "photo_type"
    case hasDepth = "has_depth"
    case hasMotion = "has_motion"
    case isSigned = "is_signed"
    case receivedAt = "received_at"
  }

  public init(
    id: String, state: String, check: String?, bytes: Int, photoType: String?, hasDepth: Bool, hasMotion: Bool,
    isSigned: Bool, receivedAt: String
  ) {
    self.id = id
    self.state = state
    self.check = check
    self.bytes = bytes
    self.photoType = photoType
    self.hasDepth = hasDepth
    self.hasMotion = hasMotion
    self.isSigned = isSigned
    self.receivedAt = receivedAt
  }
}

/// Response to `GET /v1/messages`: a page of the list, newest first.
public struct MessageListResponse: Codable, Hashable, Sendable {
  public var messages: [MessageResponse]
  /// Value of `after` for the next page; omitted on the last.
  public var next: String?

  public init(messages: [MessageResponse], next: String?) {
    self.messages = messages
    self.next = next
  }
}
