public import MienCore
public import MienLiveness

/// The column format of a finding.
public struct StoredFinding: Codable, Sendable {
  private let name: String
  private let result: String
  /// Numbers as text: JSON has no infinity, and databases may store fewer digits.
  private let native: String?
  private let score: String?
  private let calibration: String?
  private let reason: String?

  public init(_ finding: Finding) {
    let (result, measure, reason): (String, Finding.Measure?, String?) =
      switch finding.result {
      case .genuine(let measure): ("genuine", measure, nil)
      case .suspect(let measure, let reason): ("suspect", measure, reason)
      case .notAssessed(let obstacle): ("not-assessed", nil, StoredObstacle.text(obstacle))
      }
    name = finding.check
    self.result = result
    native = measure.map { "\($0.native)" }
    score = measure.map { "\($0.score.value)" }
    calibration = measure?.calibration
    self.reason = reason
  }

  /// The stored finding; `nil` if the value is invalid.
  public var finding: Finding? {
    if result == "not-assessed" {
      return reason.flatMap(StoredObstacle.read).map { Finding(check: name, result: .notAssessed($0)) }
    }
    guard let native = native.flatMap({ Double($0) }), let score = score.flatMap({ Double($0) }).flatMap({ Score($0) }),
      let calibration
    else { return nil }
    let measure = Finding.Measure(native: native, score: score, calibration: calibration)
    if result == "genuine" { return Finding(check: name, result: .genuine(measure)) }
    return reason.map { Finding(check: name, result: .suspect(measure, because: $0)) }
  }
}

/// The column format of an unavailable reason: its code, followed by a colon and its associated value.
public enum StoredObstacle {
  /// Returns the text of a reason, which ``read(_:)`` parses.
  public static func text(_ obstacle: UnavailableReason) -> String {
    switch obstacle {
    case .modelUnavailable(let what): "\(obstacle.code):\(what)"
    case .severalFaces(let count), .tooFewFrames(let count): "\(obstacle.code):\(count)"
    case .noFace, .noDepth, .notEnrolled, .tooLittleValidDepth, .tooLittleLight, .declined, .notLive, .templateDeleted,
      .imageTooSmall, .imageTooCompressed:
      obstacle.code
    }
  }

  /// Parses a text from ``text(_:)``; `nil` if it is invalid.
  public static func read(_ text: String) -> UnavailableReason? {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    let rest = parts.count == 2 ? String(parts[1]) : nil
    return switch (parts.first, rest) {
    case ("model-unavailable", let what?): .modelUnavailable(what)
    case ("several-faces", let count?): Int(count).map { .severalFaces($0) }
    case ("too-few-frames", let count?): Int(count).map { .tooFewFrames($0) }
    case ("no-face", nil): .noFace
    case ("no-depth", nil): .noDepth
    case ("not-enrolled", nil): .notEnrolled
    case ("too-little-valid-depth", nil): .tooLittleValidDepth
    case ("too-little-light", nil): .tooLittleLight
    case ("declined", nil): .declined
    case ("not-live", nil): .notLive
    case ("template-deleted", nil): .templateDeleted
    case ("image-too-small", nil): .imageTooSmall
    case ("image-too-compressed", nil): .imageTooCompressed
    default: nil
    }
  }
}

/// The column format of depth thresholds.
public struct StoredThresholds: Codable {
  /// Version of the formula of the measures.
  public let formula: String
  private let noseRelief: Double
  private let planeResidual: Double
  private let sheetResidual: Double
  private let centerToRim: Double
  private let validFraction: Double
  private let nearest: Double
  private let farthest: Double
  private let revision: Int

  public init(_ thresholds: DepthThresholds) {
    formula = DepthThresholds.version
    noseRelief = thresholds.shape.noseRelief
    planeResidual = thresholds.shape.planeResidual
    sheetResidual = thresholds.shape.sheetResidual
    centerToRim = thresholds.shape.centerToRim
    validFraction = thresholds.validFraction
    nearest = thresholds.nearest
    farthest = thresholds.farthest
    revision = thresholds.revision
  }

  /// The stored thresholds; `nil` if they are implausible.
  public var thresholds: DepthThresholds? {
    DepthThresholds(
      shape: DepthThresholds.Shape(
        noseRelief: noseRelief, planeResidual: planeResidual, sheetResidual: sheetResidual, centerToRim: centerToRim),
      validFraction: validFraction, nearest: nearest, farthest: farthest, revision: revision)
  }
}
