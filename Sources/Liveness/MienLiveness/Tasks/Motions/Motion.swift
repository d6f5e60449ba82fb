/// Small motion in a ``MotionsTask``.
public enum Motion: String, Hashable, Sendable, CaseIterable {
  case nod
  case blink
  /// Opening and closing the mouth.
  case mouth = "open-mouth"
  /// Closing both eyes for longer than a blink and opening them. Requested only from subjects who can move nothing but their eyelids:
  /// unlike a blink, it does not occur spontaneously.
  case closure = "close-eyes"

  var needs: AccessibilityProfile {
    switch self {
    case .nod: .neck
    case .blink, .closure: .eyelids
    case .mouth: .mouth
    }
  }
}
