private import CTurboJPEG
public import MienImaging

/// Decodes JPEG images; owns one libturbojpeg decoder and must be used by one thread at a time.
@safe public struct JPEGDecoder: ~Copyable {
  private let handle: tjhandle
  private let limits: ImageLimits
  /// Scratch frame for an image that has to be rotated to be upright.
  private var lying = Frame()

  /// - Throws: ``ImageCodecError`` with code `codecFailed` if the library cannot start.
  public init(limits: ImageLimits = ImageLimits()) throws(ImageCodecError) {
    guard let handle = unsafe tjInitDecompress() else {
      throw ImageCodecError(.codecFailed, "libturbojpeg could not start")
    }
    unsafe self.handle = handle
    self.limits = limits
  }

  deinit {
    _ = unsafe tjDestroy(handle)
  }

  /// Decodes a JPEG into `frame`, upright according to its EXIF orientation; the frame's storage is reused.
  ///
  /// Rejects other formats, more pixels or scans than the limits, CMYK, arithmetic coding, and anything that
  /// libturbojpeg warns about: truncated or damaged images are no evidence. After an error the frame's content is
  /// unspecified.
  ///
  /// - Parameters:
  ///   - turning: `false` for the pixels as stored, ignoring the EXIF orientation.
  ///   - mostPixels: maximum number of pixels of this image; applies if lower than the decoder's own limit.
  public mutating func decode(
    _ bytes: [UInt8], turning: Bool = true, mostPixels: Int = .max, into frame: inout Frame
  ) throws(ImageCodecError) {
    guard ImageFormat.sniff(bytes) == .jpeg else { throw ImageCodecError(.notAImage, "this is not a JPEG") }
    let (width, height) = try size(of: bytes, limits.lowered(to: mostPixels))
    let orientation = turning ? EXIF.orientation(inJPEG: bytes) : .upright
    if orientation == .upright {
      try decode(bytes, width, height, into: &frame)
    } else {
      var scratch = Frame()
      swap(&scratch, &lying)  // avoids copying or sharing the storage
      defer { swap(&scratch, &lying) }
      try decode(bytes, width, height, into: &scratch)
      scratch.stand(upright: orientation, into: &frame)
    }
  }

  /// Reads the header and checks it against the limits.
  private func size(of bytes: [UInt8], _ limits: ImageLimits) throws(ImageCodecError) -> (Int, Int) {
    var (width, height, subsampling, colors): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
    let status = unsafe bytes.withUnsafeBufferPointer { buffer in
      unsafe tjDecompressHeader3(
        handle, buffer.baseAddress, UInt(buffer.count), &width, &height, &subsampling, &colors)
    }
    guard status == 0 else { throw ImageCodecError(.notAImage, "bad JPEG header: \(message)") }
    try limits.check(width: Int(width), height: Int(height))
    try limits.check(scansOf: bytes, pixels: Int(width) * Int(height))
    guard colors != Int32(TJCS_CMYK.rawValue), colors != Int32(TJCS_YCCK.rawValue) else {
      throw ImageCodecError(.unsupported, "CMYK images are not supported")
    }
    return (Int(width), Int(height))
  }

  private func decode(_ bytes: [UInt8], _ width: Int, _ height: Int, into frame: inout Frame) throws(ImageCodecError) {
    frame.reshape(width: width, height: height)
    let status = unsafe bytes.withUnsafeBufferPointer { source in
      frame.writePixels { pixels in
        unsafe pixels.withUnsafeMutableBytes { target in
          // The scans have been counted; the library's own limit of 500 is a second safeguard.
          unsafe tjDecompress2(
            handle, source.baseAddress, UInt(source.count), target.bindMemory(to: UInt8.self).baseAddress,
            Int32(width), Int32(width * 4), Int32(height), Int32(TJPF_RGBX.rawValue),
            TJFLAG_STOPONWARNING | TJFLAG_LIMITSCANS)
        }
      }
    }
    guard status == 0 else { throw ImageCodecError(.corrupt, "damaged JPEG: \(message)") }
  }

  private var message: String { unsafe String(cString: tjGetErrorStr2(handle)) }
}
