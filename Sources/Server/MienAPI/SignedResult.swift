/// The payload of a signed result: the verdict and what it rests on, for whoever was not there.
public struct SignedResult: Codable, Hashable, Sendable {
  /// Who judged: always `mien`.
  public var issuer = "mien"
  /// The check's id.
  public var subject: String
  /// When it was decided, in seconds since 1970-01-01T00:00:00Z.
  public var issuedAt: Int64
  /// `passed`, `failed` or `timed-out`.
  public var outcome: String
  public var reason: String?
  public var challenge: String
  public var person: String?
  public var reference: String?
  /// `observed`, `claimed` or `none`.
  public var source: String
  /// What the verdict rests on, from the least to the most: `none`, `claimed`, `depth`, `frames`.
  public var assurance: String
  /// The versions of the settings that the verdict was made under; absent in checks from before they were kept.
  public var settings: String?
  public var findings: [FindingResponse]
  /// What commits to the frames received; absent in checks from before it was kept.
  public var frames: Frames?
  /// The attempts before the one that decided, `outcome` and `reason` each; absent when there were none.
  public var earlier: [Attempt]?

  public struct Attempt: Codable, Hashable, Sendable {
    /// `failed` or `timed-out`.
    public var outcome: String
    public var reason: String

    public init(outcome: String, reason: String) {
      self.outcome = outcome
      self.reason = reason
    }
  }

  public struct Frames: Codable, Hashable, Sendable {
    /// How many frames were received.
    public var count: Int
    /// `mien-frame-chain-1`: how `chain` was computed.
    public var method: String
    /// 64 hexadecimal digits.
    public var chain: String

    public init(count: Int, chain: String) {
      self.count = count
      self.chain = chain
      method = "mien-frame-chain-1"
    }
  }

  public enum CodingKeys: String, CodingKey {
    case outcome, reason, challenge, person, reference, source, assurance, settings, findings, frames, earlier
    case issuer = "iss"
    case subject = "sub"
    case issuedAt = "iat"
  }

  public init(
    subject: String, issuedAt: Int64, outcome: String, reason: String?, challenge: String, person: String?,
    reference: String?, source: String, assurance: String, settings: String?, findings: [FindingResponse],
    frames: Frames?,
    earlier: [Attempt]? = nil
  ) {
    self.subject = subject
    self.issuedAt = issuedAt
    self.outcome = outcome
    self.reason = reason
    self.challenge = challenge
    self.person = person
    self.reference = reference
    self.source = source
    self.assurance = assurance
    self.settings = settings
    self.findings = findings
    self.frames = frames
    self.earlier = earlier
  }
}

/// A set of public keys (RFC 7517).
public struct KeySetResponse: Codable, Hashable, Sendable {
  public var keys: [Key]

  public struct Key: Codable, Hashable, Sendable {
    public var kty = "EC"
    public var crv = "P-256"
    public var use = "sig"
    public var alg = "ES256"
    public var kid: String
    public var x: String
    public var y: String
  }

  /// The set with one ES256 key; coordinates in base64url.
  public init(kid: String, x: String, y: String) {
    keys = [Key(kid: kid, x: x, y: y)]
  }
}
