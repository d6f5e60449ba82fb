public import MienImaging

/// Decodes images of any supported format, detected by their first bytes; must be used by one thread at a time.
public struct ImageDecoder: ~Copyable {
  private var jpeg: JPEGDecoder
  private let png: PNGDecoder
  /// Maximum number of pixels of the next images; applies if lower than the decoder's own limit.
  public var mostPixels = Int.max

  /// - Throws: ``ImageCodecError`` with code `codecFailed` if a library cannot start.
  public init(limits: ImageLimits = ImageLimits()) throws(ImageCodecError) {
    jpeg = try JPEGDecoder(limits: limits)
    png = PNGDecoder(limits: limits)
  }

  /// Decodes `bytes` into `frame`, upright; the frame's storage is reused.
  ///
  /// After an error the frame's content is unspecified.
  ///
  /// - Parameter turning: `false` for the pixels as stored, which a camera's intrinsics refer to.
  public mutating func decode(
    _ bytes: [UInt8], turning: Bool = true, into frame: inout Frame
  ) throws(ImageCodecError) {
    switch ImageFormat.sniff(bytes) {
    case .jpeg: try jpeg.decode(bytes, turning: turning, mostPixels: mostPixels, into: &frame)
    case .png: try png.decode(bytes, mostPixels: mostPixels, into: &frame)
    case nil: throw ImageCodecError(.notAImage, "this is neither a JPEG nor a PNG")
    }
  }
}
