/// A labeled presentation and the result of one check.
public struct Presentation: Codable, Hashable, Sendable {
  /// File path as given in the manifest.
  public var path: String
  /// Label as given; for attacks, the species (ISO/IEC 30107-3: presentation attack instrument species).
  public var label: String
  /// Source of the presentation; images of one source resemble each other.
  public var source: String
  /// `true` for an attack, `false` for a bona fide presentation.
  public var isAttack: Bool
  /// Native value, which grows with evidence of an attack; nil if there was no answer.
  public var measure: Double?
  public var answer: Answer

  /// Classification by the check.
  public enum Answer: String, Codable, Hashable, Sendable, CaseIterable {
    case genuine, undecided, suspect
    /// No response: the check was not assessed.
    case notAssessed = "not-assessed"
  }

  public init(path: String, label: String, source: String, measure: Double?, answer: Answer) {
    self.path = path
    self.label = label
    self.source = source
    self.measure = measure
    self.answer = answer
    isAttack = !Self.isBonaFide(label)
  }

  /// Returns `true` if the label's first word is `genuine`, `bona`, `bonafide`, `real` or `live`; all other labels are
  /// attacks: `real-2` is a bona fide presentation, `realistic-mask` and `liveportrait` are attacks.
  public static func isBonaFide(_ label: String) -> Bool {
    let first = label.lowercased().prefix { $0.isLetter }
    return ["genuine", "bona", "bonafide", "real", "live"].contains { first == $0 }
  }
}
