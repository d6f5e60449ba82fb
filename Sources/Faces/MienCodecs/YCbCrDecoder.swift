private import CTurboJPEG
public import MienImaging

/// Decodes images of any supported format into planes, or samples them, in file orientation; must be used by one thread
/// at a time.
///
/// A JPEG's planes are returned as in the file: without conversion to red, green and blue, and with the color
/// differences at their own size. This is also almost a third faster than a full decode.
@safe public struct YCbCrDecoder: ~Copyable {
  private let handle: tjhandle
  private let limits: ImageLimits
  private var jpeg: JPEGDecoder
  private let png: PNGDecoder
  private let heif: HEIFDecoder
  private let webp: WebPDecoder
  private var frame = Frame()

  /// - Throws: ``ImageCodecError`` with code `codecFailed` if the library cannot start.
  public init(limits: ImageLimits = ImageLimits()) throws(ImageCodecError) {
    let jpeg = try JPEGDecoder(limits: limits)
    guard let handle = unsafe tjInitDecompress() else {
      throw ImageCodecError(.codecFailed, "libturbojpeg could not start")
    }
    unsafe self.handle = handle
    self.limits = limits
    self.jpeg = jpeg
    png = PNGDecoder(limits: limits)
    heif = HEIFDecoder(limits: limits)
    webp = WebPDecoder(limits: limits)
  }

  deinit {
    _ = unsafe tjDestroy(handle)
  }

  /// Decodes `bytes` into `image`, whose storage is reused.
  ///
  /// Rejects other formats, more pixels than the limit, unknown subsampling, and anything damaged. After an error the
  /// image's content is unspecified.
  public mutating func decode(_ bytes: [UInt8], into image: inout YCbCrImage) throws(ImageCodecError) {
    switch ImageFormat.sniff(bytes) {
    case .jpeg:
      try decodeJPEG(JPEGStrayBytes.removed(from: bytes) ?? bytes, into: &image)
    case .png:
      let orientation = try png.decodeStored(bytes, into: &frame)
      image = YCbCrImage(frame)
      image.orientation = orientation
    case .heic, .avif:
      let orientation = try heif.decode(bytes, turning: false, into: &frame)
      image = YCbCrImage(frame)
      image.orientation = orientation
    case .webp:
      let orientation = try webp.decode(bytes, into: &frame)
      image = YCbCrImage(frame)
      image.orientation = orientation
    case nil:
      throw .unknownFormat(bytes)
    }
  }

  /// Samples an image with the plan that `sampling` returns for its size, without storing the whole image.
  ///
  /// The common kind of JPEG is read by `SparseJPEGDecoder`, which skips what is not needed and is faster than the
  /// library; every other kind, and every possibly damaged file, is decoded whole. Samples of both agree within one
  /// level.
  ///
  /// - Parameters:
  ///   - bytes: the encoded image.
  ///   - sampling: returns the plan for an image of a size in pixels.
  ///   - early: called with finished tiles while the rest of a common JPEG is still being read. They are provisional:
  ///     if damage is found later, the result contains other tiles, or an error is thrown.
  /// - Throws: as ``decode(_:into:)``.
  public mutating func sample(
    _ bytes: [UInt8], _ sampling: (_ width: Int, _ height: Int) -> SamplingPlan,
    early: (YCbCrImage) -> Void = { _ in }
  ) throws(ImageCodecError) -> SampledImage {
    if ImageFormat.sniff(bytes) == .jpeg,
      let image = try sampleBaseline(JPEGStrayBytes.removed(from: bytes) ?? bytes, sampling, early)
    {
      return image
    }
    var image = YCbCrImage()
    try decode(bytes, into: &image)
    return SampledImage(image, sampling(image.width, image.height))
  }

