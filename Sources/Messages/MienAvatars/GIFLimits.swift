/// Limits for reading an untrusted GIF, checked before memory is allocated for it.
public struct GIFLimits: Hashable, Sendable {
  /// Maximum number of bytes in the file.
  public var bytes: Int
  /// Maximum number of pixels of the canvas and of each image.
  public var pixels: Int
  /// Maximum number of images.
  public var images: Int
  /// Maximum number of pixels of all images together.
  public var pixelsInAll: Int

  /// Creates limits. Defaults: 16 MB, 4 million pixels, 600 images, and 100 million pixels in total.
  public init(
    bytes: Int = 16_000_000, pixels: Int = 4_000_000, images: Int = 600, pixelsInAll: Int = 100_000_000
  ) {
    self.bytes = bytes
    self.pixels = pixels
    self.images = images
    self.pixelsInAll = pixelsInAll
  }
}
