internal import MienCore

/// The structure of a JPEG or PNG file: the end of the image, and the bytes that determine its pixels.
///
/// Decoders ignore comments, application segments and bytes after the end. Changing these makes the same image look
/// different to code that compares the bytes of files.
public struct ImageLayout: Equatable, Sendable {
  /// The offset after EOI (ITU-T T.81, Annex B) or IEND (PNG, third edition, section 5).
  public let end: Int
  /// Byte ranges that determine the pixels, in file order: in a JPEG everything but APPn and COM segments, in a PNG the
  /// chunks IHDR, PLTE, tRNS and IDAT.
  public let content: [Range<Int>]

  /// Parses the layout; `nil` for other formats and for damaged files, which decoders reject.
  public init?(_ bytes: [UInt8]) {
    let layout = Self.jpeg(bytes) ?? Self.png(bytes)
    guard let layout else { return nil }
    self = layout
  }

  private init(end: Int, content: [Range<Int>]) {
    self.end = end
    self.content = content
  }

  private static func jpeg(_ bytes: [UInt8]) -> ImageLayout? {
    guard bytes.count > 4, bytes[0] == 0xFF, bytes[1] == 0xD8 else { return nil }
    var place = 2
    var content: [Range<Int>] = []
    while place + 1 < bytes.count {
      guard bytes[place] == 0xFF else { return nil }
      let marker = bytes[place + 1]
      let start = place
      switch marker {
      case 0xFF: place += 1  // fill byte
      case 0xD9: return ImageLayout(end: place + 2, content: content)
      case 0x01, 0xD0...0xD8: place += 2  // no parameters
      default:
        guard place + 4 <= bytes.count else { return nil }
        place += 2 + max(2, Int(bytes.bigEndian(at: place + 2, as: UInt16.self)))
        if marker == 0xDA {
          // Entropy-coded data contains stuffed zeros and restart markers.
          while place + 1 < bytes.count,
            bytes[place] != 0xFF || bytes[place + 1] == 0 || (0xD0...0xD7).contains(bytes[place + 1])
          { place += 1 }
        }
        guard place <= bytes.count else { return nil }
        if !(0xE0...0xEF).contains(marker), marker != 0xFE { content.append(start..<place) }
      }
    }
    return nil
  }

  private static func png(_ bytes: [UInt8]) -> ImageLayout? {
    guard bytes.count > 20, bytes[0] == 0x89, bytes[1] == 0x50, bytes[2] == 0x4E, bytes[3] == 0x47 else { return nil }
    var place = 8
    var content: [Range<Int>] = []
    while place + 12 <= bytes.count {
      let end = place + 12 + Int(bytes.bigEndian(at: place, as: UInt32.self))
      guard end <= bytes.count else { return nil }
      switch bytes.bigEndian(at: place + 4, as: UInt32.self) {
      case 0x4945_4E44: return ImageLayout(end: end, content: content)  // IEND
      case 0x4948_4452, 0x504C_5445, 0x7452_4E53, 0x4944_4154: content.append(place..<end)  // IHDR, PLTE, tRNS, IDAT
      default: break
      }
      place = end
    }
    return nil
  }
}
