public import MienCore

/// Response to `GET /v1/checks/{id}`: the check and, once decided, its verdict with findings and evidence.
public struct ResultResponse: Codable, Hashable, Sendable {
  public var id: String
  /// `open`, `passed`, `failed` or `timed-out`.
  public var state: String
  /// `turn-left`, `turn-right`, or `tasks`.
  public var challenge: String
  /// Requested level, or the server's default: `basic`, `standard` or `high` (`AssuranceLevel`); omitted if tasks were
  /// requested without one.
  public var assurance: String?
  /// log₂ of the number of variants of the tasks that the server chose from, for one attempt.
  public var bitsOfChoice: Double
  /// Kinds of the tasks, in order.
  public var tasks: [String]?
  public var person: String?
  public var reference: String?
  public var createdAt: String
  public var expiresAt: String
  public var decidedAt: String?
  public var reason: String?
  /// Conditions that a person who did not pass can change before trying again; omitted if there are none.
  public var feedback: [FeedbackResponse]?
  /// `observed` (detected in the pixels by the server), `claimed` (reported by a device) or `none`.
  public var source: String?
  /// Basis of the verdict, from weakest to strongest: `none`, `claimed`, `depth`, `frames`.
  public var basis: String?
  /// Accepted sources of evidence: some of `observed`, `claimed` and `depth`.
  public var sources: [String]
  public var frames: Int?
  public var findings: [FindingResponse]
  /// Signals that were assessed and those that were not; present once decided.
  public var signals: SignalsResponse?
  public var evidence: EvidenceResponse?
  /// Result as a compact JWS (``SignedResult``) for third parties; present once decided.
  public var signed: String?
  /// Attempts before the decisive one; omitted if there were none.
  public var previousAttempts: [AttemptResponse]?
  /// Stored images, the face image first; omitted if none were requested.
  public var images: [ImageResponse]?
  /// `pending`, `ready` or `failed`; omitted if no video was requested or it was deleted. `GET …/clip` returns it.
  public var clip: String?
  /// Comparison with the reference image; present once decided, if there was one.
  public var match: MatchResponse?

  public enum CodingKeys: String, CodingKey {
    case id, state, challenge, assurance, tasks, person, reference, reason, feedback, source, basis, sources, frames,
      findings, signals, evidence, signed
    case bitsOfChoice = "bits_of_choice"
    case previousAttempts = "previous_attempts"
    case images, clip, match
    case createdAt = "created_at"
    case expiresAt = "expires_at"
    case decidedAt = "decided_at"
  }

  public init(
    id: String, state: String, challenge: String, assurance: String?, bitsOfChoice: Double, tasks: [String]? = nil,
    person: String?, reference: String?, createdAt: String,
    expiresAt: String, decidedAt: String?, reason: String?, feedback: [FeedbackResponse]? = nil, source: String?,
    basis: String?, sources: [String], frames: Int?, findings: [FindingResponse], signals: SignalsResponse?,
    evidence: EvidenceResponse?, signed: String? = nil, previousAttempts: [AttemptResponse]? = nil,
    images: [ImageResponse]? = nil,
    clip: String? = nil, match: MatchResponse? = nil
  ) {
    self.id = id
    self.state = state
    self.challenge = challenge
    self.assurance = assurance
    self.bitsOfChoice = bitsOfChoice
    self.tasks = tasks
    self.person = person
    self.reference = reference
    self.createdAt = createdAt
    self.expiresAt = expiresAt
    self.decidedAt = decidedAt
    self.reason = reason
    self.feedback = feedback
    self.source = source
    self.basis = basis
    self.sources = sources
    self.frames = frames
    self.findings = findings
    self.signals = signals
    self.evidence = evidence
    self.signed = signed
    self.previousAttempts = previousAttempts
    self.images = images
    self.clip = clip
    self.match = match
  }
}

/// An attempt that did not pass.
public struct AttemptResponse: Codable, Hashable, Sendable {
  /// `failed`, `timed-out`, or `interrupted` for one that was not counted.
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

/// A stored image of a check.
public struct ImageResponse: Codable, Hashable, Sendable {
  /// `reference` (the face image) or `audit`.
  public var kind: String
  /// URL of the image on this server; requires the API key.
  public var url: String
  /// Face box as `[x, y, width, height]`, fractions of the image.
  public var box: [Float]

  public init(kind: String, url: String, box: [Float]) {
    self.kind = kind
    self.url = url
    self.box = box
  }
}

/// A finding: a measure with its score, or the reason why it was not assessed.
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

/// Signals of a verdict: the tasks, the depth gate, and the passive signals.
public struct SignalsResponse: Codable, Hashable, Sendable {
  /// Names of the signals with a measure, in the order of the findings.
  public var assessed: [String]
  public var notAssessed: [Unassessed]

  public struct Unassessed: Codable, Hashable, Sendable {
    public var signal: String
    /// Reason of the finding, `turned-off` (the server does not compute the signal), or `no-frames` (the verdict does not
    /// rest on frames).
    public var reason: String

    public init(signal: String, reason: String) {
      self.signal = signal
      self.reason = reason
    }
  }

  public enum CodingKeys: String, CodingKey {
    case assessed
    case notAssessed = "not_assessed"
  }

  public init(assessed: [String], notAssessed: [Unassessed]) {
    self.assessed = assessed
    self.notAssessed = notAssessed
  }
}

/// Yaw angles in degrees (+ = the subject's left) on which the verdict is based.
public struct EvidenceResponse: Codable, Hashable, Sendable {
  public var outboundPath: [Float]
  public var returnPath: [Float]

  public enum CodingKeys: String, CodingKey {
    case outboundPath = "outbound_path"
    case returnPath = "return_path"
  }

  public init(outboundPath: [Float], returnPath: [Float]) {
    self.outboundPath = outboundPath
    self.returnPath = returnPath
  }
}

/// Response to `POST /v1/faces`.
public struct FacePreviewResponse: Codable, Hashable, Sendable {
  /// `no-face`, `one-face` or `several-faces`.
  public var face: String
  /// Face box as fractions of the image: left, top, width, height.
  public var box: [Float]?
  /// Yaw in degrees; + is to the subject's left.
  public var yaw: Float?
  /// Pitch in degrees; + is up.
  public var pitch: Float?
  /// Codes of `FramingHint` for a better image.
  public var hints: [String]

  public init(faceCount: Int, box: FaceBox?, pose: HeadPose?, hints: [FramingHint]) {
    face = faceCount == 0 ? "no-face" : faceCount == 1 ? "one-face" : "several-faces"
    self.box = box.map { [$0.x, $0.y, $0.width, $0.height].map { ($0 * 1000).rounded() / 1000 } }
    yaw = pose.map { ($0.yaw * 10).rounded() / 10 }
    pitch = pose.map { ($0.pitch * 10).rounded() / 10 }
    self.hints = hints.map(\.rawValue)
  }
}

extension FacePreviewResponse: CustomStringConvertible, CustomReflectable {
  public var description: String { "FacePreviewResponse(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
