public import MienCore

/// Evidence on which a head turn was evaluated, stored so that it can be re-evaluated with other settings.
///
/// The angles are biometric data: `description` and `customMirror` withhold them.
public struct HeadTurnEvidence: Hashable, Sendable {
  /// Yaw in degrees (positive toward the subject's left) from the last sample that still faced the camera up to and including the first
  /// one beyond P2.
  public let outboundPath: [Float]
  /// Yaw in degrees from the sample after that one up to and including the P3 sample.
  public let returnPath: [Float]
  /// Mean signed change of yaw on the way out, degrees per frame; `nil` without at least one step.
  public let meanChangeOut: Float?
  /// Mean signed change of yaw on the way back, including its first step from the P2 sample; `nil` without at least one step.
  public let meanChangeBack: Float?
  /// Degrees traveled in the wrong direction on each way, excluding retreats within the jitter tolerance.
  public let wrongOutbound: Float
  public let wrongReturn: Float
  /// Larger of the two wrong-way travels as a fraction of the tolerance of its phase; above 1 the movement is rejected.
  public let unsteadiness: Float
  /// Furthest yaw in degrees toward the requested side during tracking, signed like a yaw; `nil` without a face.
  public let peakYaw: Float?
  /// Time from the start of tracking to the verdict, or to the last sample so far.
  public let duration: Interval
}

extension HeadTurnEvidence: CustomStringConvertible, CustomReflectable {
  public var description: String { "HeadTurnEvidence(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Random selection of the side to turn the head to.
public enum HeadTurnChallenge {
  /// Returns a random side; both sides are equally likely.
  public static func choose(using generator: inout some RandomNumberGenerator) -> Side {
    Bool.random(using: &generator) ? .subjectLeft : .subjectRight
  }
}

/// Reason a head turn was not accepted; the raw value is the stable wire code.
public enum HeadTurnFailure: String, Hashable, Sendable, CaseIterable {
  /// Time ran out, and the head never faced the camera or hardly moved.
  case timedOut = "timed-out"
  /// The head turned beyond the far threshold on the wrong side.
  case wrongDirection = "wrong-direction"
  /// Time ran out: the head moved, but never beyond the far threshold.
  case turnedTooLittle = "turned-too-little"
  /// Time ran out: the head turned far enough, but did not return.
  case didNotReturn = "did-not-return"
  /// The way back contains exactly the angles of the way out, or both have the same mean change: not a live movement.
  case `static` = "static"
  /// The head moved in the wrong direction within a phase, or faster than a head can.
  case wrongMovement = "wrong-movement"
  /// The turn was faster than the frames: too few of them show the head on the way out or back.
  case tooFewFrames = "too-few-frames"
  /// No face for longer than the grace period.
  case faceLost = "face-lost"
  /// The new face does not continue the track in position and size.
  case changedFace = "changed-face"
  /// More than one face for longer than the grace period.
  case severalFaces = "several-faces"
  /// A sample was older than the previous one.
  case timestampsBackwards = "timestamps-backwards"
  /// One phase contained more samples than the settings allow.
  case tooManyObservations = "too-many-observations"
}

extension HeadTurnStateMachine {
  /// Finding of the turn, or `nil` before the verdict; not assessed if no face was ever seen.
  ///
  /// Native measure: peak yaw in degrees toward the requested side. Score: 1 for a turn without wrong-way travel, decreasing to ½ at the
  /// limit of the tolerance; 0 for a failed turn.
  public var finding: Finding? {
    switch state {
    case .idle, .issued, .tracking: nil
    case .success: make { .genuine($0) }
    case .failed(let failure), .timedOut(let failure): make { .suspect($0, because: failure.rawValue) }
    }
  }

  private func make(_ result: (Finding.Measure) -> Finding.Result) -> Finding {
    let evidence = evidence
    let score = state == .success ? 1 - 0.5 * Double(min(evidence.unsteadiness, 1)) : 0
    guard let peak = evidence.peakYaw, let score = Score(score) else {
      return Finding(check: "head-turn", result: .notAssessed(.noFace))
    }
    return Finding(
      check: "head-turn",
      result: result(
        Finding.Measure(
          native: Double(peak * side.yawSign), score: score, calibration: HeadTurnSettings.version)))
  }
}
