/// Counts a JPEG's scans and determines its kind without decoding anything (ITU-T T.81, Annex B).
///
/// Each scan of a progressive JPEG makes the decoder process all pixels once, and a scan can be as short as a few
/// bytes. Encoders write about ten scans; cameras write one.
struct JPEGScans {
  /// Number of scans; counting stops at one more than the given limit.
  private(set) var count = 0
  /// `true` if the entropy coding is arithmetic, which no camera or browser writes and which is many times slower to
  /// decode.
  private(set) var isArithmetic = false

  /// - Parameter most: limit after which counting stops.
  init(_ bytes: [UInt8], most: Int) {
    unsafe bytes.withUnsafeBufferPointer { buffer in
      walk(unsafe Span(_unsafeElements: buffer), most: most)
    }
  }

  private mutating func walk(_ bytes: Span<UInt8>, most: Int) {
    var place = 2
    while true {
      // To the next marker: past coded data, stuffed zeros, restart markers and fill bytes, and past garbage as libjpeg
      // does.
      while place < bytes.count, bytes[place] != 0xFF { place &+= 1 }
      while place < bytes.count, bytes[place] == 0xFF { place &+= 1 }
      guard place < bytes.count else { return }
      let marker = bytes[place]
      place += 1
      switch marker {
      case 0x00, 0x01, 0xD0...0xD7: continue  // no segment follows
      case 0xD8: continue
      case 0xD9: return
      case 0xC9, 0xCA, 0xCB, 0xCD...0xCF: isArithmetic = true
      case 0xDA:
        count += 1
        if count > most { return }
      default: break
      }
      guard place + 2 <= bytes.count else { return }
      place += max(2, Int(bytes[place]) << 8 | Int(bytes[place + 1]))
    }
  }
}

extension ImageLimits {
  /// Rejects JPEGs with too many scans and kinds that take too long to decode.
  func check(scansOf jpeg: [UInt8], pixels: Int) throws(ImageCodecError) {
    let found = JPEGScans(jpeg, most: scans)
    guard found.count <= scans else {
      throw ImageCodecError(.tooLarge, "the JPEG has more than \(scans) scans, the most that are read")
    }
    guard found.count <= 1 || found.count * pixels <= scannedPixels else {
      throw ImageCodecError(.tooLarge, "the JPEG has \(found.count) scans of \(pixels) pixels, more than are read")
    }
    guard !found.isArithmetic else { throw ImageCodecError(.unsupported, "JPEGs of arithmetic coding are not read") }
  }
}
