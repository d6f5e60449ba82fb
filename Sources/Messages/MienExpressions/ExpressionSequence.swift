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

/// Error for an invalid sequence of expressions. Two errors are equal if code and step are equal. It contains no part of the input.
public struct SequenceError: Error, Hashable, Sendable, CustomStringConvertible {
  /// Stable error code.
  public struct Code: Hashable, Sendable {
    fileprivate enum Kind: String {
      case unknownName = "unknown-name"
      case repeated
      case tooShort = "too-short"
      case tooLong = "too-long"
    }
    fileprivate let kind: Kind

    /// Wire format of the code.
    public var text: String { kind.rawValue }

    /// A name is unknown; capital letters, spaces, and empty elements count as unknown.
    public static let unknownName = Code(kind: .unknownName)
    /// The same expression occurs twice in a row.
    public static let repeated = Code(kind: .repeated)
    /// The sequence has fewer than 3 steps.
    public static let tooShort = Code(kind: .tooShort)
    /// The sequence has more than 12 steps.
    public static let tooLong = Code(kind: .tooLong)
  }

  public let code: Code
  /// One-based step that the error refers to; for length errors, the minimum number of steps found.
  public let step: Int

  init(_ code: Code, step: Int) {
    self.code = code
    self.step = step
  }

  public var description: String { "step \(step): \(code.text)" }
}

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
