/// A supported image format, detected by its first bytes.
public enum ImageFormat: String, Hashable, Sendable, CaseIterable {
  case jpeg = "image/jpeg"
  case png = "image/png"

  /// Returns the format that `bytes` begin with; `nil` if it is not supported.
  public static func sniff(_ bytes: some Sequence<UInt8>) -> ImageFormat? {
    let start = Array(bytes.prefix(8))
    if start.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
    if start == [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] { return .png }
    return nil
  }
}

extension ImageFormat {
  /// Returns a JPEG's stored size in pixels, before applying its EXIF orientation; `nil` if no frame header is found
  /// (ITU-T T.81, B.2.2). Nothing is decoded.
  public static func storedSize(ofJPEG bytes: [UInt8]) -> (width: Int, height: Int)? {
    guard sniff(bytes) == .jpeg else { return nil }
    for (marker, content) in JPEGSegments(bytes) {
      // Frame headers are C0 to CF, except the tables C4, C8 and CC.
      guard (0xC0...0xCF).contains(marker), ![0xC4, 0xC8, 0xCC].contains(marker) else { continue }
      let numbers = content.dropFirst().prefix(4).map { Int($0) }
      guard numbers.count == 4 else { return nil }
      let (height, width) = (numbers[0] << 8 | numbers[1], numbers[2] << 8 | numbers[3])
      return width > 0 && height > 0 ? (width, height) : nil
    }
    return nil
  }
}
