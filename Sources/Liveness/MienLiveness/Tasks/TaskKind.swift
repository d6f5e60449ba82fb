/// Which task it is; the raw value is the stable name that crosses the network and names the task's finding.
public enum TaskKind: String, Hashable, Sendable, CaseIterable {
  case headTurn = "head-turn"
  case completeTheCircle = "complete-the-circle"
  case yesOrNo = "yes-or-no"
  case motions = "motions"
  case blink = "blink"
  case headPath = "head-path"
}
