/// Expressions that lock a message, in order: 3 to 12 steps without consecutive duplicates.
///
/// A sequence may be a secret, so its description withholds it; ``text`` returns it explicitly.
public struct ExpressionSequence: Hashable, Sendable {
  /// Valid numbers of steps.
  public static let lengths = 3...12
  /// Default number of steps.
  public static let standardLength = 5
  /// Maximum length of the text format: twelve of the longest name and the commas between them.
  public static let longestText = 12 * 10 + 11

  public let steps: [FaceExpression]

  /// Creates a sequence.
  ///
  /// - Throws: ``SequenceError`` with `tooShort`, `tooLong`, or `repeated`.
  public init(_ steps: [FaceExpression]) throws(SequenceError) {
    guard steps.count >= Self.lengths.lowerBound else { throw SequenceError(.tooShort, step: steps.count) }
    guard steps.count <= Self.lengths.upperBound else { throw SequenceError(.tooLong, step: steps.count) }
    for index in 1..<steps.count where steps[index] == steps[index - 1] {
      throw SequenceError(.repeated, step: index + 1)
    }
    self.steps = steps
  }

  /// Parses `wink_l,tongue_out,…`: lowercase names separated by single commas, without anything else.
  ///
  /// - Throws: ``SequenceError``; `unknownName` also for spaces, capital letters, and empty elements.
  public init(text: String) throws(SequenceError) {
    guard text.utf8.count <= Self.longestText else { throw SequenceError(.tooLong, step: Self.lengths.upperBound) }
    guard !text.isEmpty else { throw SequenceError(.tooShort, step: 0) }
    var steps: [FaceExpression] = []
    for name in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let expression = FaceExpression(text: name) else {
        throw SequenceError(.unknownName, step: steps.count + 1)
      }
      steps.append(expression)
    }
    try self.init(steps)
  }

  /// Names separated by commas, for example `wink_l,smile,smooch`.
  public var text: String { steps.map(\.text).joined(separator: ",") }
}

extension ExpressionSequence: CustomStringConvertible, CustomReflectable {
  public var description: String { "ExpressionSequence(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
