public import MienExpressions

/// Sprites of an avatar.
public enum Sprite: Hashable, Sendable {
  /// Width and height in pixels.
  public static let side = 256

  case expression(FaceExpression)
  case neutral
  /// Eyes closed for a moment.
  case blink
  /// Eyes turned to the side.
  case preview

  /// Index of the sprite: expressions 0…5 in sheet order, then neutral, blink, and preview.
  var index: Int {
    switch self {
    case .expression(let expression): Int(expression.rawValue)
    case .neutral: 6
    case .blink: 7
    case .preview: 8
    }
  }
}
