internal import MienCore
public import MienImaging

/// Reads EXIF metadata (CIPA DC-008): orientation, capture time and position.
///
/// All values are untrusted: offsets outside the segment and invalid dates or positions are treated as missing.
enum EXIF {
  /// Returns a JPEG's orientation; upright if it is missing or invalid.
  static func orientation(inJPEG bytes: [UInt8]) -> Orientation {
    first(inJPEG: bytes, orientation) ?? .upright
  }

  /// Returns the orientation in an EXIF block, as other formats than JPEG contain it: a TIFF header and its directories,
  /// which some writers precede with JPEG's identifier; `nil` if it is missing or invalid.
  static func orientation(inBlock block: ArraySlice<UInt8>) -> Orientation? {
    tiff(inBlock: block).flatMap(orientation)
  }

  private static func orientation(_ tiff: TIFF) -> Orientation? {
    tiff.directory(at: tiff.long(at: 4))?[0x0112]?.short.flatMap { Orientation(rawValue: $0) }
  }

  private static func tiff(inBlock block: ArraySlice<UInt8>) -> TIFF? {
    TIFF(bytes: block.starts(with: identifier) ? block.dropFirst(identifier.count) : block)
  }

  private static let identifier: [UInt8] = [0x45, 0x78, 0x69, 0x66, 0, 0]

  /// Returns a JPEG's capture time and position. A prefix of the file is sufficient if it contains the EXIF segment.
  static func note(inJPEG bytes: [UInt8]) -> ImageProvenance {
    first(inJPEG: bytes, note) ?? ImageProvenance()
  }

  /// Returns the capture time and position in an EXIF block, as ``orientation(inBlock:)`` reads it.
  static func note(inBlock block: ArraySlice<UInt8>) -> ImageProvenance {
    tiff(inBlock: block).flatMap(note) ?? ImageProvenance()
  }

  private static func note(_ tiff: TIFF) -> ImageProvenance? {
    guard let root = tiff.directory(at: tiff.long(at: 4)) else { return nil }
    var note = ImageProvenance()
    if let camera = tiff.directory(at: root[0x8769]?.long) {
      note.wallClock = camera[0x9003]?.text.flatMap(wallClock)
      note.aheadOfUTC = note.wallClock == nil ? nil : camera[0x9011]?.text.flatMap(minutes)
    }
    if let place = tiff.directory(at: root[0x8825]?.long),
      let latitude = degrees(place[2], place[1], "N", "S", 90),
      let longitude = degrees(place[4], place[3], "E", "W", 180)
    {
      (note.latitude, note.longitude) = (latitude, longitude)
    }
    return note
  }

  /// Returns the result of `read` for the first segment in which it finds a value.
  private static func first<Value>(inJPEG bytes: [UInt8], _ read: (TIFF) -> Value?) -> Value? {
    for segment in JPEGSegments(bytes) where segment.marker == 0xE1 {
      // `Exif\0\0`, then a TIFF header and its first directory.
      if segment.content.starts(with: identifier),
        let found = TIFF(bytes: segment.content.dropFirst(identifier.count)).flatMap(read)
      {
        return found
      }
    }
    return nil
  }

  /// Converts `2026:11:22 01:58:03` to milliseconds since the start of 1970 on the same clock.
  private static func wallClock(_ text: String) -> Int64? {
    let parts = text.split { $0 == ":" || $0 == " " }.compactMap { UInt16($0).map(Int.init) }
    // Rejects components of other widths, which the conversion to numbers accepts.
    let shape = text.map { $0.isNumber ? "0" : $0 }
    guard parts.count == 6, String(shape) == "0000:00:00 00:00:00", (1970...9999).contains(parts[0]),
      let date = GregorianDate(year: parts[0], month: parts[1], day: parts[2]), parts[3] < 24, parts[4] < 60,
      parts[5] < 60
    else { return nil }
    return Int64(((date.daysSince1970 * 24 + parts[3]) * 60 + parts[4]) * 60 + parts[5]) * 1000
  }

  /// Converts `+02:00` to minutes.
  private static func minutes(_ text: String) -> Int? {
    let parts = text.dropFirst().split(separator: ":").compactMap { UInt16($0).map(Int.init) }
    guard text.utf8.count == 6, let sign = text.first, sign == "+" || sign == "-", parts.count == 2, parts[0] <= 14,
      parts[1] < 60, parts[0] * 60 + parts[1] <= 840
    else { return nil }
    return (sign == "-" ? -1 : 1) * (parts[0] * 60 + parts[1])
  }

  /// Converts degrees, minutes and seconds to degrees, rounded to thousandths.
  private static func degrees(
    _ angle: TIFF.Entry?, _ side: TIFF.Entry?, _ positive: String, _ negative: String, _ most: Double
  ) -> Double? {
    guard let parts = angle?.fractions(3), let side = side?.text, side == positive || side == negative else {
      return nil
    }
    let value = parts[0] + parts[1] / 60 + parts[2] / 3600
    guard value.isFinite, value <= most else { return nil }
    return (side == negative ? -1 : 1) * (value * 1000).rounded() / 1000
  }
}

/// Reads the origin metadata of an image file.
public enum ImageProvenanceReader {
  /// Number of leading bytes that are sufficient for files written by cameras.
  public static let headBytes = 256 << 10

  /// Returns the metadata of an image file; empty if there is none. The file's first bytes are enough if it begins with
  /// its metadata, as files of cameras do.
  public static func read(_ bytes: [UInt8]) -> ImageProvenance {
    switch ImageFormat.sniff(bytes) {
    case .jpeg: EXIF.note(inJPEG: bytes)
    case .png: PNGChunks.exif(in: bytes).map { EXIF.note(inBlock: bytes[$0]) } ?? ImageProvenance()
    case .webp: RIFFChunks.exif(in: bytes).map { EXIF.note(inBlock: bytes[$0]) } ?? ImageProvenance()
    case .heic, .avif: HEIFMetadata.exif(in: bytes).map { EXIF.note(inBlock: $0) } ?? ImageProvenance()
    case nil: ImageProvenance()
    }
  }
}
