/// Difficulty of a task; the server defines the thresholds of each level (Documentation/guides/Liveness.md).
public enum TaskDifficulty: String, Hashable, Sendable, CaseIterable {
  case easy, medium, hard
}
