public import MienCore

/// Recognizes a sequence of expressions in a stream of observations.
///
/// It combines an ``ExpressionDetector`` with a ``SequenceRecorder``.
public struct SequenceRecognizer: Hashable, Sendable {
  /// Result of a sample.
  public enum Step: Hashable, Sendable {
    /// The sample is not newer than the last one, or the sequence is complete.
    case ignored
    case inProgress
    /// Another step was recorded.
    case recorded(RecognizedExpression)
    /// The same expression as before was performed; it is not recorded.
    case sameAsBefore(RecognizedExpression)
    /// The last step was recorded.
    case complete(ExpressionSequence)
  }

  private var machine: ExpressionDetector
  private var recorder: SequenceRecorder

  /// Returns `nil` if the length is outside 3…12.
  ///
  /// - Parameters:
  ///   - length: Number of expressions.
  ///   - settings: Thresholds and holding times.
  public init?(length: Int = ExpressionSequence.standardLength, settings: ExpressionSettings) {
    guard let recorder = SequenceRecorder(length: length) else { return nil }
    self.recorder = recorder
    machine = ExpressionDetector(settings: settings)
  }

  /// Expressions performed so far.
  public var steps: [FaceExpression] { recorder.steps }
  /// Required number of steps.
  public var length: Int { recorder.length }
  public var sequence: ExpressionSequence? { recorder.sequence }
  public var isComplete: Bool { recorder.isComplete }
  /// Progress for display.
  public var progress: ExpressionProgress { machine.progress }

  /// Reports whether the expression is measurable; see ``ExpressionDetector/isAvailable(_:)``.
  public func isAvailable(_ expression: FaceExpression) -> Bool { machine.isAvailable(expression) }

  /// Processes the next observation.
  public mutating func process(_ sample: ExpressionSample) -> Step {
    guard !isComplete else { return .ignored }
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

  /// Deletes the recorded steps; the face at rest remains known.
  public mutating func reset() { recorder.reset() }
}

extension SequenceRecognizer: BinaryStateCodable {
  /// The length and the settings are not encoded: the decoding side must supply them.
  public mutating func pass(over coder: inout BinaryStateCoder) {
    coder.pass(&machine)
    coder.pass(&recorder)
  }
}

extension SequenceRecognizer: CustomStringConvertible, CustomReflectable {
  public var description: String { "SequenceRecognizer(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
