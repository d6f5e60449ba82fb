public import MienCore

/// Collects performed expressions until the places of a sequence are filled.
public struct SequenceRecorder: Hashable, Sendable {
  /// What became of an expression.
  public enum Outcome: Hashable, Sendable {
    /// It fills the next place.
    case recorded
    /// It is the same as the one before, which does not count: neither twice nor as a mistake.
    case sameAsBefore
    /// It fills the last place.
    case complete(ExpressionSequence)
    /// All places were full already.
    case alreadyComplete
  }

  /// How many places there are.
  public let length: Int
  /// What was performed so far.
  public private(set) var steps: [FaceExpression] = []

  /// Refuses (nil) lengths outside 3…12.
  public init?(length: Int = ExpressionSequence.standardLength) {
    guard ExpressionSequence.lengths.contains(length) else { return nil }
    self.length = length
    steps.reserveCapacity(length)
  }

  public var isComplete: Bool { steps.count == length }

  /// The sequence, once all places are filled.
  public var sequence: ExpressionSequence? { isComplete ? try? ExpressionSequence(steps) : nil }

  public mutating func record(_ expression: FaceExpression) -> Outcome {
    guard !isComplete else { return .alreadyComplete }
    guard steps.last != expression else { return .sameAsBefore }
    steps.append(expression)
    return sequence.map { .complete($0) } ?? .recorded
  }

  /// Empties all places.
  public mutating func reset() { steps.removeAll(keepingCapacity: true) }
}

extension SequenceRecorder: BinaryStateCodable {
  /// The length is its maker's.
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
  public var description: String { "ExpressionRecorder(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
