public import MienImaging

/// Reads a picture of any supported format, told by its first bytes; used by one thread at a time.
public struct ImageDecoder: ~Copyable {
  private var jpeg: JPEGDecoder
  private let png: PNGDecoder
  /// Most pixels of the next pictures, where that is less than the decoder's own limit.
  public var mostPixels = Int.max

  /// - Throws: ``ImageCodecError`` with code `codecFailed` when a library cannot start.
  public init(limits: ImageLimits = ImageLimits()) throws(ImageCodecError) {
    jpeg = try JPEGDecoder(limits: limits)
    png = PNGDecoder(limits: limits)
  }

  /// Decodes `bytes` into `frame`, upright; the frame's storage is used again.
  ///
  /// After an error the frame's content is unspecified.
  ///
  /// - Parameter turning: false for the pixels as they are stored: those are the ones that a camera's intrinsics speak of.
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
