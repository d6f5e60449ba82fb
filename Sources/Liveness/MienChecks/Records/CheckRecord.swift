public import MienCore
public import MienPlatform
public import MienWebhooks

/// The parameters that a check was created with, as stored.
public struct CheckRecord: Hashable, Sendable {
  public let id: CheckID
  public let token: SecretDigest
  public let created: UnixTime
  /// Time at which the token stops working and an undecided check counts as expired.
  public let expires: UnixTime
  /// Side that the head turn asks for; random unless the integrator specified one.
  public let side: Side
  public let person: PersonID?
  /// Device that the check is done on, if the integrator knows it.
  public let device: DeviceID?
  /// `true` if the device will send depth captures.
  public let expectsDepth: Bool
  /// The integrator's own reference, up to 128 characters; never interpreted.
  public let reference: String?
  /// Requested or default level; `nil` if tasks were requested without one.
  public let assurance: AssuranceLevel?
  /// log₂ of the number of variants of the tasks that the server chose from, for one attempt.
  public let bitsOfChoice: Double
  /// Tasks requested instead of the head turn; `nil` if only the head turn to `side` is requested.
  public let tasks: CheckTasks?
  /// Requested number of attempts, 1…5; `nil` for the default number, granted after certain failures only.
  public let attempts: Int?
  /// Number of audit images to store in addition to the face image, 0…4; `nil` if no images are stored.
  public let auditImages: Int?
  /// `true` if a clip of the frames is stored.
  public let keepsClip: Bool
  /// Kinds of observations that the check accepts.
  public let sources: CheckSources
  /// `true` if the check's token may be used to upload a depth scan.
  public let takesScan: Bool
  /// `true` if the check's token may be used to send captures.
  public let takesCaptures: Bool
  /// `true` if the person's app may choose the tasks before the check begins.
  public let takesTasks: Bool
  /// The face to compare with; `nil` if none was given, and once the check is decided.
  public let faceReference: FaceReference?
  /// Purpose for which the check uses the template of its person; `nil` if it uses none.
  public let templateUse: TemplateUse?
  /// Address that the check's page leads back to; `nil` if the integrator gave none.
  public let returnURL: String?

  public init(
    id: CheckID, token: SecretDigest, created: UnixTime, expires: UnixTime, side: Side, person: PersonID?,
    device: DeviceID? = nil, expectsDepth: Bool, reference: String?, assurance: AssuranceLevel? = nil,
    bitsOfChoice: Double = 0, tasks: CheckTasks? = nil, attempts: Int? = nil, auditImages: Int? = nil,
    keepsClip: Bool = false, sources: CheckSources = .observed, takesScan: Bool = false,
    takesCaptures: Bool = false, takesTasks: Bool = false, faceReference: FaceReference? = nil,
    templateUse: TemplateUse? = nil, returnURL: String? = nil
  ) {
    self.id = id
    self.token = token
    self.created = created
    self.expires = expires
    self.side = side
    self.person = person
    self.device = device
    self.expectsDepth = expectsDepth
    self.reference = reference
    self.assurance = assurance
    self.bitsOfChoice = bitsOfChoice
    self.tasks = tasks
    self.attempts = attempts
    self.auditImages = auditImages
    self.keepsClip = keepsClip
    self.sources = sources
    self.takesScan = takesScan
    self.takesCaptures = takesCaptures
    self.takesTasks = takesTasks
    self.faceReference = faceReference
    self.templateUse = templateUse
    self.returnURL = returnURL
  }

  /// `true` if the face is compared with a reference picture or with the person's template.
  var comparesFace: Bool { faceReference != nil || templateUse == .match }

  /// `true` if templates of the check's frames are needed, for a comparison or to enroll the person.
  var needsTemplates: Bool { faceReference?.isDeclined != true && (comparesFace || templateUse == .enroll) }

  var attemptPolicy: AttemptPolicy { AttemptPolicy(requested: attempts) }
}

/// The result of a check, as stored. Written once.
public struct CheckResult: Hashable, Sendable {
  public enum Outcome: String, Hashable, Sendable, CaseIterable {
    case passed
    case failed
    case timedOut = "timed-out"
  }

  /// Source of the evaluated observations. One check never mixes the two kinds.
  public enum Source: String, Hashable, Sendable, CaseIterable {
    /// The server made the observations in frames.
    case observed
    /// A device reported the observations.
    case claimed
    /// Nothing was evaluated.
    case none

    /// Basis of a verdict on observations from this source.
    public var basis: VerdictBasis {
      switch self {
      case .observed: .frames
      case .claimed: .claimed
      case .none: .none
      }
    }
  }

  public let outcome: Outcome
  /// Stable reason code; `nil` if the outcome is `passed`.
  public let reason: String?
  public let decided: UnixTime
  public let source: Source
  /// Evidence that the verdict rests on.
  public let basis: VerdictBasis
  /// Number of frames or observations evaluated.
  public let frames: Int
  public let findings: [Finding]
  /// Yaw angles in degrees on the way out and on the way back, if the challenge got that far.
  public let outboundPath: [Float]
  public let returnPath: [Float]
  /// Hash chain over the received frames; `nil` for checks stored before it was introduced.
  public let received: FrameHashChain?
  /// Version of the settings under which the check was decided; `nil` for checks stored before it was introduced.
  public let settings: String?
  /// Attempts before the deciding one, in order; empty for most checks.
  public let previousAttempts: [FailedAttempt]
  /// Side that the deciding attempt's head turn asked for, if it differs from the check's own.
  public let side: Side?
  /// Conditions that a person who did not pass can change; empty if the check passed.
  public let feedback: [CaptureCondition]

