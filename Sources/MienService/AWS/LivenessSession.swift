internal import MienChallenges
internal import MienModel

/// What a caller of the AWS dialect asks of a session.
public struct LivenessSessionWish: Sendable {
  /// 0…4.
  public let auditPictures: Int
  /// The caller's idempotency token.
  public let requestToken: String?
  /// Everything else that was asked for, in one canonical text: a repeated token must come with the same.
  public let parameters: String

  public init(auditPictures: Int, requestToken: String?, parameters: String) {
    self.auditPictures = auditPictures
    self.requestToken = requestToken
    self.parameters = parameters
  }
}

/// A session as the AWS dialect reads it.
public struct LivenessResults: Sendable {
  public enum Status: String, Sendable, CaseIterable {
    case created = "CREATED"
    case inProgress = "IN_PROGRESS"
    case succeeded = "SUCCEEDED"
    case failed = "FAILED"
    case expired = "EXPIRED"
  }

  public let status: Status
  /// 0…100; nil where nothing was measured.
  public let confidence: Double?
  public let reference: KeptPicture?
  public let audits: [KeptPicture]

  init(_ result: CheckResult?, isUnderWay: Bool, isExpired: Bool, pictures: [KeptPicture]) {
    guard let result else {
      status = isExpired ? .expired : isUnderWay ? .inProgress : .created
      confidence = nil
      reference = nil
      audits = []
      return
    }
    status =
      switch result.outcome {
      case .passed: .succeeded
      case .timedOut where result.source == .none: .expired
      case .failed, .timedOut: .failed
      }
    confidence = Self.confidence(of: result)
    reference = pictures.first { $0.kind == .reference }
    audits = pictures.filter { $0.kind == .audit }
  }

  /// A hundred times the lowest score that speaks for the outcome: of what was genuine in a check that passed, and then 50
  /// at most where a sign spoke against it; of what was suspect in one that did not. A score is not a probability, and
  /// this is not the scale of Amazon's service.
  private static func confidence(of result: CheckResult) -> Double? {
    // The dialect has no member that says what a verdict rests on: of a claim it tells no number.
    guard result.source == .observed else { return nil }
    var (genuine, suspect) = ([Double](), [Double]())
    // Frames of an earlier check are reported and prove nothing by themselves: where they are to count, they refuse.
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
