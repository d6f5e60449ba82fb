/// One question of a ``YesOrNoTask``: its words and the words for a wrong answer stay with the integrator.
public struct TaskQuestion: Hashable, Sendable {
  /// What the integrator calls it: 1…64 characters of `A–Z a–z 0–9 - _`.
  public let id: String
  /// The expected answer; true for yes.
  public let answer: Bool

  public init(id: String, answer: Bool) {
    self.id = id
    self.answer = answer
  }
}
