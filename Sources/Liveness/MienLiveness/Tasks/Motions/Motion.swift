/// One of the small motions of a ``MotionsTask``.
public enum Motion: String, Hashable, Sendable, CaseIterable {
  case nod
  case blink
  /// Open the mouth and close it.
  case mouth = "open-mouth"
  /// Close both eyes for longer than a blink, and open them. Asked only of those who can do nothing but move their lids:
  /// unlike a blink nobody does it unasked.
  case closure = "close-eyes"

  var needs: AccessibilityProfile {
    switch self {
    case .nod: .neck
    case .blink, .closure: .eyelids
    case .mouth: .mouth
    }
  }
}
