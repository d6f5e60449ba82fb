/// Mean colors of parts of a face and of the picture around it, from the pixels of one frame. Linear light: twice the
/// value is twice the light.
///
/// Only the server measures it, and only during a light task. A part without enough usable pixels, because it is
/// overexposed, black or outside the image, is NaN.
public struct FaceLight: Hashable, Sendable {
  /// Red, green and blue, 0…1 each.
  public var forehead: SIMD3<Float>
  public var nose: SIMD3<Float>
  /// Cheek on the subject's right.
  public var rightCheek: SIMD3<Float>
  public var leftCheek: SIMD3<Float>
  /// Margin of the image beside and above the head.
  public var background: SIMD3<Float>

  public init(
    forehead: SIMD3<Float>, nose: SIMD3<Float>, rightCheek: SIMD3<Float>, leftCheek: SIMD3<Float>,
    background: SIMD3<Float> = SIMD3(repeating: .nan)
  ) {
    self.forehead = forehead
    self.nose = nose
    self.rightCheek = rightCheek
    self.leftCheek = leftCheek
    self.background = background
  }
}

extension FaceLight: CustomStringConvertible, CustomReflectable {
  public var description: String { "FaceLight(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
