private import CPNG
public import MienImaging

/// Encodes PNG images with libpng's simplified API.
public struct PNGEncoder: Sendable {
  public init() {}

  /// Encodes `frame` as a PNG of 8 bits per sample.
  ///
  /// - Throws: ``ImageCodecError`` with `unsupported` for an empty or too large frame, `codecFailed` if the library
  ///   fails.
  public func encode(_ frame: Frame) throws(ImageCodecError) -> [UInt8] {
    guard frame.width > 0, frame.height > 0, frame.width <= 65_500, frame.height <= 65_500 else {
      throw ImageCodecError(.unsupported, "a PNG has at least one pixel and at most 65500 an edge")
    }
    return try Self.write(frame).get()
  }

  /// Returns the outcome instead of throwing, so that it passes through functions that only support untyped errors.
  private static func write(_ frame: Frame) -> Result<[UInt8], ImageCodecError> {
    // Three bytes per pixel: the frame's fourth byte is not transparency.
    var rows: [UInt8] = []
    rows.reserveCapacity(frame.pixels.count * 3)
    for pixel in frame.pixels { rows += [pixel.red, pixel.green, pixel.blue] }
    return unsafe rows.withUnsafeBytes { source in
      var image = unsafe png_image()
      unsafe image.version = UInt32(PNG_IMAGE_VERSION)
      unsafe image.width = UInt32(frame.width)
      unsafe image.height = UInt32(frame.height)
      unsafe image.format = PNG_FORMAT_FLAG_COLOR
      defer { unsafe png_image_free(&image) }
      // Upper bound for deflate with incompressible rows, plus space for the chunks.
      var size = rows.count + rows.count / 1000 + frame.height + 8192
      var written = false
      let bytes = unsafe [UInt8](unsafeUninitializedCapacity: size) { target, count in
        written =
          unsafe png_image_write_to_memory(&image, target.baseAddress, &size, 0, source.baseAddress, 0, nil) != 0
        count = written ? size : 0
      }
      return written ? .success(bytes) : .failure(ImageCodecError(.codecFailed, "libpng could not write a picture"))
    }
  }
}
