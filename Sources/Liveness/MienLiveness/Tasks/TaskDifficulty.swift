/// Difficulty of a task; each task's settings define its effect.
public enum TaskDifficulty: String, Hashable, Sendable, CaseIterable {
  case easy, medium, hard
}
