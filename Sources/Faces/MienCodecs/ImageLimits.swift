/// Limits how large a picture may be and how much work its file may ask for; checked before anything is decoded.
public struct ImageLimits: Hashable, Sendable {
  /// Most pixels (width × height).
  public var pixels: Int
  /// Longest side in pixels: a picture of a single row is within any area, and a square around it is not.
  public var side = 32_768
  /// Most scans of a JPEG. Encoders write about ten for a progressive picture.
  public var scans = 20
  /// Most pixels of all scans together, of a JPEG with several: each scan costs all of the picture once more.
  public var scannedPixels = 400_000_000

  /// 16 million pixels unless told otherwise.
  public init(pixels: Int = 16_000_000) {
    self.pixels = pixels
  }

  /// The same limits with at most `pixels` pixels.
  func lowered(to pixels: Int) -> ImageLimits {
    var limits = self
    limits.pixels = min(limits.pixels, pixels)
    return limits
  }

  func check(width: Int, height: Int) throws(ImageCodecError) {
    guard width > 0, height > 0 else { throw ImageCodecError(.notAImage, "the header claims no pixels") }
    guard max(width, height) <= side else {
      throw ImageCodecError(
        .tooLarge, "the header claims a side of \(max(width, height)) pixels; at most \(side) are read")
    }
    let (count, overflow) = width.multipliedReportingOverflow(by: height)
    guard !overflow, count <= pixels else {
      throw ImageCodecError(.tooLarge, "the header claims \(width)×\(height) pixels; at most \(pixels) are read")
    }
  }
}
