/// A rectangle around a face, as fractions of the image's width and height; origin at the top left, y down.
///
/// Parts of a face may lie outside the image, so values may lie outside 0…1.
public struct FaceBox: Hashable, Sendable {
  public var x: Float
  public var y: Float
  public var width: Float
  public var height: Float

  public init(x: Float, y: Float, width: Float, height: Float) {
    self.x = x
    self.y = y
    self.width = width
    self.height = height
  }

  public var centerX: Float { x + width / 2 }
  public var centerY: Float { y + height / 2 }

  /// `true` if all values are finite, the size is positive, and neither size nor offset exceeds twice the image's size.
  public var isPlausible: Bool {
    width > 0 && height > 0 && width <= 2 && height <= 2 && abs(x) <= 2 && abs(y) <= 2
  }
}

extension FaceBox: CustomStringConvertible, CustomReflectable {
  public var description: String { "FaceBox(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
