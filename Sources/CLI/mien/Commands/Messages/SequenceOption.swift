internal import ArgumentParser
internal import MienExpressions

/// Value of `--sequence`: names of expressions with commas between, among them common words for the same expressions.
enum SequenceOption {
  /// Other words for an expression, which only the command line accepts.
  private static let synonyms = ["kiss": FaceExpression.smooch.text]

  /// Names that are accepted, for help and errors.
  static let names =
    FaceExpression.allCases.map { expression in
      let others = synonyms.filter { $0.value == expression.text }.keys.sorted()
      return others.isEmpty ? expression.text : "\(expression.text) (or \(others.joined(separator: ", ")))"
    }.joined(separator: ", ")

  static let help: ArgumentHelp = "3 to 12 expressions with commas between, no two equal in a row: \(names)."

  /// Parses a value; the error names the step but repeats nothing of the sequence, which may be a secret.
  ///
  /// - Throws: `ValidationError` that says what is wrong and, for an unknown name, which names there are.
  static func parse(_ text: String) throws -> ExpressionSequence {
    let words = text.split(separator: ",", omittingEmptySubsequences: false).map { synonyms[String($0)] ?? String($0) }
    do {
      return try ExpressionSequence(text: words.joined(separator: ","))
    } catch {
      throw ValidationError("--sequence: \(explanation(of: error))")
    }
  }

  private static func explanation(of error: SequenceError) -> String {
    switch error.code {
    case .unknownName: "step \(error.step) is not an expression. The expressions are \(names)."
    case .repeated: "step \(error.step) repeats the expression before it."
    case .tooShort, .tooLong: "a sequence has 3 to 12 expressions."
    default: "\(error)."
    }
  }
}
