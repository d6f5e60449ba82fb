/// A supported image format, detected by its first bytes. The raw value is the media type.
public enum ImageFormat: String, Hashable, Sendable, CaseIterable {
  case jpeg = "image/jpeg"
  case png = "image/png"
  case heic = "image/heic"
  case avif = "image/avif"
  case webp = "image/webp"

  /// Number of first bytes that ``sniff(_:)`` needs.
  public static let headBytes = 64

  /// Formats of camera frames and of images that programs write.
  public static let common: Set<ImageFormat> = [.jpeg, .png]
  /// Formats of photos.
  public static let all = Set(allCases)

  /// Returns the format that `bytes` begin with; `nil` if it is not supported.
  public static func sniff(_ bytes: some Sequence<UInt8>) -> ImageFormat? {
    let start = Array(bytes.prefix(headBytes))
    if start.starts(with: [0xFF, 0xD8, 0xFF]) { return .jpeg }
    if start.starts(with: [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]) { return .png }
    if start.starts(with: "RIFF".utf8), start.dropFirst(8).starts(with: "WEBPVP8".utf8) { return .webp }
    let brands = FileBrands(start)
    if !brands.all.isDisjoint(with: ["avif", "avis"]) { return .avif }
    // `mif1` names no codec; such a file may be of either.
    if !brands.all.isDisjoint(with: ["heic", "heix", "heim", "heis", "mif1"]), brands.major != "crx " { return .heic }
    return nil
  }
}

/// The brands of an ISO base media file (ISO/IEC 14496-12, section 4.3); empty for other files.
struct FileBrands {
  private(set) var major = ""
  private(set) var all: Set<String> = []

  /// - Parameter start: the first bytes of a file; brands beyond them are not found.
  init(_ start: [UInt8]) {
    guard start.count >= 16, start[4..<8].elementsEqual("ftyp".utf8) else { return }
    let size = start[0..<4].reduce(0) { $0 << 8 | Int($1) }
    let end = min(size, start.count)
    func brand(_ place: Int) -> String { String(decoding: start[place..<place + 4], as: UTF8.self) }
    major = brand(8)
    all = [major]
    for place in stride(from: 16, to: end - 3, by: 4) { all.insert(brand(place)) }
  }
}

extension ImageFormat {
  /// Returns a JPEG's stored size in pixels, before applying its EXIF orientation; `nil` if no frame header is found
  /// (ITU-T T.81, B.2.2). Nothing is decoded.
  public static func storedSize(ofJPEG bytes: [UInt8]) -> (width: Int, height: Int)? {
    guard sniff(bytes) == .jpeg else { return nil }
    for segment in JPEGSegments(bytes) {
      let (marker, content) = (segment.marker, segment.content)
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
