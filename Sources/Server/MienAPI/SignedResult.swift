/// Payload of a signed result: the verdict and its evidence, for verification by third parties.
public struct SignedResult: Codable, Hashable, Sendable {
  /// Issuer: always `mien`.
  public var issuer = "mien"
  /// Check ID.
  public var subject: String
  /// Time of the decision, in seconds since 1970-01-01T00:00:00Z.
  public var issuedAt: Int64
  /// `passed`, `failed` or `timed-out`.
  public var outcome: String
  public var reason: String?
  public var challenge: String
  /// Requested level, or the server's default; absent if tasks were requested without one.
  public var assurance: String?
  /// log₂ of the number of variants of the tasks that the server chose from, for one attempt.
  public var bitsOfChoice: Double
  public var person: String?
  public var reference: String?
  /// `observed`, `claimed` or `none`.
  public var source: String
  /// Basis of the verdict, from weakest to strongest: `none`, `claimed`, `depth`, `frames`.
  public var basis: String
  /// Versions of the settings used for the verdict; absent in checks that predate their storage.
  public var settings: String?
  public var findings: [FindingResponse]
  /// Commitment to the received frames; absent in checks that predate its storage.
  public var frames: Frames?
  /// Attempts before the decisive one, each with `outcome` and `reason`; absent if there were none.
  public var previousAttempts: [Attempt]?
  /// `match`, `no-match` or `not-assessed`, without the similarity; absent if the check had no reference image.
  public var match: String?

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
    /// Number of frames received.
    public var count: Int
    /// Method used to compute `chain`: `mien-frame-chain-1`.
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
    case outcome, reason, challenge, assurance, person, reference, source, basis, settings, findings, frames, match
    case bitsOfChoice = "bits_of_choice"
    case previousAttempts = "previous_attempts"
    case issuer = "iss"
    case subject = "sub"
    case issuedAt = "iat"
  }

  public init(
    subject: String, issuedAt: Int64, outcome: String, reason: String?, challenge: String, assurance: String?,
    bitsOfChoice: Double, person: String?, reference: String?, source: String, basis: String, settings: String?,
    findings: [FindingResponse],
    frames: Frames?,
    previousAttempts: [Attempt]? = nil, match: String? = nil
  ) {
    self.subject = subject
    self.issuedAt = issuedAt
    self.outcome = outcome
    self.reason = reason
    self.challenge = challenge
    self.assurance = assurance
    self.bitsOfChoice = bitsOfChoice
    self.person = person
    self.reference = reference
    self.source = source
    self.basis = basis
    self.settings = settings
    self.findings = findings
    self.frames = frames
    self.previousAttempts = previousAttempts
    self.match = match
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

  /// Creates a set with one ES256 key; coordinates in base64url.
  public init(kid: String, x: String, y: String) {
    keys = [Key(kid: kid, x: x, y: y)]
  }
}
