public import MienCore

/// What `GET /v1/checks/{id}` returns: the check and, when decided, its verdict with findings and evidence.
public struct ResultResponse: Codable, Hashable, Sendable {
  public var id: String
  /// `open`, `passed`, `failed` or `timed-out`.
  public var state: String
  /// `turn-left`, `turn-right`, or `tasks`.
  public var challenge: String
  /// The kinds of the tasks, in their order.
  public var tasks: [String]?
  public var person: String?
  public var reference: String?
  public var createdAt: String
  public var expiresAt: String
  public var decidedAt: String?
  public var reason: String?
  /// `observed` (our code saw it in the pixels), `claimed` (a device said so) or `none`.
  public var source: String?
  /// What the verdict rests on, from the least to the most: `none`, `claimed`, `depth`, `frames`.
  public var assurance: String?
  /// What the check may be judged on: some of `observed`, `claimed` and `depth`.
  public var sources: [String]
  public var frames: Int?
  public var findings: [FindingResponse]
  public var evidence: EvidenceResponse?
  /// The result as a compact JWS (``SignedResult``), for those who were not there; once decided.
  public var signed: String?
  /// The attempts before the one that decided; left out when there were none.
  public var earlier: [AttemptResponse]?
  /// The images that are kept, the face image first; left out when none was asked for.
  public var images: [ImageResponse]?
  /// `pending`, `ready` or `failed`; left out when no film was asked for or it is gone. `GET …/clip` has it.
  public var clip: String?

  public enum CodingKeys: String, CodingKey {
    case id, state, challenge, tasks, person, reference, reason, source, assurance, sources, frames, findings, evidence,
      signed, earlier
    case images, clip
    case createdAt = "created_at"
    case expiresAt = "expires_at"
    case decidedAt = "decided_at"
  }

  public init(
    id: String, state: String, challenge: String, tasks: [String]? = nil, person: String?, reference: String?,
    createdAt: String,
    expiresAt: String, decidedAt: String?, reason: String?, source: String?, assurance: String?,
    sources: [String], frames: Int?, findings: [FindingResponse],
    evidence: EvidenceResponse?, signed: String? = nil, earlier: [AttemptResponse]? = nil,
    images: [ImageResponse]? = nil,
    clip: String? = nil
  ) {
    self.id = id
    self.state = state
    self.challenge = challenge
    self.tasks = tasks
    self.person = person
    self.reference = reference
    self.createdAt = createdAt
    self.expiresAt = expiresAt
    self.decidedAt = decidedAt
    self.reason = reason
    self.source = source
    self.assurance = assurance
    self.sources = sources
    self.frames = frames
    self.findings = findings
    self.evidence = evidence
    self.signed = signed
    self.earlier = earlier
    self.images = images
    self.clip = clip
  }
}

/// An attempt that did not pass.
public struct AttemptResponse: Codable, Hashable, Sendable {
  /// `failed` or `timed-out`.
  public var outcome: String
  public var reason: String
  /// RFC 3339, UTC.
  public var endedAt: String

  public enum CodingKeys: String, CodingKey {
    case outcome, reason
    case endedAt = "ended_at"
  }

  public init(outcome: String, reason: String, endedAt: String) {
    self.outcome = outcome
    self.reason = reason
    self.endedAt = endedAt
  }
}

/// A kept image of a check.
public struct ImageResponse: Codable, Hashable, Sendable {
  /// `reference` (the face image) or `audit`.
  public var kind: String
  /// Where it is, on this server; for the API key.
  public var url: String
  /// The face as `[x, y, width, height]`, fractions of the image.
  public var box: [Float]

  public init(kind: String, url: String, box: [Float]) {
    self.kind = kind
    self.url = url
    self.box = box
  }
}

/// One finding: a measure with its score, or why there is none.
public struct FindingResponse: Codable, Hashable, Sendable {
  public var check: String
  /// `genuine`, `suspect` or `not-assessed`.
  public var result: String
  public var native: Double?
  public var score: Double?
  public var calibration: String?
  public var reason: String?

  public init(_ finding: Finding) {
    check = finding.check
    switch finding.result {
    case .genuine(let measure):
      (result, native, score, calibration) = ("genuine", measure.native, measure.score.value, measure.calibration)
    case .suspect(let measure, let because):
      (result, native, score, calibration) = ("suspect", measure.native, measure.score.value, measure.calibration)
      reason = because
    case .notAssessed(let obstacle):
      result = "not-assessed"
      reason = obstacle.code
    }
  }
}

/// The yaw angles in degrees (+ = the subject's left) that the verdict rests on.
public struct EvidenceResponse: Codable, Hashable, Sendable {
  public var wayOut: [Float]
  public var wayBack: [Float]

  public enum CodingKeys: String, CodingKey {
    case wayOut = "way_out"
    case wayBack = "way_back"
  }

  public init(wayOut: [Float], wayBack: [Float]) {
    self.wayOut = wayOut
    self.wayBack = wayBack
  }
}
