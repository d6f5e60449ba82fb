internal import MienCodecs
public import MienDepth

/// Makes a ZIP archive (PKWARE APPNOTE 6.3) file by file: each call returns what is to be appended.
///
/// Only the list of files is kept. The same files make the same archive: nothing says when or where it was made. Without
/// what ``finish()`` returns it is no archive to any reader. The 64-bit form of the format is not written: archives over
/// 4 GB, packed or unpacked, are refused.
public struct ZipWriter: Sendable {
  /// The archive's directory so far.
  private var directory: [UInt8] = []
  private var names: Set<String> = []
  /// Bytes of the archive and of its files unpacked, so far.
  private var length = 0
  private var unpacked = 0
  private let mostBytes: Int

  /// Most files: one more says in the archive's end that the number stands elsewhere.
  static let mostFiles = 0xFFFE
  private static let longestName = 512
  private static let endLength = 22
  /// Readers that fear archives of a few bytes that fill a disk, ours among them, take 64 MB and a hundred times the
  /// archive. Files are stored rather than packed before half of that is reached.
  private static let freely = 32 << 20
  private static let ratio = 50

  /// An archive without files.
  public init() { self.init(mostBytes: 0xFFFF_FFFE) }

  /// - Parameter mostBytes: how large the archive may become, packed and unpacked; at most 4 GB less two bytes.
  init(mostBytes: Int) { self.mostBytes = mostBytes }

  /// The next file: deflated where that makes it smaller, pictures as they are.
  ///
  /// - Parameter name: relative, with `/` between parts.
  /// - Throws: ``ScanError``: `refused` for a name that leads out of the archive, is longer than 512 bytes or was there
  ///   before, `tooMuch` when the archive would become too large or have too many files.
  public mutating func add(_ bytes: [UInt8], as name: String) throws(ScanError) -> [UInt8] {
    // What parts folders or names a drive on some systems does not go into it, though it would be read.
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
    // What comes after it counts, too: the archive must have room for its end.
    let entryLength = 46 + nameBytes.count
    let after = length + 4 + head.count + nameBytes.count + packed.count
    guard after + directory.count + entryLength + Self.endLength <= mostBytes else { throw Self.tooLarge }
    directory += Self.little(0x0201_4B50, 4) + Self.little(20, 2) + head
    // No comment, the first disk, no attributes, and where the file begins.
    directory += Self.little(0, 10) + Self.little(length, 4) + nameBytes
    names.insert(name)
    length = after
    unpacked += bytes.count
    return Self.little(0x0403_4B50, 4) + head + nameBytes + packed
  }

  /// The directory and the archive's end; nothing may be appended after them.
  public mutating func finish() -> [UInt8] {
    let count = Self.little(names.count, 2)
    return directory + Self.little(0x0605_4B50, 4) + Self.little(0, 4) + count + count
      + Self.little(directory.count, 4) + Self.little(length, 4) + Self.little(0, 2)
  }

  /// The bytes as they stand in the archive, and the number of the way they are packed.
  private func pack(_ bytes: [UInt8]) -> (ArraySlice<UInt8>, Int) {
    guard !bytes.isEmpty, ImageFormat.sniff(bytes) == nil else { return (bytes[...], 0) }
    let packed = Deflate.bare(bytes)
    let isLikeABomb = unpacked + bytes.count > max(Self.freely, Self.ratio * (length + packed.count))
    return packed.count < bytes.count && !isLikeABomb ? (packed, 8) : (bytes[...], 0)
  }

  /// What a file's head and its line in the directory both say.
  private static func head(_ name: String, method: Int, sum: UInt32, packed: Int, size: Int) -> [UInt8] {
    let isPlain = name.utf8.allSatisfy { $0 < 0x80 }
    // Version 2.0; names in UTF-8 say so; 1 January 1980.
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
