/// How large a picture may be; checked against its header, before anything is decoded.
public struct PictureLimits: Hashable, Sendable {
  /// Most pixels (width × height).
  public var pixels: Int
  /// Longest side in pixels: a picture of a single row is within any area, and a square around it is not.
  public var side = 32_768

  /// 16 million pixels unless told otherwise.
  public init(pixels: Int = 16_000_000) {
    self.pixels = pixels
  }

  func check(width: Int, height: Int) throws(PictureError) {
    guard width > 0, height > 0 else { throw PictureError(.notAPicture, "the header claims no pixels") }
    guard max(width, height) <= side else {
      throw PictureError(
        .tooLarge, "the header claims a side of \(max(width, height)) pixels; at most \(side) are read")
    }
    let (count, overflow) = width.multipliedReportingOverflow(by: height)
    guard !overflow, count <= pixels else {
      throw PictureError(.tooLarge, "the header claims \(width)×\(height) pixels; at most \(pixels) are read")
    }
  }
}
