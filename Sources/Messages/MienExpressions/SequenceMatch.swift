/// Whether what was performed is the sequence that was set. It says what was performed, never what was set.
public struct SequenceMatch: Hashable, Sendable {
  public let performed: [FaceExpression]
  public let matches: Bool

  /// Compares all steps, whatever the first ones say, so that the time tells nothing about where they differ.
  public init(performed: [FaceExpression], with expected: ExpressionSequence) {
    var difference = UInt8(performed.count == expected.steps.count ? 0 : 1)
    for index in expected.steps.indices {
      // A missing step differs from every expression there is.
      let step = index < performed.count ? performed[index].rawValue : .max
      difference |= step ^ expected.steps[index].rawValue
    }
    self.performed = performed
    matches = difference == 0
  }
}

extension SequenceMatch: CustomStringConvertible, CustomReflectable {
  public var description: String { "SequenceMatch(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
