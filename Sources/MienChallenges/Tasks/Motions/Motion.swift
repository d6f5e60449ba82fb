/// One of the small motions of a ``MotionsTask``.
public enum Motion: String, Hashable, Sendable, CaseIterable {
  case nod
  case blink
  /// Open the mouth and close it.
  case mouth = "open-mouth"

  var needs: Abilities {
    switch self {
    case .nod: .neck
    case .blink: .eyelids
    case .mouth: .mouth
    }
  }
}
