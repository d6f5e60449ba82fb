internal import MienLiveness
public import MienCore

/// Options for a new session of the AWS-compatible API.
public struct CreateSessionOptions: Sendable {
  /// Number of audit images, 0…4.
  public let auditImages: Int
  /// The caller's idempotency token.
  public let requestToken: String?
  /// All other parameters in one canonical text: a request that repeats a token must have the same ones.
  public let parameters: String

  public init(auditImages: Int, requestToken: String?, parameters: String) {
    self.auditImages = auditImages
    self.requestToken = requestToken
    self.parameters = parameters
  }
}

/// A session as reported by the AWS-compatible API.
public struct LivenessResults: Sendable {
  public enum Status: String, Sendable, CaseIterable {
    case created = "CREATED"
    case inProgress = "IN_PROGRESS"
    case succeeded = "SUCCEEDED"
    case failed = "FAILED"
    case expired = "EXPIRED"
  }

  public let status: Status
  /// 0…100; `nil` if nothing was measured, or not by this server.
  public let confidence: Double?
  public let reference: StoredImage?
  public let audits: [StoredImage]
  /// Conditions that a person who did not pass can change before trying again.
  public let feedback: [CaptureCondition]

  init(_ result: CheckResult?, isUnderWay: Bool, isExpired: Bool, images: [StoredImage]) {
    guard let result else {
      status = isExpired ? .expired : isUnderWay ? .inProgress : .created
      confidence = nil
      reference = nil
      audits = []
      feedback = []
      return
    }
    status =
      switch result.outcome {
      case .passed: .succeeded
      case .timedOut where result.source == .none: .expired
      case .failed, .timedOut: .failed
      }
    confidence = Self.confidence(of: result)
    reference = images.first { $0.kind == .reference }
    audits = images.filter { $0.kind == .audit }
    feedback = result.feedback
  }

  /// Returns 100 times the lowest score that supports the outcome: the lowest genuine score of a check that passed, and
  /// at most 50 if a finding was suspect; the lowest suspect score of one that did not pass. A score is not a
  /// probability, and this is not the scale of Amazon's service.
  private static func confidence(of result: CheckResult) -> Double? {
    // The API has no member for the evidence behind a verdict: client-reported observations get no confidence.
    guard result.source == .observed else { return nil }
    var (genuine, suspect) = ([Double](), [Double]())
    // Frames of an earlier check do not lower the confidence of a check that passed: on servers where they count, the
    // check does not pass.
    for finding in result.findings where finding.check != DistinctFrames.check || result.outcome != .passed {
      switch finding.result {
      case .genuine(let measure): genuine.append(measure.score.value)
      case .suspect(let measure, _): suspect.append(measure.score.value)
      case .notAssessed: break
      }
    }
    guard result.outcome == .passed else { return suspect.min().map { $0 * 100 } }
    return genuine.min().map { suspect.isEmpty ? $0 * 100 : min($0 * 100, 50) }
  }
}
