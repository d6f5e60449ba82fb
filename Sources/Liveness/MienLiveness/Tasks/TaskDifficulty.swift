/// How hard a task is made; what it means stands in each task's settings.
public enum TaskDifficulty: String, Hashable, Sendable, CaseIterable {
  case easy, medium, hard
}
