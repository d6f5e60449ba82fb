public import MienCore

/// A person performs a sequence in front of a camera: observations go in, filled places come out.
///
/// It joins an ``ExpressionDetector`` with an ``SequenceRecorder`` and, when asked, a ``BaselineCalibrator`` before them.
public struct SequenceRecognizer: Hashable, Sendable {
  /// What a sample brought about.
  public enum Step: Hashable, Sendable {
    /// It is not newer than the last sample, or all places are filled.
    case ignored
    /// The neutral face is being taken.
    case calibrating
    case inProgress
    /// Another place is filled.
    case recorded(RecognizedExpression)
    /// The same as the one before was performed; it fills no place.
    case sameAsBefore(RecognizedExpression)
    /// The last place is filled.
    case complete(ExpressionSequence)
  }

  private var calibration: BaselineCalibrator?
  private var machine: ExpressionDetector
  private var recorder: SequenceRecorder

  /// Refuses (nil) lengths outside 3…12.
  ///
  /// - Parameter calibration: takes the person's neutral face first; without one the baseline is zero.
  public init?(
    length: Int = ExpressionSequence.standardLength, settings: ExpressionSettings,
    calibration: BaselineCalibrator? = nil
  ) {
    guard let recorder = SequenceRecorder(length: length) else { return nil }
    self.recorder = recorder
    self.calibration = calibration
    machine = ExpressionDetector(settings: settings)
  }

  /// What was performed so far.
  public var steps: [FaceExpression] { recorder.steps }
  /// How many places there are.
  public var length: Int { recorder.length }
  public var sequence: ExpressionSequence? { recorder.sequence }
  public var isComplete: Bool { recorder.isComplete }
  /// True until the neutral face was taken, when one is taken.
  public var isCalibrating: Bool { calibration.map { $0.baseline == nil } ?? false }
  /// For the screen: while calibrating, `holdShare` is the share of the calibration that is done.
  public var progress: ExpressionProgress {
    guard let calibration, calibration.baseline == nil else { return machine.progress }
    return ExpressionProgress(
      seen: nil, holdShare: calibration.progress, isNeutralReached: false, face: calibration.face)
  }

  /// See ``ExpressionDetector/isAvailable(_:)``.
  public func isAvailable(_ expression: FaceExpression) -> Bool { machine.isAvailable(expression) }

  /// Takes the next observation.
  public mutating func process(_ sample: ExpressionSample) -> Step {
    guard !isComplete else { return .ignored }
    if isCalibrating {
      calibration?.process(sample)
      if let baseline = calibration?.baseline {
        machine.baseline = baseline
        // From here on the machine says what is seen, and this is its first sight. A neutral face performs nothing.
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

  /// Empties all places; a baseline that was taken stays.
  public mutating func reset() { recorder.reset() }
}

extension SequenceRecognizer: BinaryStateCodable {
  /// Whether it takes a neutral face first is its maker's, as are the length and the settings.
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
  public var description: String { "PerformanceMachine(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
