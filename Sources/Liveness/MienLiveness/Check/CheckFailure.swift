/// Why a check was not passed.
public enum CheckFailure: Hashable, Sendable {
  /// Nobody was in front of the camera for the whole window.
  case noFace
  case headTurn(HeadTurnFailure)
  /// A task other than a head turn, or the face between two tasks.
  case task(TaskFailure)

  /// The stable code that crosses the network.
  public var code: String {
    switch self {
    case .noFace: "no-face"
    case .headTurn(let failure): failure.rawValue
    case .task(let failure): failure.rawValue
    }
  }
}
