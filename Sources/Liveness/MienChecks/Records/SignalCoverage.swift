internal import MienCore
internal import MienLiveness

/// Signals that a verdict could take into account: those with a measure, and the others with the reason.
public struct SignalCoverage: Hashable, Sendable {
  public struct Unassessed: Hashable, Sendable {
    public let signal: String
    /// Reason of the finding; `turned-off` if the server does not compute the signal, `no-frames` if the verdict does not
    /// rest on frames.
    public let reason: String
  }

  /// Names in the order of the findings.
  public let assessed: [String]
  public let notAssessed: [Unassessed]
}

extension CheckResult {
  /// Signals of the verdict. A passive signal without a finding counts as not assessed.
  public var signals: SignalCoverage {
    var (assessed, missing) = ([String](), [SignalCoverage.Unassessed]())
    for finding in findings {
      switch finding.result {
      case .genuine, .suspect: assessed.append(finding.check)
      case .notAssessed(let obstacle):
        missing.append(SignalCoverage.Unassessed(signal: finding.check, reason: obstacle.code))
      }
    }
    let found = Set(findings.map(\.check))
    for signal in Self.passiveSignals + [DistinctFrames.check] where !found.contains(signal) {
      missing.append(
        SignalCoverage.Unassessed(signal: signal, reason: source == .observed ? "turned-off" : "no-frames"))
    }
    return SignalCoverage(assessed: assessed, notAssessed: missing)
  }

  private static let passiveSignals = PassiveSignalMonitor(settings: .live).findings.map(\.check)
}
