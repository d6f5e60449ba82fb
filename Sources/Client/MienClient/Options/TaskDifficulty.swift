/// How hard a task is; the numbers behind the words are the server's (Documentation/Liveness.md).
public enum TaskDifficulty: String, Hashable, Sendable, CaseIterable {
  case easy, medium, hard
}
