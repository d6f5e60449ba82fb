/// The challenge of checks that are created without tasks, and of all sessions of the AWS- and Youverify-compatible
/// APIs.
public enum DefaultChallenge: String, Hashable, Sendable, CaseIterable {
  /// Two random tasks.
  case tasks
  /// One head turn to a random side. Two recordings of a person, one for each side, are enough to pass it.
  case headTurn = "head-turn"
}
