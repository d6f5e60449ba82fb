internal import MienCore

extension FaceBox {
  /// Reports whether this box continues a track whose last box was `old`, in position and size.
  ///
  /// - Parameters:
  ///   - maximumShift: Maximum movement of the center, in face widths and heights.
  ///   - maximumSizeRatio: Maximum factor by which the square root of the area may have changed.
  func continues(_ old: FaceBox, maximumShift: Float, maximumSizeRatio: Float) -> Bool {
    let width = (old.width + self.width) / 2
    let height = (old.height + self.height) / 2
    let right = (centerX - old.centerX) / width
    let down = (centerY - old.centerY) / height
    let shift = (right * right + down * down).squareRoot()
    let ratio = (self.width * self.height / (old.width * old.height)).squareRoot()
    return shift <= maximumShift && ratio <= maximumSizeRatio && ratio * maximumSizeRatio >= 1
  }
}