  /// Returns `nil` if the image has to be decoded whole.
  private func sampleBaseline(
    _ bytes: [UInt8], _ sampling: (_ width: Int, _ height: Int) -> SamplingPlan, _ early: (YCbCrImage) -> Void
  ) throws(ImageCodecError) -> SampledImage? {
    let found = unsafe bytes.withUnsafeBufferPointer { buffer -> Result<SampledImage?, ImageCodecError> in
      let bytes = unsafe Span(_unsafeElements: buffer)
      guard let sampler = SparseJPEGDecoder(bytes) else { return .success(nil) }
      do throws(ImageCodecError) {
        try limits.check(width: sampler.width, height: sampler.height)
      } catch {
        return .failure(error)
      }
      let sampling = sampling(sampler.width, sampler.height)
      // Most of a small image would be sampled, so there is no gain.
      return .success(sampling.factor >= Self.leastFactor ? sampler.sample(bytes, sampling, early: early) : nil)
    }
    guard var image = try found.get() else { return nil }
    image.orientation = EXIF.orientation(inJPEG: bytes)
    return image
  }

  /// Smallest downscaling factor for which a JPEG is decoded sparsely.
  private static let leastFactor = 4

  private mutating func decodeJPEG(_ bytes: [UInt8], into image: inout YCbCrImage) throws(ImageCodecError) {
    var (width, height, subsampling, colors): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
    let header = unsafe bytes.withUnsafeBufferPointer { buffer in
      unsafe tjDecompressHeader3(
        handle, buffer.baseAddress, UInt(buffer.count), &width, &height, &subsampling, &colors)
    }
    guard header == 0 else { throw ImageCodecError(.notAImage, "bad JPEG header: \(message)") }
    try limits.check(width: Int(width), height: Int(height))
    try limits.check(scansOf: bytes, pixels: Int(width) * Int(height))
    guard colors == Int32(TJCS_YCbCr.rawValue) || colors == Int32(TJCS_GRAY.rawValue) else {
      // Red, green and blue, or inks.
      try jpeg.decode(bytes, turning: false, into: &frame)
      image = YCbCrImage(frame)
      image.orientation = EXIF.orientation(inJPEG: bytes)
      return
    }
    guard subsampling >= 0 else { throw ImageCodecError(.unsupported, "a JPEG of unknown subsampling") }
    func side(_ plane: Int32) -> (width: Int, height: Int) {
      (Int(tjPlaneWidth(plane, width, subsampling)), Int(tjPlaneHeight(plane, height, subsampling)))
    }
    let isGray = subsampling == Int32(TJSAMP_GRAY.rawValue)
    let (luma, color) = (side(0), isGray ? (0, 0) : side(1))
    image.luma.reshape(width: luma.width, height: luma.height)
    image.blue.reshape(width: color.0, height: color.1)
    image.red.reshape(width: color.0, height: color.1)
    var status = decode(bytes, Int(width), Int(height), TJFLAG_STOPONWARNING, into: &image)
    if status != 0, JPEGStrayBytes.isBeforeEnd(message) {
      let first = message
      status = decode(bytes, Int(width), Int(height), 0, into: &image)
      if message == first { status = 0 }
    }
    guard status == 0 else { throw ImageCodecError(.corrupt, "damaged JPEG: \(message)") }
    // The planes are padded to whole subsampling units; the padding is cropped.
    image.luma.crop(width: Int(width), height: Int(height))
    image.orientation = EXIF.orientation(inJPEG: bytes)
    image.lumaSteps = JPEGTables.lumaSteps(bytes)
  }

  /// Decodes into planes that have their sizes.
  private func decode(
    _ bytes: [UInt8], _ width: Int, _ height: Int, _ flags: Int32, into image: inout YCbCrImage
  ) -> Int32 {
    unsafe bytes.withUnsafeBufferPointer { source in
      image.luma.writeSamples { luma in
        image.blue.writeSamples { blue in
          image.red.writeSamples { red in
            unsafe luma.withUnsafeMutableBufferPointer { luma in
              unsafe blue.withUnsafeMutableBufferPointer { blue in
                unsafe red.withUnsafeMutableBufferPointer { red in
                  var planes = unsafe [luma.baseAddress, blue.baseAddress, red.baseAddress]
                  // The scans have been counted; the library's own limit of 500 is a second safeguard.
                  return unsafe tjDecompressToYUVPlanes(
                    handle, source.baseAddress, UInt(source.count), &planes, Int32(width), nil, Int32(height),
                    flags | TJFLAG_LIMITSCANS)
                }
              }
            }
          }
        }
      }
    }
  }

  private var message: String { unsafe String(cString: tjGetErrorStr2(handle)) }
}
