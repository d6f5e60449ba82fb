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
