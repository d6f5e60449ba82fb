/// An image format that is recognized but not read, so that an error can say what to do.
enum UnsupportedImageFormat: String, Hashable, Sendable, CaseIterable {
  case tiff = "a TIFF"
  case raw = "a camera's RAW file"
  case bmp = "a BMP"
  case gif = "a GIF"
  case jpegXL = "a JPEG XL"
  case jpeg2000 = "a JPEG 2000"
  case photoshop = "a Photoshop file"
  case pdf = "a PDF"
  case video = "a video"

  /// Returns the format that `bytes` begin with; `nil` if it is not known.
  init?(_ bytes: [UInt8]) {
    func begins(_ start: [UInt8], at place: Int = 0) -> Bool { bytes.dropFirst(place).starts(with: start) }
    if begins([0x49, 0x49, 42, 0]) || begins([0x4D, 0x4D, 0, 42]) {
      self = Self.isRaw(bytes) ? .raw : .tiff
    } else if begins(Array("FUJIFILM".utf8)) || begins([0x49, 0x49, 0x55, 0]) || begins(Array("IIRO".utf8))
      || begins(Array("crx ".utf8), at: 8)
    {
      self = .raw
    } else if begins(Array("BM".utf8)), bytes.count >= 26, [12, 40, 52, 56, 64, 108, 124].contains(bytes[14]) {
      self = .bmp
    } else if begins(Array("GIF8".utf8)) {
      self = .gif
    } else if begins([0xFF, 0x0A]) || begins(Array("JXL ".utf8), at: 4) {
      self = .jpegXL
    } else if begins(Array("jP  ".utf8), at: 4) || begins([0xFF, 0x4F, 0xFF, 0x51]) {
      self = .jpeg2000
    } else if begins(Array("8BPS".utf8)) {
      self = .photoshop
    } else if begins(Array("%PDF".utf8)) {
      self = .pdf
    } else if begins(Array("ftyp".utf8), at: 4) || begins([0x1A, 0x45, 0xDF, 0xA3]) {
      self = .video
    } else {
      return nil
    }
  }

  /// Reports whether a TIFF is a RAW file: with Canon's signature, with a DNG version (tag C612), or with
  /// subdirectories (tag 014A) and a camera maker (tag 010F).
  private static func isRaw(_ bytes: [UInt8]) -> Bool {
    if bytes.dropFirst(8).starts(with: [0x43, 0x52]) { return true }
    guard let tiff = TIFF(bytes: bytes[...]), let first = tiff.directory(at: tiff.long(at: 4)) else { return false }
    // NEF, ARW, PEF and SRW files name their maker and store the sensor data in subdirectories.
    return first[0xC612] != nil || (first[0x014A] != nil && first[0x010F] != nil)
  }

  /// Advice for the person who chose the file.
  var advice: String {
    switch self {
    case .raw: "Export the photo as JPEG or HEIC in the camera's app or in a photo app, and send that."
    case .gif, .video: "Send a photo: JPEG, PNG, HEIC, AVIF or WebP."
    case .tiff, .bmp, .jpegXL, .jpeg2000, .photoshop, .pdf:
      "Save the picture as JPEG, PNG, HEIC, AVIF or WebP, and send that."
    }
  }
}

extension ImageFormat {
  /// Returns the format that `bytes` begin with.
  ///
  /// - Throws: ``ImageCodecError`` with `notAImage` and what to do, for the person who chose the file.
  public static func expect(_ bytes: [UInt8]) throws(ImageCodecError) -> ImageFormat {
    guard let format = sniff(bytes) else { throw .unknownFormat(bytes) }
    return format
  }
}

extension ImageCodecError {
  /// Returns the error for a file that is not a supported image; it names the format if it is recognized.
  static func unknownFormat(_ bytes: [UInt8]) -> ImageCodecError {
    if let known = UnsupportedImageFormat(bytes) {
      return ImageCodecError(.notAImage, "this is \(known.rawValue), which is not read. \(known.advice)")
    }
    return ImageCodecError(.notAImage, "this is none of JPEG, PNG, HEIC, AVIF and WebP")
  }
}
