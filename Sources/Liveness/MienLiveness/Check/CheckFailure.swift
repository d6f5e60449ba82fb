/// Reason a liveness check failed.
public enum CheckFailure: Hashable, Sendable {
  /// No face was in view during the entire face window.
  case noFace
  case headTurn(HeadTurnFailure)
  /// A task other than a head turn failed, or the face changed or was lost between two tasks.
  case task(TaskFailure)

  /// Stable wire code of the failure.
  public var code: String {
    switch self {
    case .noFace: "no-face"
    case .headTurn(let failure): failure.rawValue
    case .task(let failure): failure.rawValue
    }
  }
}
