import MienImaging

/// Reads the one EXIF tag that changes how a picture is shown.
enum EXIF {
  /// The orientation that a JPEG asks for; upright when it says nothing or nonsense.
  static func orientation(inJPEG bytes: [UInt8]) -> Orientation {
    var place = 2
    // Segments up to the picture data: marker, length (with itself), content.
    while place + 4 <= bytes.count, bytes[place] == 0xFF {
      let marker = bytes[place + 1]
      if marker == 0xFF {  // a fill byte
        place += 1
        continue
      }
      if marker == 0xDA || marker == 0xD9 { break }
      let length = Int(bytes[place + 2]) << 8 | Int(bytes[place + 3])
      guard length >= 2, place + 2 + length <= bytes.count else { break }
      if marker == 0xE1, let found = orientation(inSegment: bytes[(place + 4)..<(place + 2 + length)]) {
        return found
      }
      place += 2 + length
    }
    return .upright
  }

  /// An APP1 segment: `Exif\0\0`, then a TIFF header and its first directory.
  private static func orientation(inSegment segment: ArraySlice<UInt8>) -> Orientation? {
    guard segment.starts(with: [0x45, 0x78, 0x69, 0x66, 0, 0]) else { return nil }
    let tiff = TIFF(bytes: segment.dropFirst(6))
    guard let tiff, let directory = tiff.long(at: 4), let count = tiff.short(at: directory) else { return nil }
    for entry in 0..<count {
      let at = directory + 2 + entry * 12
      guard let tag = tiff.short(at: at) else { return nil }
      if tag == 0x0112, tiff.short(at: at + 2) == 3, let value = tiff.short(at: at + 8) {
        return Orientation(rawValue: value)
      }
    }
    return nil
  }
}

/// Numbers in a TIFF, in the byte order that it names.
private struct TIFF {
  let bytes: ArraySlice<UInt8>
  let bigEndian: Bool

  init?(bytes: ArraySlice<UInt8>) {
    self.bytes = bytes
    if bytes.starts(with: [0x4D, 0x4D, 0, 42]) {
      bigEndian = true
    } else if bytes.starts(with: [0x49, 0x49, 42, 0]) {
      bigEndian = false
    } else {
      return nil
    }
  }

  func short(at place: Int) -> Int? {
    guard place >= 0, place + 2 <= bytes.count else { return nil }
    let (first, second) = (Int(bytes[bytes.startIndex + place]), Int(bytes[bytes.startIndex + place + 1]))
    return bigEndian ? first << 8 | second : second << 8 | first
  }

  func long(at place: Int) -> Int? {
    guard let first = short(at: place), let second = short(at: place + 2) else { return nil }
    return bigEndian ? first << 16 | second : second << 16 | first
  }
}
