public import MienCore

/// Recognizes a sequence of expressions in a stream of observations.
///
/// It combines an ``ExpressionDetector`` with a ``SequenceRecorder`` and, optionally, a preceding ``BaselineCalibrator``.
public struct SequenceRecognizer: Hashable, Sendable {
  /// Result of a sample.
  public enum Step: Hashable, Sendable {
    /// The sample is not newer than the last one, or the sequence is complete.
    case ignored
    /// The baseline is being calibrated.
    case calibrating
    case inProgress
    /// Another step was recorded.
    case recorded(RecognizedExpression)
    /// The same expression as before was performed; it is not recorded.
    case sameAsBefore(RecognizedExpression)
    /// The last step was recorded.
    case complete(ExpressionSequence)
  }

  private var calibration: BaselineCalibrator?
  private var machine: ExpressionDetector
  private var recorder: SequenceRecorder

  /// Returns `nil` if the length is outside 3…12.
  ///
  /// - Parameter calibration: Calibrator of the subject's neutral face; without one the baseline is zero.
  public init?(
    length: Int = ExpressionSequence.standardLength, settings: ExpressionSettings,
    calibration: BaselineCalibrator? = nil
  ) {
    guard let recorder = SequenceRecorder(length: length) else { return nil }
    self.recorder = recorder
    self.calibration = calibration
    machine = ExpressionDetector(settings: settings)
  }

  /// Expressions performed so far.
  public var steps: [FaceExpression] { recorder.steps }
  /// Required number of steps.
  public var length: Int { recorder.length }
  public var sequence: ExpressionSequence? { recorder.sequence }
  public var isComplete: Bool { recorder.isComplete }
  /// `true` until the calibration is done, if there is one.
  public var isCalibrating: Bool { calibration.map { $0.baseline == nil } ?? false }
  /// Progress for display; during calibration, `holdShare` is the completed fraction of the calibration.
  public var progress: ExpressionProgress {
    guard let calibration, calibration.baseline == nil else { return machine.progress }
    return ExpressionProgress(
      seen: nil, holdShare: calibration.progress, isNeutralReached: false, face: calibration.face)
  }

  /// Reports whether the expression is measurable; see ``ExpressionDetector/isAvailable(_:)``.
  public func isAvailable(_ expression: FaceExpression) -> Bool { machine.isAvailable(expression) }

  /// Processes the next observation.
  public mutating func process(_ sample: ExpressionSample) -> Step {
    guard !isComplete else { return .ignored }
    if isCalibrating {
      calibration?.process(sample)
      if let baseline = calibration?.baseline {
        machine.baseline = baseline
        // The detector takes over with this sample. A neutral face performs no expression.
        _ = machine.process(sample)
      }
      return .calibrating
    }
    switch machine.process(sample) {
    case .ignored: return .ignored
    case .inProgress: return .inProgress
    case .performed(let performed):
      switch recorder.record(performed.expression) {
      case .recorded: return .recorded(performed)
      case .sameAsBefore: return .sameAsBefore(performed)
      case .complete(let sequence): return .complete(sequence)
      case .alreadyComplete: return .ignored
      }
    }
  }

  /// Deletes the recorded steps; a calibrated baseline remains.
  public mutating func reset() { recorder.reset() }
}

extension SequenceRecognizer: BinaryStateCodable {
  /// The length, the settings, and the presence of a calibrator are not encoded: the decoding side must supply them.
  public mutating func pass(over coder: inout BinaryStateCoder) {
    if var calibration {
      coder.pass(&calibration)
      self.calibration = calibration
    }
    coder.pass(&machine)
    coder.pass(&recorder)
  }
}

extension SequenceRecognizer: CustomStringConvertible, CustomReflectable {
  public var description: String { "SequenceRecognizer(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
