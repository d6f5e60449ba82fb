public import MienExpressions

/// The pictures of an avatar.
public enum Sprite: Hashable, Sendable {
  /// Pixels on each side.
  public static let side = 256

  case expression(FaceExpression)
  case neutral
  /// Eyes shut for a moment.
  case blink
  /// Eyes to the side.
  case preview

  /// Where it is found: the expressions 0…5 in the order of the sheet, then neutral, blink and glance.
  var index: Int {
    switch self {
    case .expression(let expression): Int(expression.rawValue)
    case .neutral: 6
    case .blink: 7
    case .preview: 8
    }
  }
}
