/// One labelled presentation and what one check made of it.
public struct Presentation: Codable, Hashable, Sendable {
  /// The file, as the manifest names it.
  public var path: String
  /// The label as given; for attacks it is the species (ISO/IEC 30107-3: presentation attack instrument species).
  public var label: String
  /// Where it comes from: pictures of one source resemble each other.
  public var source: String
  /// True for an attack, false for a bona fide presentation.
  public var isAttack: Bool
  /// The native measure, which grows with signs of an attack; nil when there was no answer.
  public var measure: Double?
  public var answer: Answer

  /// What the check said.
  public enum Answer: String, Codable, Hashable, Sendable, CaseIterable {
    case genuine, undecided, suspect
    /// No response: it could not look.
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

  /// Labels whose first word is `genuine`, `bona`, `bonafide`, `real` or `live` are bona fide, all others attacks: `real-2` is
  /// a bona fide presentation, `realistic-mask` and `liveportrait` are attacks.
  public static func isBonaFide(_ label: String) -> Bool {
    let first = label.lowercased().prefix { $0.isLetter }
    return ["genuine", "bona", "bonafide", "real", "live"].contains { first == $0 }
  }
}
