private import CTurboJPEG
public import MienImaging

/// Decodes JPEG images; owns one libturbojpeg decoder and must be used by one thread at a time.
@safe public struct JPEGDecoder: ~Copyable {
  private let handle: tjhandle
  private let limits: ImageLimits
  /// Scratch frame for an image that has to be rotated to be upright.
  private var stored = Frame()

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
  /// Colors are interpreted as sRGB; CMYK is converted as inks that subtract from white, without a profile.
  ///
  /// Rejects other formats, more pixels or scans than the limits, arithmetic coding, and anything that libturbojpeg
  /// warns about, except stray bytes between segments (`JPEGStrayBytes`): truncated or damaged images are no evidence.
  /// After an error the frame's content is unspecified.
  ///
  /// - Parameters:
  ///   - bytes: the encoded image.
  ///   - turning: `false` for the pixels as stored, ignoring the EXIF orientation.
  ///   - mostPixels: maximum number of pixels of this image; applies if lower than the decoder's own limit.
  ///   - frame: receives the pixels.
  public mutating func decode(
    _ bytes: [UInt8], turning: Bool = true, mostPixels: Int = .max, into frame: inout Frame
  ) throws(ImageCodecError) {
    guard ImageFormat.sniff(bytes) == .jpeg else { throw ImageCodecError(.notAImage, "this is not a JPEG") }
    let bytes = JPEGStrayBytes.removed(from: bytes) ?? bytes
    let header = try header(of: bytes, limits.lowered(to: mostPixels))
    let orientation = turning ? EXIF.orientation(inJPEG: bytes) : .upright
    if orientation == .upright {
      try decode(bytes, header, into: &frame)
    } else {
      var scratch = Frame()
      swap(&scratch, &stored)  // avoids copying or sharing the storage
      defer { swap(&scratch, &stored) }
      try decode(bytes, header, into: &scratch)
      scratch.stand(upright: orientation, into: &frame)
    }
  }

  private struct Header {
    let width: Int
    let height: Int
    let isCMYK: Bool
  }

  /// Reads the header and checks it against the limits.
  private func header(of bytes: [UInt8], _ limits: ImageLimits) throws(ImageCodecError) -> Header {
    var (width, height, subsampling, colors): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
    let status = unsafe bytes.withUnsafeBufferPointer { buffer in
      unsafe tjDecompressHeader3(
        handle, buffer.baseAddress, UInt(buffer.count), &width, &height, &subsampling, &colors)
    }
    guard status == 0 else { throw ImageCodecError(.notAImage, "bad JPEG header: \(message)") }
    try limits.check(width: Int(width), height: Int(height))
    try limits.check(scansOf: bytes, pixels: Int(width) * Int(height))
    return Header(
      width: Int(width), height: Int(height),
      isCMYK: colors == Int32(TJCS_CMYK.rawValue) || colors == Int32(TJCS_YCCK.rawValue))
  }

  private func decode(_ bytes: [UInt8], _ header: Header, into frame: inout Frame) throws(ImageCodecError) {
    frame.reshape(width: header.width, height: header.height)
    var status = decode(bytes, header, TJFLAG_STOPONWARNING, into: &frame)
    if status != 0, JPEGStrayBytes.isBeforeEnd(message) {
      let first = message
      status = decode(bytes, header, 0, into: &frame)
      if message == first { status = 0 }
    }
    guard status == 0 else { throw ImageCodecError(.corrupt, "damaged JPEG: \(message)") }
    if header.isCMYK { frame.convertFromCMYK(inverted: JPEGSegments(bytes).contains { $0.isAdobe }) }
  }

  private func decode(_ bytes: [UInt8], _ header: Header, _ flags: Int32, into frame: inout Frame) -> Int32 {
    unsafe bytes.withUnsafeBufferPointer { source in
      frame.writePixels { pixels in
        unsafe pixels.withUnsafeMutableBytes { target in
          // The scans have been counted; the library's own limit of 500 is a second safeguard.
          unsafe tjDecompress2(
            handle, source.baseAddress, UInt(source.count), target.bindMemory(to: UInt8.self).baseAddress,
            Int32(header.width), Int32(header.width * 4), Int32(header.height),
            Int32((header.isCMYK ? TJPF_CMYK : TJPF_RGBX).rawValue), flags | TJFLAG_LIMITSCANS)
        }
      }
    }
  }

  private var message: String { unsafe String(cString: tjGetErrorStr2(handle)) }
}

extension Frame {
  /// Converts pixels whose four bytes are cyan, magenta, yellow and black.
  ///
  /// - Parameter inverted: `true` for values in which 255 means no ink, as Adobe's programs write them.
  fileprivate mutating func convertFromCMYK(inverted: Bool) {
    writePixels { pixels in
      for index in pixels.indices {
        let inks = pixels[index].packed
        func light(_ shift: UInt32) -> UInt32 { (inverted ? inks >> shift : ~(inks >> shift)) & 255 }
        func color(_ shift: UInt32) -> UInt8 { UInt8((light(shift) * light(24) + 127) / 255) }
        pixels[index] = Pixel(red: color(0), green: color(8), blue: color(16))
      }
    }
  }

  /// Makes the frame upright.
  mutating func stand(upright orientation: Orientation) {
    guard orientation != .upright else { return }
    let stored = self
    stored.stand(upright: orientation, into: &self)
  }
}
