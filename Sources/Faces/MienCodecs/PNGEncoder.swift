private import CPNG
public import MienImaging

/// Writes PNG pictures with libpng's simplified interface.
public struct PNGEncoder: Sendable {
  public init() {}

  /// Encodes `frame` as a PNG of 8 bits a sample.
  ///
  /// - Throws: ``ImageCodecError`` with `unsupported` for an empty frame, `codecFailed` when the library cannot.
  public func encode(_ frame: Frame) throws(ImageCodecError) -> [UInt8] {
    guard frame.width > 0, frame.height > 0, frame.width <= 65_500, frame.height <= 65_500 else {
      throw ImageCodecError(.unsupported, "a PNG has at least one pixel and at most 65500 an edge")
    }
    return try Self.write(frame).get()
  }

  /// Returns the outcome instead of throwing, so that it passes through functions that know only untyped errors.
  private static func write(_ frame: Frame) -> Result<[UInt8], ImageCodecError> {
    // Three bytes a pixel: the frame's fourth is no transparency.
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
      // What deflate makes of incompressible rows, and room for the chunks.
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
