internal import MienCodecs
public import MienScanFormat
internal import MienArchive
internal import MienCompression

/// Writes a ZIP archive (PKWARE APPNOTE 6.3) file by file: each call returns the bytes to append.
///
/// Only the list of files is in memory. The output is deterministic: the same files result in the same archive, without
/// timestamps. Without the bytes returned by ``finish()``, the archive is not readable. ZIP64 is not supported:
/// archives over 4 GB, compressed or decompressed, are rejected.
public struct ZipWriter: Sendable {
  private var archive = ZIPWriter()
  private var names: Set<String> = []
  /// Total uncompressed size of the files so far.
  private var unpacked = 0
  private let mostBytes: Int

  static let mostFiles = ZIPWriter.mostFiles
  private static let longestName = 512
  /// Readers with protection against ZIP bombs, including ours, accept up to 64 MB, or a hundred times the archive's
  /// size if that is more. Files are stored uncompressed before half of that is reached.
  private static let alwaysAllowed = 32 << 20
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
    else { throw ScanError(.refused, "the archive cannot contain a file with this name, or already contains one") }
    guard names.count < Self.mostFiles else {
      throw ScanError(.tooMuch, "an archive has at most \(Self.mostFiles) files; write a folder instead")
    }
    guard bytes.count <= mostBytes - unpacked else { throw Self.tooLarge }
    let (packed, method) = pack(bytes)
    guard archive.length(with: name, packed: packed.count) <= mostBytes else { throw Self.tooLarge }
    names.insert(name)
    unpacked += bytes.count
    return archive.add(name, method: method, checksum: CRC32.of(bytes[...]), packed: packed.count, size: bytes.count)
      + packed
  }

  /// Returns the directory and the end record; nothing may be appended after them.
  public func finish() -> [UInt8] { archive.finish() }

  /// Returns the bytes as stored in the archive, and the compression method.
  private func pack(_ bytes: [UInt8]) -> (ArraySlice<UInt8>, ZIPWriter.Method) {
    guard !bytes.isEmpty, ImageFormat.sniff(bytes) == nil else { return (bytes[...], .stored) }
    let packed = Deflate.bare(bytes)
    let exceedsRatio = unpacked + bytes.count > max(Self.alwaysAllowed, Self.ratio * (archive.length + packed.count))
    return packed.count < bytes.count && !exceedsRatio ? (packed, .deflated) : (bytes[...], .stored)
  }

  private static let tooLarge = ScanError(
    .tooMuch, "the archive would have more than 4 GB, compressed or decompressed; write a folder instead")
}
