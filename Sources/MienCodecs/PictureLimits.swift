/// How large a picture may be; checked against its header, before anything is decoded.
public struct PictureLimits: Hashable, Sendable {
  /// Most pixels (width × height).
  public var pixels: Int

  /// 16 million pixels unless told otherwise.
  public init(pixels: Int = 16_000_000) {
    self.pixels = pixels
  }

  func check(width: Int, height: Int) throws(PictureError) {
    guard width > 0, height > 0 else { throw PictureError(.notAPicture, "the header claims no pixels") }
    let (count, overflow) = width.multipliedReportingOverflow(by: height)
    guard !overflow, count <= pixels else {
      throw PictureError(.tooLarge, "the header claims \(width)×\(height) pixels; at most \(pixels) are read")
    }
  }
}
