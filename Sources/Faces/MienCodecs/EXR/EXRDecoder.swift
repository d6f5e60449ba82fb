private import COpenEXR

/// Decodes one channel of an OpenEXR image as floats with the OpenEXR library: depth maps of other programs.
///
/// Reads single images of scan lines in all compressions of the library. Images with tiles, deep samples, subsampled or
/// more than eight channels are rejected, because no depth map has them.
public struct EXRDecoder: Sendable {
  private let limits: ImageLimits

  public init(limits: ImageLimits = ImageLimits()) { self.limits = limits }

  /// Returns `true` for the first bytes of an OpenEXR image.
  public static func recognizes(_ bytes: some Collection<UInt8>) -> Bool {
    bytes.starts(with: [0x76, 0x2F, 0x31, 0x01])
  }

  /// Decodes the channel `R`, `Z` or `Y`, or the only one, with samples of any of the format's types.
  ///
  /// - Returns: `width * height` samples of the data window in row-major order; they may be infinite or NaN.
  /// - Throws: ``ImageCodecError``.
  public func decodeChannel(_ bytes: [UInt8]) throws(ImageCodecError) -> (width: Int, height: Int, samples: [Float]) {
    guard Self.recognizes(bytes) else { throw ImageCodecError(.notAImage, "not an OpenEXR image") }
    let outcome = unsafe bytes.withUnsafeBufferPointer { unsafe decode($0) }
    return try outcome.get()
  }

  /// Returns the outcome instead of throwing, so that it passes through functions that only support untyped errors.
  private func decode(
    _ source: UnsafeBufferPointer<UInt8>
  ) -> Result<(width: Int, height: Int, samples: [Float]), ImageCodecError> {
    let file = UnsafeMutablePointer<mien_exr_file>.allocate(capacity: 1)
    defer { unsafe file.deallocate() }
    let side = Int32(clamping: min(limits.side, limits.pixels))
    let opened = unsafe mien_exr_open(file, source.baseAddress, source.count, side)
    defer { unsafe mien_exr_close(file) }
    switch opened {
    case 0: break
    case -2: return .failure(ImageCodecError(.unsupported, "an OpenEXR image of a kind or size that is not read"))
    default: return .failure(ImageCodecError(.corrupt, "damaged OpenEXR image: its header"))
    }
    let (width, height) = unsafe (Int(file.pointee.width), Int(file.pointee.height))
    do throws(ImageCodecError) { try limits.check(width: width, height: height) } catch { return .failure(error) }
    var samples = [Float](repeating: 0, count: width * height)
    let outcome = unsafe samples.withUnsafeMutableBufferPointer { unsafe mien_exr_decode(file, $0.baseAddress) }
    guard outcome == 0 else { return .failure(ImageCodecError(.corrupt, "damaged OpenEXR image: its samples")) }
    return .success((width, height, samples))
  }
}
