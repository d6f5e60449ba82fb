/// Limits on the size of an image and on the work its file may cause; checked before anything is decoded.
public struct ImageLimits: Hashable, Sendable {
  /// Maximum number of pixels (width × height).
  public var pixels: Int
  /// Maximum side length in pixels: a single-row image satisfies any area limit, but a square around it does not.
  public var side = 32_768
  /// Maximum number of scans of a JPEG. Encoders write about ten for a progressive image.
  public var scans = 20
  /// Maximum number of pixels of all scans together, for a JPEG with several: each scan costs the whole image once
  /// more.
  public var scannedPixels = 400_000_000

  /// Creates limits; 16 million pixels by default.
  public init(pixels: Int = 16_000_000) {
    self.pixels = pixels
  }

  /// Returns the same limits with at most `pixels` pixels.
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
