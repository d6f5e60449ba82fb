/// Question of a ``YesOrNoTask``. The integrator supplies its text and the message for a wrong answer.
public struct TaskQuestion: Hashable, Sendable {
  /// ID assigned by the integrator: 1…64 characters of `A–Z a–z 0–9 - _`.
  public let id: String
  /// Expected answer; `true` for yes.
  public let answer: Bool

  public init(id: String, answer: Bool) {
    self.id = id
    self.answer = answer
  }
}
