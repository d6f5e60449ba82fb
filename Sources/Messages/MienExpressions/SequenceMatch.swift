/// Comparison of a performed sequence with the expected one. It contains the performed sequence, never the expected one.
public struct SequenceMatch: Hashable, Sendable {
  public let performed: [FaceExpression]
  public let matches: Bool

  /// Compares all steps regardless of earlier mismatches, so that timing does not reveal the position of a difference.
  public init(performed: [FaceExpression], with expected: ExpressionSequence) {
    var difference = UInt8(performed.count == expected.steps.count ? 0 : 1)
    for index in expected.steps.indices {
      // A missing step differs from every expression.
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
