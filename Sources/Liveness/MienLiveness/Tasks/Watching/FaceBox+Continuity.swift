internal import MienCore

extension FaceBox {
  /// True when this box continues a track whose last box was `old`, in place and in size.
  ///
  /// - Parameters:
  ///   - maximumShift: how far the centre may have moved, in widths of the face.
  ///   - maximumSizeRatio: by which factor the root of the area may have changed.
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
