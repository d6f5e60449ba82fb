internal import MienCodecs
public import MienScanFormat

/// Writes a ZIP archive (PKWARE APPNOTE 6.3) file by file: each call returns the bytes to append.
///
/// Only the list of files is in memory. The output is deterministic: the same files result in the same archive, without
/// timestamps. Without the bytes returned by ``finish()``, the archive is not readable. ZIP64 is not supported:
/// archives over 4 GB, compressed or decompressed, are rejected.
public struct ZipWriter: Sendable {
  /// Directory entries written so far.
  private var directory: [UInt8] = []
  private var names: Set<String> = []
  /// Size of the archive so far, and total uncompressed size of its files.
  private var length = 0
  private var unpacked = 0
  private let mostBytes: Int

  /// Maximum number of files: a higher number would indicate ZIP64.
  static let mostFiles = 0xFFFE
  private static let longestName = 512
  private static let endLength = 22
  /// Readers with protection against ZIP bombs, including ours, accept up to 64 MB, or a hundred times the archive's
  /// size if that is more. Files are stored uncompressed before half of that is reached.
  private static let freely = 32 << 20
  private static let ratio = 50

  /// Creates an archive without files.
  public init() { self.init(mostBytes: 0xFFFF_FFFE) }

  /// - Parameter mostBytes: maximum size of the archive, compressed and uncompressed; at most 4 GB minus two bytes.
  init(mostBytes: Int) { self.mostBytes = mostBytes }

  /// Adds the next file: deflated if that makes it smaller, images uncompressed.
  ///
  /// - Parameter name: relative path with `/` as the separator.
  /// - Throws: ``ScanError``: `refused` for a name that leads out of the archive, is longer than 512 bytes or already
  ///   exists, `tooMuch` if the archive would become too large or have too many files.
  public mutating func add(_ bytes: [UInt8], as name: String) throws(ScanError) -> [UInt8] {
    // Characters that separate folders or denote drives on some systems are not written, although they would be
    // readable.
    guard ZipArchive.isInside(name), !name.contains(where: { $0 == "\\" || $0 == ":" }), !name.hasSuffix("/"),
      name.utf8.count <= Self.longestName, !names.contains(name)
    else { throw ScanError(.refused, "the archive cannot hold a file of that name, or holds one") }
    guard names.count < Self.mostFiles else {
      throw ScanError(.tooMuch, "an archive has at most \(Self.mostFiles) files; write a folder instead")
    }
    guard bytes.count <= mostBytes - unpacked else { throw Self.tooLarge }
    let (packed, method) = pack(bytes)
    let head = Self.head(name, method: method, sum: CRC32.of(bytes[...]), packed: packed.count, size: bytes.count)
    let nameBytes = Array(name.utf8)
    // Includes the directory: the archive must have space for its end.
    let entryLength = 46 + nameBytes.count
    let after = length + 4 + head.count + nameBytes.count + packed.count
    guard after + directory.count + entryLength + Self.endLength <= mostBytes else { throw Self.tooLarge }
    directory += Self.little(0x0201_4B50, 4) + Self.little(20, 2) + head
    // No comment, the first disk, no attributes, and the offset of the file.
    directory += Self.little(0, 10) + Self.little(length, 4) + nameBytes
    names.insert(name)
    length = after
    unpacked += bytes.count
    return Self.little(0x0403_4B50, 4) + head + nameBytes + packed
  }

  /// Returns the directory and the end record; nothing may be appended after them.
  public mutating func finish() -> [UInt8] {
    let count = Self.little(names.count, 2)
    return directory + Self.little(0x0605_4B50, 4) + Self.little(0, 4) + count + count
      + Self.little(directory.count, 4) + Self.little(length, 4) + Self.little(0, 2)
  }

  /// Returns the bytes as stored in the archive, and the compression method.
  private func pack(_ bytes: [UInt8]) -> (ArraySlice<UInt8>, Int) {
    guard !bytes.isEmpty, ImageFormat.sniff(bytes) == nil else { return (bytes[...], 0) }
    let packed = Deflate.bare(bytes)
    let isLikeABomb = unpacked + bytes.count > max(Self.freely, Self.ratio * (length + packed.count))
    return packed.count < bytes.count && !isLikeABomb ? (packed, 8) : (bytes[...], 0)
  }

  /// Returns the fields common to a local file header and a directory entry.
  private static func head(_ name: String, method: Int, sum: UInt32, packed: Int, size: Int) -> [UInt8] {
    let isPlain = name.utf8.allSatisfy { $0 < 0x80 }
    // Version 2.0; the UTF-8 flag for non-ASCII names; January 1, 1980.
    let start = little(20, 2) + little(isPlain ? 0 : 0x0800, 2) + little(method, 2) + little(0, 2) + little(0x21, 2)
    let sizes = little(Int(sum), 4) + little(packed, 4) + little(size, 4)
    return start + sizes + little(name.utf8.count, 2) + little(0, 2)
  }

  private static func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }

  private static let tooLarge = ScanError(
    .tooMuch, "the archive would have more than 4 GB, packed or unpacked; write a folder instead")
}
