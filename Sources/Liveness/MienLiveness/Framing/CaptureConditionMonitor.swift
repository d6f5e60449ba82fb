public import MienCore

/// Counts the conditions of a check's frames, for feedback to a subject who did not pass.
public struct CaptureConditionMonitor: Hashable, Sendable {
  /// Fraction of the frames in which a condition must hold to be reported.
  static let share = 0.25
  /// Minimum number of such frames.
  static let minimumFrames = 5
  /// Sharpness of the face, as measured by the tracker, below which a frame is blurred.
  static let blurredBelow: Float = 2
  /// Closure of both eyes above which they are closed.
  static let closedAbove: Float = 0.6

  private var frames = 0
  /// Frames in which no task was performed: tasks move the head and close the eyes.
  private var restingFrames = 0
  /// Frames with each condition, in the order of ``MienCore/CaptureCondition``.
  private var counts = [Int](repeating: 0, count: CaptureCondition.allCases.count)

  public init() {}

  /// Counts one frame.
  ///
  /// - Parameters:
  ///   - observation: the tracker's observation of the frame.
  ///   - hints: framing hints of the frame.
  ///   - isResting: `true` while no task is performed.
  public mutating func process(_ observation: FaceObservation, hints: [FramingHint], isResting: Bool) {
    frames += 1
    if isResting { restingFrames += 1 }
    for hint in hints { count(hint, isResting: isResting) }
    guard let face = observation.face else { return }
    if let sharpness = observation.sharpness, sharpness < Self.blurredBelow { add(.lowVideoQualityDetected) }
    let lids = [BlendshapeName.eyeBlinkLeft, .eyeBlinkRight].compactMap { face.blendshapes[$0] }
    if isResting, lids.count == 2, lids.allSatisfy({ $0 > Self.closedAbove }) { add(.eyesClosedDetected) }
  }

  private mutating func count(_ hint: FramingHint, isResting: Bool) {
    switch hint {
    case .noFace: add(.faceNotVisible)
    case .faceCovered: add(.faceObstructionDetected)
    case .tooFar, .tooClose, .offCenter: if isResting { add(.faceNotAligned) }
    case .tooDark: add(.lowLightingDetected)
    case .tooBright: add(.highLightingDetected)
    case .severalFaces, .comeBack, .otherWay, .othersBehind: break
    }
  }

  private mutating func add(_ condition: CaptureCondition) {
    if let index = CaptureCondition.allCases.firstIndex(of: condition) { counts[index] += 1 }
  }

  /// Returns the conditions to report for a check that ended for a reason, in the order of ``MienCore/CaptureCondition``.
  public func feedback(on reason: String) -> [CaptureCondition] {
    CaptureCondition.allCases.enumerated().filter { index, condition in
      let base = [.faceNotAligned, .eyesClosedDetected].contains(condition) ? restingFrames : frames
      return counts[index] >= Self.minimumFrames && Double(counts[index]) >= Self.share * Double(base)
        || Self.reasons[condition]?.contains(reason) == true
    }
    .map(\.element)
  }

  /// Reasons that state a condition themselves.
  private static let reasons: [CaptureCondition: Set<String>] = [
    .faceNotVisible: ["no-face", "face-lost"],
    .faceObstructionDetected: ["not-measured"],
    .lowVideoQualityDetected: ["too-few-frames", "frozen-camera"],
  ]
}

extension CaptureConditionMonitor: BinaryStateCodable {
  public mutating func pass(over coder: inout BinaryStateCoder) {
    coder.pass(&frames)
    coder.pass(&restingFrames)
    coder.pass(&counts)
    coder.require(counts.count == CaptureCondition.allCases.count)
  }
}
