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
