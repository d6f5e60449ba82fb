/// How much of a stranger's GIF is read; checked before anything is allocated for it.
public struct GIFLimits: Hashable, Sendable {
  /// Most bytes of the file.
  public var bytes: Int
  /// Most pixels of the canvas, and of one picture.
  public var pixels: Int
  /// Most pictures.
  public var images: Int
  /// Most pixels of all pictures together.
  public var pixelsInAll: Int

  /// 16 MB, 4 million pixels, 600 pictures and 100 million pixels in all, unless told otherwise.
  public init(
    bytes: Int = 16_000_000, pixels: Int = 4_000_000, images: Int = 600, pixelsInAll: Int = 100_000_000
  ) {
    self.bytes = bytes
    self.pixels = pixels
    self.images = images
    self.pixelsInAll = pixelsInAll
  }
}
