/// Kind of a task; the raw value is the stable wire name and the name of the task's finding.
public enum TaskKind: String, Hashable, Sendable, CaseIterable {
  case headTurn = "head-turn"
  case completeTheCircle = "complete-the-circle"
  case yesOrNo = "yes-or-no"
  case motions = "motions"
  case blink = "blink"
  case headPath = "head-path"
}
