public import MienModel

/// Collects performed expressions until the places of a sequence are filled.
public struct ExpressionRecorder: Hashable, Sendable {
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

extension ExpressionRecorder: Taped {
  /// The length is its maker's.
  public mutating func pass(over tape: inout StateTape) {
    var numbers = steps.map(\.rawValue)
    tape.pass(&numbers)
    let read = numbers.compactMap { FaceExpression(rawValue: $0) }
    tape.require(read.count == numbers.count && read.count <= length)
    tape.require(zip(read, read.dropFirst()).allSatisfy { $0 != $1 })
    if tape.isReading, tape.isSound { steps = read }
  }
}

extension ExpressionRecorder: CustomStringConvertible, CustomReflectable {
  public var description: String { "ExpressionRecorder(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