  public init(
    outcome: Outcome, reason: String?, decided: UnixTime, source: Source, basis: VerdictBasis? = nil, frames: Int,
    findings: [Finding], outboundPath: [Float], returnPath: [Float], received: FrameHashChain? = nil,
    settings: String? = nil, previousAttempts: [FailedAttempt] = [], side: Side? = nil,
    feedback: [CaptureCondition] = []
  ) {
    self.outcome = outcome
    self.reason = reason
    self.decided = decided
    self.source = source
    self.basis = basis ?? source.basis
    self.frames = frames
    self.findings = findings
    self.outboundPath = outboundPath
    self.returnPath = returnPath
    self.received = received
    self.settings = settings
    self.previousAttempts = previousAttempts
    self.side = side
    self.feedback = feedback
  }
}

extension CheckResult {
  /// Returns the same result with the finding of a check replaced.
  func replacing(_ finding: Finding) -> CheckResult {
    CheckResult(
      outcome: outcome, reason: reason, decided: decided, source: source, basis: basis, frames: frames,
      findings: findings.map { $0.check == finding.check ? finding : $0 }, outboundPath: outboundPath,
      returnPath: returnPath, received: received, settings: settings, previousAttempts: previousAttempts, side: side,
      feedback: feedback)
  }
}

extension CheckResult: CustomStringConvertible, CustomReflectable {
  public var description: String { "CheckResult(\(outcome.rawValue))" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Evidence that a verdict rests on. The cases are ordered from the weakest to the strongest.
///
/// Integrators compare it with the minimum that they require. Stronger values may be added after the last one.
public enum VerdictBasis: String, Hashable, Sendable, CaseIterable, Comparable {
  /// Nothing was evaluated.
  case none
  /// Observations reported by a device; the server received no frames.
  case claimed
  /// Depth captures reported by a device, compared with the person's enrolled thresholds; no task was requested.
  case depth
  /// Tasks evaluated by the server in the frames that it received.
  case frames

  public static func < (left: VerdictBasis, right: VerdictBasis) -> Bool { left.rank < right.rank }

  private var rank: Int {
    switch self {
    case .none: 0
    case .claimed: 1
    case .depth: 2
    case .frames: 3
    }
  }
}

extension WebhookEvent {
  /// Returns the event of a verdict.
  public init(_ outcome: CheckResult.Outcome) {
    switch outcome {
    case .passed: self = .checkPassed
    case .failed: self = .checkFailed
    case .timedOut: self = .checkTimedOut
    }
  }
}

extension WebhookDelivery {
  /// Returns the delivery of a check's verdict to a webhook.
  public static func telling(_ webhook: WebhookID, of check: CheckID, _ result: CheckResult) -> WebhookDelivery {
    telling(webhook, of: check, WebhookEvent(result.outcome), decided: result.decided)
  }
}

/// Kinds of observations that a check accepts, as requested by the integrator.
///
/// A check that accepts only ``observed`` can only pass on frames that this server has analyzed. ``claimed`` and
/// ``depth`` are reported by the device: anyone who holds the check's token can forge them without a camera.
public struct CheckSources: OptionSet, Hashable, Sendable {
  public let rawValue: Int

  public init(rawValue: Int) { self.rawValue = rawValue }

  /// Frames in which the server detects the face.
  public static let observed = CheckSources(rawValue: 1)
  /// Observations that a device reports without sending frames.
  public static let claimed = CheckSources(rawValue: 2)
  /// Depth captures that pass the check by themselves, without any task.
  public static let depth = CheckSources(rawValue: 4)
  /// Observations of a device beside its frames. They are compared with what the server sees there, and decide nothing.
  public static let compared = CheckSources(rawValue: 8)

  /// Sources that are reported by the device and can decide a check.
  static let device: CheckSources = [.claimed, .depth]
  private static let all: CheckSources = [.observed, .claimed, .depth, .compared]
  private static let named: [(name: String, source: CheckSources)] = [
    ("observed", .observed), ("claimed", .claimed), ("depth", .depth), ("compared", .compared),
  ]

  /// Names used in the API, in a fixed order.
  public var names: [String] { Self.named.filter { contains($0.source) }.map(\.name) }

  /// Creates a set from the names used in the API.
  ///
  /// - Throws: ``ServiceError`` with code `badValue` for an empty list, an unknown or repeated name, for `depth` alone (a
  ///   person whose depth does not pass is asked for tasks, which need one of the other sources), and for `compared`
  ///   without `observed` or with `claimed`.
  public init(names: [String]) throws {
    let known = Self.named.map(\.name)
    guard !names.isEmpty, names.allSatisfy(known.contains), Set(names).count == names.count else {
      throw ServiceError(
        .badValue, "\"sources\" holds each of \(known.joined(separator: ", ")) at most once, and at least one.")
    }
    self = Self.named.reduce(into: []) { if names.contains($1.name) { $0.formUnion($1.source) } }
    guard self != .depth else {
      throw ServiceError(
        .badValue,
        "\"sources\": a check with \"depth\" also needs \"observed\" or \"claimed\", for people whose depth does not pass."
      )
    }
    guard !contains(.compared) || (contains(.observed) && !contains(.claimed)) else {
      throw ServiceError(
        .badValue,
        "\"sources\": \"compared\" observations are compared with frames: add \"observed\", and leave \"claimed\" out.")
    }
  }

  /// Creates a set from a stored value; returns `nil` if it is empty or contains an unknown source.
  public init?(stored value: Int) {
    self.init(rawValue: value)
    guard !isEmpty, isSubset(of: .all) else { return nil }
  }
}
