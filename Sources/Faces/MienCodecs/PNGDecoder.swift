private import CPNG
public import MienImaging

/// Decodes PNG images with libpng's simplified API, which receives only the chunks of `PNGChunks`.
///
/// The pixels that the header claims bound the decoding time: libpng inflates one row at a time and stops after the
/// last.
public struct PNGDecoder: ~Copyable {
  private let limits: ImageLimits

  public init(limits: ImageLimits = ImageLimits()) {
    self.limits = limits
  }

  /// Decodes a PNG of any kind into `frame`, upright according to its EXIF orientation; the frame's storage is reused.
  /// Transparency and color profiles are ignored: colors are interpreted as sRGB.
  ///
  /// Rejects other formats, more pixels or chunks than the limits, and truncated or damaged images. After an error the
  /// frame's content is unspecified.
  ///
  /// - Parameters:
  ///   - bytes: the encoded image.
  ///   - turning: `false` for the pixels as stored, ignoring the EXIF orientation.
  ///   - mostPixels: maximum number of pixels of this image; applies if lower than the decoder's own limit.
  ///   - frame: receives the pixels.
  public func decode(
    _ bytes: [UInt8], turning: Bool = true, mostPixels: Int = .max, into frame: inout Frame
  ) throws(ImageCodecError) {
    let orientation = try decodeStored(bytes, mostPixels: mostPixels, into: &frame)
    if turning { frame.stand(upright: orientation) }
  }

  /// Decodes a PNG as stored and returns its EXIF orientation.
  func decodeStored(
    _ bytes: [UInt8], mostPixels: Int = .max, into frame: inout Frame
  ) throws(ImageCodecError) -> Orientation {
    let chunks = try PNGChunks(bytes, limits: limits.lowered(to: mostPixels))
    frame.reshape(width: chunks.width, height: chunks.height)
    let outcome = frame.writePixels { pixels in
      unsafe pixels.withUnsafeMutableBytes { target in
        unsafe Self.read(chunks, format: PNG_FORMAT_FLAG_COLOR | PNG_FORMAT_FLAG_ALPHA, into: target)
      }
    }
    try outcome.get()
    return chunks.orientation
  }

  /// Decodes a gray PNG of 16 bits per sample, for example a depth map, without any color correction.
  ///
  /// - Throws: ``ImageCodecError``; `unsupported` for other kinds of PNG.
  public func decodeGray16(_ bytes: [UInt8]) throws(ImageCodecError) -> Gray16Image {
    let chunks = try PNGChunks(bytes, limits: limits)
    guard chunks.isGray16 else { throw ImageCodecError(.unsupported, "this PNG is not gray with 16 bits a sample") }
    var samples = [UInt16](repeating: 0, count: chunks.width * chunks.height)
    // libpng treats 16-bit samples as linear and returns them unchanged.
    let outcome = unsafe samples.withUnsafeMutableBytes { target in
      unsafe Self.read(chunks, format: PNG_FORMAT_FLAG_LINEAR, into: target)
    }
    try outcome.get()
    return Gray16Image(width: chunks.width, height: chunks.height, samples: samples)
  }

  /// Decodes a gray PNG of 8 bits per sample, for example a confidence map, without any color correction.
  ///
  /// - Returns: `width * height` samples in row-major order.
  /// - Throws: ``ImageCodecError``; `unsupported` for other kinds of PNG.
  public func decodeGray8(_ bytes: [UInt8]) throws(ImageCodecError) -> (width: Int, height: Int, samples: [UInt8]) {
    let chunks = try PNGChunks(bytes, limits: limits)
    guard chunks.isGray8 else { throw ImageCodecError(.unsupported, "this PNG is not gray with 8 bits a sample") }
    var samples = [UInt8](repeating: 0, count: chunks.width * chunks.height)
    let outcome = unsafe samples.withUnsafeMutableBytes { target in
      // Format 0: one 8-bit gray sample per pixel.
      unsafe Self.read(chunks, format: 0, into: target)
    }
    try outcome.get()
    return (chunks.width, chunks.height, samples)
  }

  /// Returns the outcome instead of throwing, so that it passes through functions that only support untyped errors.
  private static func read(
    _ chunks: PNGChunks, format: UInt32, into target: UnsafeMutableRawBufferPointer
  ) -> Result<Void, ImageCodecError> {
    unsafe chunks.decodable.withUnsafeBytes { source in
      var image = unsafe png_image()
      unsafe image.version = UInt32(PNG_IMAGE_VERSION)
      defer { unsafe png_image_free(&image) }
      guard unsafe png_image_begin_read_from_memory(&image, source.baseAddress, source.count) != 0 else {
        return .failure(ImageCodecError(.notAImage, unsafe "bad PNG header: \(message(of: image))"))
      }
      guard unsafe Int(image.width) == chunks.width, unsafe Int(image.height) == chunks.height else {
        return .failure(ImageCodecError(.corrupt, "damaged PNG: two sizes"))
      }
      unsafe image.format = format
      // 16-bit colors are sRGB, the default of PNGs without color information; depth maps are read as stored.
      if format & PNG_FORMAT_FLAG_LINEAR == 0 { unsafe image.flags |= UInt32(PNG_IMAGE_FLAG_16BIT_sRGB) }
      // A row step of 0 means contiguous rows.
      guard unsafe png_image_finish_read(&image, nil, target.baseAddress, 0, nil) != 0 else {
        return .failure(ImageCodecError(.corrupt, unsafe "damaged PNG: \(message(of: image))"))
      }
      return .success(())
    }
  }

  private static func message(of image: png_image) -> String {
    unsafe withUnsafeBytes(of: image.message) { text in
      unsafe String(decoding: text.prefix { $0 != 0 }, as: UTF8.self)
    }
  }
}

/// An image with one 16-bit channel, for example a depth map.
public struct Gray16Image: Hashable, Sendable {
  public let width: Int
  public let height: Int
  /// `width * height` samples in row-major order, as stored in the file.
  public let samples: [UInt16]

  /// - Parameters:
  ///   - width: columns.
  ///   - height: rows.
  ///   - samples: `width * height` samples.
  public init(width: Int, height: Int, samples: [UInt16]) {
    precondition(samples.count == width * height)
    self.width = width
    self.height = height
    self.samples = samples
  }
}

extension Gray16Image: CustomStringConvertible, CustomReflectable {
  public var description: String { "Gray16Image(\(width)×\(height))" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
