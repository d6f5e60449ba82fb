private import CHEIF
internal import MienImaging

/// The calls of libheif. Each opens a file of one coded image, decodes it and frees everything.
enum HEIFLibrary {
  /// Decodes the only image of `file` and passes it to `body`.
  ///
  /// - Returns: the outcome of `body`, or `corrupt` for anything the library warns about, `unsupported` if it has no
  ///   decoder for the kind, `codecFailed` without memory and in a canceled task.
  static func decode(
    _ file: [UInt8], _ body: (borrowing HEIFDecodedImage) -> Result<Void, ImageCodecError>
  ) -> Result<Void, ImageCodecError> {
    guard !Task.isCancelled else { return .failure(ImageCodecError(.codecFailed, "decoding was canceled")) }
    return unsafe file.withUnsafeBytes { source in
      guard let context = unsafe heif_context_alloc() else { return .failure(noMemory) }
      defer { unsafe heif_context_free(context) }
      // Zero threads: decodes in the calling thread.
      unsafe heif_context_set_max_decoding_threads(context, 0)
      if let error = unsafe error(
        heif_context_read_from_memory_without_copy(context, source.baseAddress, source.count, nil))
      {
        return .failure(error)
      }
      var handle: OpaquePointer?
      if let error = unsafe error(heif_context_get_primary_image_handle(context, &handle)) { return .failure(error) }
      defer { unsafe heif_image_handle_release(handle) }
      guard let options = unsafe heif_decoding_options_alloc() else { return .failure(noMemory) }
      defer { unsafe heif_decoding_options_free(options) }
      unsafe options.pointee.convert_hdr_to_8bit = 1
      // Not strict: in strict mode, the library leaks the picture when it stops at an invalid color description;
      // otherwise it warns.
      unsafe options.pointee.strict_decoding = 0
      var image: OpaquePointer?
      let status = unsafe heif_decode_image(
        handle, &image, heif_colorspace_RGB, heif_chroma_interleaved_RGBA, options)
      if let error = unsafe error(status) { return .failure(error) }
      guard let image = unsafe image else { return .failure(noMemory) }
      let decoded = unsafe HEIFDecodedImage(image)
      guard !decoded.hasWarnings else {
        return .failure(ImageCodecError(.corrupt, "damaged HEIF: the coded picture is incomplete"))
      }
      return body(decoded)
    }
  }

  private static var noMemory: ImageCodecError { ImageCodecError(.codecFailed, "libheif has no memory") }

  private static func error(_ status: heif_error) -> ImageCodecError? {
    guard unsafe status.code != heif_error_Ok else { return nil }
    let message = unsafe status.message.map { unsafe String(cString: $0) } ?? "unknown error"
    switch unsafe status.code {
    case heif_error_Memory_allocation_error: return ImageCodecError(.codecFailed, "libheif: \(message)")
    case heif_error_Unsupported_filetype, heif_error_Unsupported_feature:
      return ImageCodecError(.unsupported, "a HEIF picture of this kind is not read: \(message)")
    default: return ImageCodecError(.corrupt, "damaged HEIF: \(message)")
    }
  }
}

/// A decoded image of red, green, blue and transparency, 8 bits each; owns libheif's memory of it.
@safe struct HEIFDecodedImage: ~Copyable {
  private let image: OpaquePointer

  fileprivate init(_ image: OpaquePointer) { unsafe self.image = image }

  deinit { unsafe heif_image_release(image) }

  fileprivate var hasWarnings: Bool { unsafe heif_image_get_decoding_warnings(image, 0, nil, 0) > 0 }

  var width: Int { unsafe Int(heif_image_get_width(image, heif_channel_interleaved)) }
  var height: Int { unsafe Int(heif_image_get_height(image, heif_channel_interleaved)) }

  /// Copies the image into a larger one as far as it lies inside, with its first pixel at a position inside.
  func copy(into frame: inout Frame, x: Int, y: Int) {
    var stride: Int32 = 0
    let (columns, rows) = (min(width, frame.width - x), min(height, frame.height - y))
    guard columns > 0, rows > 0,
      let source = unsafe heif_image_get_plane_readonly(image, heif_channel_interleaved, &stride),
      Int(stride) >= columns * 4
    else { return }
    let frameWidth = frame.width
    frame.writePixels { pixels in
      unsafe pixels.withUnsafeMutableBytes { target in
        for row in 0..<rows {
          let line = unsafe UnsafeRawBufferPointer(start: source + row * Int(stride), count: columns * 4)
          let start = ((y + row) * frameWidth + x) * 4
          unsafe UnsafeMutableRawBufferPointer(rebasing: target[start..<start + line.count]).copyMemory(from: line)
        }
      }
    }
  }
}
