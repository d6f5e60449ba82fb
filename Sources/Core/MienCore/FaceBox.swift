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

/// Framing advice for the subject, as a code without text: the client provides the wording.
public enum FramingHint: String, Hashable, Sendable, CaseIterable {
  case noFace = "no-face"
  case severalFaces = "several-faces"
  case tooFar = "too-far"
  case tooClose = "too-close"
  case offCenter = "off-center"
  case tooDark = "too-dark"
  case tooBright = "too-bright"
  /// The face turned so far that it is no longer detected; the subject should turn back slowly.
  case comeBack = "come-back"
  /// The head turns to the side opposite to the requested one.
  case otherWay = "other-way"
  /// Something covers the eyes or the mouth.
  case faceCovered = "face-covered"
  /// Other people are in the background.
  case othersBehind = "others-behind"
}
