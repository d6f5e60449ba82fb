public import MienImaging

/// Decodes images of any supported format, detected by their first bytes; must be used by one thread at a time.
public struct ImageDecoder: ~Copyable {
  private var jpeg: JPEGDecoder
  private let png: PNGDecoder
  private let heif: HEIFDecoder
  private let webp: WebPDecoder
  /// Maximum number of pixels of the next images; applies if lower than the decoder's own limit.
  public var mostPixels = Int.max
  /// Formats of the next images; others are rejected.
  public var formats: Set<ImageFormat>

  /// - Parameters:
  ///   - limits: largest image, and most scans or chunks.
  ///   - formats: formats to be decoded. Leave out those that no sender needs.
  /// - Throws: ``ImageCodecError`` with code `codecFailed` if a library cannot start.
  public init(
    limits: ImageLimits = ImageLimits(), formats: Set<ImageFormat> = ImageFormat.common
  ) throws(ImageCodecError) {
    jpeg = try JPEGDecoder(limits: limits)
    png = PNGDecoder(limits: limits)
    heif = HEIFDecoder(limits: limits)
    webp = WebPDecoder(limits: limits)
    self.formats = formats
  }

  /// Decodes `bytes` into `frame`, upright; the frame's storage is reused.
  ///
  /// After an error the frame's content is unspecified.
  ///
  /// - Parameters:
  ///   - bytes: the encoded image.
  ///   - turning: `false` for the pixels as stored, which a camera's intrinsics refer to.
  ///   - frame: receives the pixels.
  public mutating func decode(
    _ bytes: [UInt8], turning: Bool = true, into frame: inout Frame
  ) throws(ImageCodecError) {
    guard let format = ImageFormat.sniff(bytes) else { throw .unknownFormat(bytes) }
    guard formats.contains(format) else {
      throw ImageCodecError(.notAImage, "this is neither a JPEG nor a PNG, the formats that are read here")
    }
    switch format {
    case .jpeg: try jpeg.decode(bytes, turning: turning, mostPixels: mostPixels, into: &frame)
    case .png: try png.decode(bytes, turning: turning, mostPixels: mostPixels, into: &frame)
    case .heic, .avif: try heif.decode(bytes, turning: turning, mostPixels: mostPixels, into: &frame)
    case .webp:
      let orientation = try webp.decode(bytes, mostPixels: mostPixels, into: &frame)
      if turning { frame.stand(upright: orientation) }
    }
  }
}

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

/// The reason why an image could not be read or written. Compared by code; contains no image data except the claimed
/// size.
public struct ImageCodecError: Error, Hashable, Sendable, CustomStringConvertible {
  public struct Code: Hashable, Sendable, CustomStringConvertible {
    fileprivate enum Kind: String { case notAImage = "notAnImage", tooLarge, corrupt, unsupported, codecFailed }
    fileprivate let kind: Kind
    /// The bytes do not begin like an image of the format, or their header is invalid.
    public static let notAImage = Code(kind: .notAImage)
    /// The header claims more pixels than the limit; nothing was decoded.
    public static let tooLarge = Code(kind: .tooLarge)
    /// The image is truncated or damaged.
    public static let corrupt = Code(kind: .corrupt)
    /// An image of an unsupported kind, for example CMYK.
    public static let unsupported = Code(kind: .unsupported)
    /// The codec library failed, for example for lack of memory.
    public static let codecFailed = Code(kind: .codecFailed)
    public var description: String { kind.rawValue }
  }

  public let code: Code
  /// Description for operators.
  public let reason: String

  init(_ code: Code, _ reason: String) {
    self.code = code
    self.reason = reason
  }

  public static func == (left: ImageCodecError, right: ImageCodecError) -> Bool { left.code == right.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
  public var description: String { "\(code): \(reason)" }
}
