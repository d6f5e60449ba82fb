/// Formats of images whose credentials are read, detected by their first bytes.
///
/// The library reads many more formats, such as archives and documents; they are not passed to it.
enum MediaType: String, CaseIterable {
  case jpeg = "image/jpeg"
  case png = "image/png"
  case gif = "image/gif"
  case webp = "image/webp"
  case heif = "image/heif"
  case avif = "image/avif"

  /// Returns the format that `bytes` begin with; `nil` for another.
  static func sniff(_ bytes: [UInt8]) -> MediaType? {
    func holds(_ text: StaticString, at offset: Int) -> Bool {
      text.withUTF8Buffer { text in unsafe bytes.dropFirst(offset).starts(with: text) }
    }
    if bytes.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
    if bytes.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
    if holds("GIF87a", at: 0) || holds("GIF89a", at: 0) { return .gif }
    if holds("RIFF", at: 0), holds("WEBP", at: 8) { return .webp }
    guard holds("ftyp", at: 4) else { return nil }
    if holds("avif", at: 8) || holds("avis", at: 8) { return .avif }
    let brands: [StaticString] = ["heic", "heix", "heim", "heis", "hevc", "hevx", "mif1", "msf1"]
    return brands.contains { holds($0, at: 8) } ? .heif : nil
  }
}
