private import CWebP
internal import MienImaging

/// Decodes still WebP images with libwebp, which receives only the picture of ``WebPChunks``.
///
/// The pixels that the header claims bound the decoding time.
struct WebPDecoder: Sendable {
  let limits: ImageLimits

  /// Decodes a WebP into `frame`, as stored; the frame's storage is reused. Transparency and color profiles are ignored:
  /// colors are interpreted as sRGB.
  ///
  /// After an error the frame's content is unspecified.
  ///
  /// - Returns: the orientation in the file's EXIF data.
  func decode(
    _ bytes: [UInt8], mostPixels: Int = .max, into frame: inout Frame
  ) throws(ImageCodecError) -> Orientation {
    let chunks = try WebPChunks(bytes, limits: limits.lowered(to: mostPixels))
    frame.reshape(width: chunks.width, height: chunks.height)
    let isDecoded = frame.writePixels { pixels in
      unsafe pixels.withUnsafeMutableBytes { target in
        unsafe chunks.decodable.withUnsafeBufferPointer { source in
          var (width, height): (Int32, Int32) = (0, 0)
          guard unsafe WebPGetInfo(source.baseAddress, source.count, &width, &height) != 0,
            Int(width) == chunks.width, Int(height) == chunks.height
          else { return false }
          return unsafe WebPDecodeRGBAInto(
            source.baseAddress, source.count, target.bindMemory(to: UInt8.self).baseAddress, target.count, 4 * width)
            != nil
        }
      }
    }
    guard isDecoded else { throw ImageCodecError(.corrupt, "damaged WebP: the picture is incomplete") }
    return chunks.orientation
  }
}
