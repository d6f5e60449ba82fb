internal import MienCore

/// Marker segments of a JPEG file before its image data (ITU-T T.81, Annex B).
struct JPEGSegments: Sequence, IteratorProtocol {
  struct Segment {
    let marker: UInt8
    let content: ArraySlice<UInt8>

    /// `true` for the segment in which Adobe's programs declare the color space.
    var isAdobe: Bool { marker == 0xEE && content.starts(with: "Adobe".utf8) }
  }

  private let bytes: [UInt8]
  private var place = 2

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Returns the next segment's marker and content; `nil` before the image data, and at a segment that is damaged or
  /// cut off.
  mutating func next() -> Segment? {
    // Stray and fill bytes may precede a marker.
    if place + 4 <= bytes.count, let marker = JPEGStrayBytes.marker(in: bytes, from: place) { place = marker }
    while place + 4 <= bytes.count, bytes[place] == 0xFF, bytes[place + 1] == 0xFF { place += 1 }
    guard place + 4 <= bytes.count, bytes[place] == 0xFF else { return nil }
    let marker = bytes[place + 1]
    let end = place + 2 + Int(bytes.bigEndian(at: place + 2, as: UInt16.self))
    guard marker != 0xDA, marker != 0xD9, place + 4 <= end, end <= bytes.count else { return nil }
    defer { place = end }
    return Segment(marker: marker, content: bytes[(place + 4)..<end])
  }
}

/// Stray bytes between the segments of a JPEG, which some cameras and apps write and every viewer skips.
///
/// libjpeg warns about them as it does about damage. A few are not damage: nothing of the image is missing.
enum JPEGStrayBytes {
  /// Maximum number of stray bytes in one place.
  static let most = 16

  /// Returns the bytes without stray ones before the markers of the header; `nil` if there are none, or more than
  /// ``most`` in one place.
  static func removed(from bytes: [UInt8]) -> [UInt8]? {
    var clean: [UInt8]?
    var (place, kept) = (2, 0)
    while place + 4 <= bytes.count {
      guard let marker = self.marker(in: bytes, from: place) else { return nil }
      if marker > place {
        clean = (clean ?? []) + bytes[kept..<place]
        kept = marker
      }
      place = marker
      while place + 4 <= bytes.count, bytes[place + 1] == 0xFF { place += 1 }
      guard place + 4 <= bytes.count, bytes[place + 1] != 0xDA, bytes[place + 1] != 0xD9 else { break }
      place += 2 + Int(bytes.bigEndian(at: place + 2, as: UInt16.self))
    }
    return clean.map { $0 + bytes[kept...] }
  }

  /// Returns the place of the next marker if at most ``most`` bytes precede it.
  static func marker(in bytes: [UInt8], from place: Int) -> Int? {
    for marker in place..<min(place + most + 1, bytes.count - 1)
    where bytes[marker] == 0xFF && bytes[marker + 1] != 0 { return marker }
    return nil
  }

  /// Reports whether a warning of libjpeg is about a few stray bytes between the image data and the end marker. When
  /// libjpeg issues it, the image is complete, and nothing is read afterwards.
  static func isBeforeEnd(_ warning: String) -> Bool {
    let parts = warning.split(separator: " ")
    guard warning.hasSuffix("extraneous bytes before marker 0xd9"), parts.count == 9 else { return false }
    return Int(parts[3]).map { $0 <= most } == true
  }
}
