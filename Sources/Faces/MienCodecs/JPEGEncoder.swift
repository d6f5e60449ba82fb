private import CTurboJPEG
public import MienImaging

/// Encodes JPEG images; owns one libturbojpeg encoder and must be used by one thread at a time.
@safe public struct JPEGEncoder: ~Copyable {
  private let handle: tjhandle

  /// - Throws: ``ImageCodecError`` with code `codecFailed` if the library cannot start.
  public init() throws(ImageCodecError) {
    guard let handle = unsafe tjInitCompress() else {
      throw ImageCodecError(.codecFailed, "libturbojpeg could not start")
    }
    unsafe self.handle = handle
  }

  deinit {
    _ = unsafe tjDestroy(handle)
  }

  /// Encodes `frame` as a JPEG; `quality` 1…100.
  public func encode(_ frame: Frame, quality: Int = 90) throws(ImageCodecError) -> [UInt8] {
    let (width, height) = (Int32(clamping: frame.width), Int32(clamping: frame.height))
    guard width > 0, height > 0, width <= 65_500, height <= 65_500 else {
      throw ImageCodecError(.unsupported, "a JPEG has 1…65500 pixels an edge")
    }
    let sampling = Int32(TJSAMP_420.rawValue)
    var size = tjBufSize(width, height, sampling)
    var status: Int32 = 0
    let bytes = unsafe [UInt8](unsafeUninitializedCapacity: Int(size)) { target, count in
      var place = target.baseAddress
      status = unsafe frame.pixels.withUnsafeBytes { source in
        unsafe tjCompress2(
          handle, source.bindMemory(to: UInt8.self).baseAddress, width, width * 4, height,
          Int32(TJPF_RGBX.rawValue), &place, &size, sampling, Int32(min(max(quality, 1), 100)), TJFLAG_NOREALLOC)
      }
      count = status == 0 ? Int(size) : 0
    }
    guard status == 0 else {
      let message = unsafe String(cString: tjGetErrorStr2(handle))
      throw ImageCodecError(.codecFailed, "the JPEG could not be written: \(message)")
    }
    return bytes
  }
}
