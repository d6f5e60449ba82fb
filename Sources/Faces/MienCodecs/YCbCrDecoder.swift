private import CTurboJPEG
public import MienImaging

/// Reads a picture of any supported format into planes, or takes samples of it, lying as its file has it; used by one
/// thread at a time.
///
/// A JPEG's planes come out as they are in the file: without turning into red, green and blue, and the colour differences
/// at their own size. That is also most of a third faster than a full decode.
@safe public struct YCbCrDecoder: ~Copyable {
  private let handle: tjhandle
  private let limits: ImageLimits
  private let png: PNGDecoder
  private var frame = Frame()

  /// - Throws: ``ImageCodecError`` with code `codecFailed` when the library cannot start.
  public init(limits: ImageLimits = ImageLimits()) throws(ImageCodecError) {
    guard let handle = unsafe tjInitDecompress() else {
      throw ImageCodecError(.codecFailed, "libturbojpeg could not start")
    }
    unsafe self.handle = handle
    self.limits = limits
    png = PNGDecoder(limits: limits)
  }

  deinit {
    _ = unsafe tjDestroy(handle)
  }

  /// Decodes `bytes` into `picture`; its storage is used again. What a file name says is not looked at.
  ///
  /// Refused are: other formats, more pixels than the limit, CMYK, odd subsampling, and anything damaged. After an error
  /// the picture's content is unspecified.
  public mutating func decode(_ bytes: [UInt8], into image: inout YCbCrImage) throws(ImageCodecError) {
    switch ImageFormat.sniff(bytes) {
    case .jpeg:
      try decodeJPEG(bytes, into: &image)
    case .png:
      try png.decode(bytes, into: &frame)
      image = YCbCrImage(frame)
    case nil:
      throw ImageCodecError(.notAImage, "this is neither a JPEG nor a PNG")
    }
  }

  /// Takes from a picture what `sampling` says of its size, without keeping it whole.
  ///
  /// The common kind of JPEG is read by code of our own, which skips what is not taken and is faster than the library;
  /// every other kind, and whatever may be damaged, is decoded whole. Samples of both agree within one level.
  ///
  /// - Parameter early: is given tiles that are done while the rest is still being read, in the common kind of JPEG. They
  ///   are a promise of nothing: damage that is found later leaves other tiles in what is returned, or an error.
  /// - Throws: as ``decode(_:into:)``.
  public mutating func sample(
    _ bytes: [UInt8], _ sampling: (_ width: Int, _ height: Int) -> SamplingPlan,
    early: (YCbCrImage) -> Void = { _ in }
  ) throws(ImageCodecError) -> SampledImage {
    if ImageFormat.sniff(bytes) == .jpeg, let image = try sampleBaseline(bytes, sampling, early) { return image }
    var image = YCbCrImage()
    try decode(bytes, into: &image)
    return SampledImage(image, sampling(image.width, image.height))
  }

  /// Nil when the picture is to be decoded whole.
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
      // Of a small picture most is taken, so that nothing is gained.
      return .success(sampling.factor >= Self.leastFactor ? sampler.sample(bytes, sampling, early: early) : nil)
    }
    guard var image = try found.get() else { return nil }
    image.orientation = EXIF.orientation(inJPEG: bytes)
    return image
  }

  /// From this factor on a JPEG is not decoded whole.
  private static let leastFactor = 4

  private func decodeJPEG(_ bytes: [UInt8], into image: inout YCbCrImage) throws(ImageCodecError) {
    var (width, height, subsampling, colors): (Int32, Int32, Int32, Int32) = (0, 0, 0, 0)
    let header = unsafe bytes.withUnsafeBufferPointer { buffer in
      unsafe tjDecompressHeader3(
        handle, buffer.baseAddress, UInt(buffer.count), &width, &height, &subsampling, &colors)
    }
    guard header == 0 else { throw ImageCodecError(.notAImage, "bad JPEG header: \(message)") }
    try limits.check(width: Int(width), height: Int(height))
    try limits.check(scansOf: bytes, pixels: Int(width) * Int(height))
    guard colors == Int32(TJCS_YCbCr.rawValue) || colors == Int32(TJCS_GRAY.rawValue) else {
      throw ImageCodecError(.unsupported, "only JPEGs of luma and colour differences are read into planes")
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
    let status = unsafe bytes.withUnsafeBufferPointer { source in
      image.luma.writeSamples { luma in
        image.blue.writeSamples { blue in
          image.red.writeSamples { red in
            unsafe luma.withUnsafeMutableBufferPointer { luma in
              unsafe blue.withUnsafeMutableBufferPointer { blue in
                unsafe red.withUnsafeMutableBufferPointer { red in
                  var planes = unsafe [luma.baseAddress, blue.baseAddress, red.baseAddress]
                  // Scans were counted; the library's own limit of 500 stands behind that.
                  return unsafe tjDecompressToYUVPlanes(
                    handle, source.baseAddress, UInt(source.count), &planes, width, nil, height,
                    TJFLAG_STOPONWARNING | TJFLAG_LIMITSCANS)
                }
              }
            }
          }
        }
      }
    }
    guard status == 0 else { throw ImageCodecError(.corrupt, "damaged JPEG: \(message)") }
    // The planes are padded to whole units of the subsampling; the padding goes.
    image.luma.crop(width: Int(width), height: Int(height))
    image.orientation = EXIF.orientation(inJPEG: bytes)
    image.lumaSteps = JPEGTables.lumaSteps(bytes)
  }

  private var message: String { unsafe String(cString: tjGetErrorStr2(handle)) }
}
