public import MienCore

/// Collects performed expressions until a sequence is complete.
public struct SequenceRecorder: Hashable, Sendable {
  /// Result of recording an expression.
  public enum Outcome: Hashable, Sendable {
    /// The expression was recorded as the next step.
    case recorded
    /// The expression repeats the previous one; it is neither recorded nor a mistake.
    case sameAsBefore
    /// The expression was recorded as the last step.
    case complete(ExpressionSequence)
    /// The sequence was already complete.
    case alreadyComplete
  }

  /// Required number of steps.
  public let length: Int
  /// Expressions performed so far.
  public private(set) var steps: [FaceExpression] = []

  /// Returns `nil` if the length is outside 3…12.
  public init?(length: Int = ExpressionSequence.standardLength) {
    guard ExpressionSequence.lengths.contains(length) else { return nil }
    self.length = length
    steps.reserveCapacity(length)
  }

  public var isComplete: Bool { steps.count == length }

  /// Sequence, or `nil` until it is complete.
  public var sequence: ExpressionSequence? { isComplete ? try? ExpressionSequence(steps) : nil }

  public mutating func record(_ expression: FaceExpression) -> Outcome {
    guard !isComplete else { return .alreadyComplete }
    guard steps.last != expression else { return .sameAsBefore }
    steps.append(expression)
    return sequence.map { .complete($0) } ?? .recorded
  }

  /// Deletes the recorded steps.
  public mutating func reset() { steps.removeAll(keepingCapacity: true) }
}

extension SequenceRecorder: BinaryStateCodable {
  /// The length is not encoded: the decoding side must supply it.
  public mutating func pass(over coder: inout BinaryStateCoder) {
    var numbers = steps.map(\.rawValue)
    coder.pass(&numbers)
    let read = numbers.compactMap { FaceExpression(rawValue: $0) }
    coder.require(read.count == numbers.count && read.count <= length)
    coder.require(zip(read, read.dropFirst()).allSatisfy { $0 != $1 })
    if coder.isReading, coder.isSound { steps = read }
  }
}

extension SequenceRecorder: CustomStringConvertible, CustomReflectable {
  public var description: String { "SequenceRecorder(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
