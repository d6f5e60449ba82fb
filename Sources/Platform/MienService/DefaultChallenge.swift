/// What a check asks for whose creation names no task, and every session of the AWS- and Youverify-compatible APIs.
public enum DefaultChallenge: String, Hashable, Sendable, CaseIterable {
  /// Two tasks of chance.
  case tasks
  /// One head turn to a side of chance: two recordings of a person pass it.
  case headTurn = "head-turn"
}
