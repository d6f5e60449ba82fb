/// The expressions that lock a message, in order: 3 to 12 steps, never the same twice in a row.
///
/// A sequence may be a secret: it prints nothing of itself; ``text`` is asked for on purpose.
public struct ExpressionSequence: Hashable, Sendable {
  /// How many steps a sequence may have.
  public static let lengths = 3...12
  /// How many it has when nobody says.
  public static let standardLength = 5
  /// The longest text that can be one: twelve of the longest name and the commas between them.
  public static let longestText = 12 * 10 + 11

  public let steps: [FaceExpression]

  /// - Throws: ``SequenceError`` with `tooShort`, `tooLong` or `repeated`.
  public init(_ steps: [FaceExpression]) throws(SequenceError) {
    guard steps.count >= Self.lengths.lowerBound else { throw SequenceError(.tooShort, step: steps.count) }
    guard steps.count <= Self.lengths.upperBound else { throw SequenceError(.tooLong, step: steps.count) }
    for index in 1..<steps.count where steps[index] == steps[index - 1] {
      throw SequenceError(.repeated, step: index + 1)
    }
    self.steps = steps
  }

  /// Reads `wink_l,tongue_out,…`: names in lower case with one comma between them, and nothing else.
  ///
  /// - Throws: ``SequenceError``; `unknownName` also for spaces, capitals and empty places.
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

  /// The names with commas between them, for example `wink_l,smile,smooch`.
  public var text: String { steps.map(\.text).joined(separator: ",") }
}

extension ExpressionSequence: CustomStringConvertible, CustomReflectable {
  public var description: String { "ExpressionSequence(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
