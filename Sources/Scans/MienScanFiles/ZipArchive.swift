internal import MienCompression
internal import MienScanFormat
internal import MienArchive
internal import MienCore

/// Reads the files of a ZIP archive, stored or deflated, each decompressed on demand.
///
/// Rejects names that lead out of the archive, encrypted and split archives, and archives whose total decompressed size
/// exceeds 4 GB, or both 64 MB and a hundred times the archive's size; nothing is decompressed before this check.
/// Supports ZIP64 (PKWARE APPNOTE 6.3, 4.3.14 and 4.5.3), which archives of more than 65 534 files use. Metadata files
/// of some operating systems are ignored (``SidecarFileFilter``).
struct ZipArchive: FileTree {
  let name: String
  let names: [String]
  private let archive: any ByteSource
  private let entries: [String: Entry]

  private struct Entry {
    let method: Int
    let sum: UInt32
    let packed: Int
    let size: Int
    let header: Int
  }

  /// Returns `true` if these are the first bytes of an archive.
  static func recognizes(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x50, 0x4B, 0x03, 0x04]) }

  /// Maximum size of the directory, in bytes.
  private static let largestDirectory = 64 << 20
  /// Total decompressed size, in bytes, that is always allowed; larger archives are limited to ``largestRatio`` times
  /// their own size.
  private static let alwaysAllowed = 64 << 20
  /// Depth and images compress to a tenth at best, but empty maps in between may compress to a thousandth.
  private static let largestRatio = 100
  /// Maximum size of a compressed file that is decompressed into memory, in bytes; twenty minutes of depth maps would
  /// be larger.
  private static let largestInMemory = 256 << 20

  init(_ bytes: [UInt8], name: String) throws(ScanError) { try self.init(InMemoryByteSource(bytes), name: name) }

  init(_ archive: any ByteSource, name: String) throws(ScanError) {
    self.archive = archive
    self.name = name
    // The end record has 22 bytes and a comment of at most 65 535.
    let tailStart = max(0, archive.count - 22 - 65_535)
    let tail = archive.bytes(at: tailStart, count: 22 + 65_535)
    guard tail.count >= 22,
      let endInTail = stride(from: tail.count - 22, through: 0, by: -1).first(where: {
        tail[$0] == 0x50 && Int(tail.littleEndian(at: $0, as: UInt32.self)) == 0x0605_4B50
      })
    else { throw ScanError(.cutShort, "the archive is cut off: it has no directory", byte: archive.count) }
    let end = tailStart + endInTail
    let directory = try Self.directory(archive, end: end, record: tail[endInTail...])
    let bytes = archive.bytes(at: directory.lowerBound, count: directory.count)
    var place = 0
    var entries: [String: Entry] = [:]
    var total = 0
    // Iterates to the end of the directory instead of using the count in the record, which some programs truncate above
    // 65 535.
    while place + 4 <= bytes.count, Int(bytes.littleEndian(at: place, as: UInt32.self)) == 0x0201_4B50 {
      let damaged = ScanError(.damaged, "the archive's directory is damaged", byte: directory.lowerBound + place)
      guard place + 46 <= bytes.count else { throw damaged }
      let nameEnd = place + 46 + Int(bytes.littleEndian(at: place + 28, as: UInt16.self))
      let extraEnd = nameEnd + Int(bytes.littleEndian(at: place + 30, as: UInt16.self))
      let next = extraEnd + Int(bytes.littleEndian(at: place + 32, as: UInt16.self))
      guard next <= bytes.count else { throw damaged }
      let file = Self.name(bytes[place + 46..<nameEnd])
      guard let entry = Self.entry(bytes, place, extra: bytes[nameEnd..<extraEnd]) else { throw damaged }
      guard Self.isInside(file) else {
        throw ScanError(
          .refused, "the archive contains a file whose name leads out of it", byte: directory.lowerBound + place)
      }
      guard Int(bytes.littleEndian(at: place + 8, as: UInt16.self)) & 1 == 0 else {
        throw ScanError(.unsupported, "the archive is encrypted", byte: directory.lowerBound + place)
      }
      let sum = total.addingReportingOverflow(entry.size)
      guard !sum.overflow, sum.partialValue <= 4 << 30,
        sum.partialValue <= max(Self.alwaysAllowed, Self.largestRatio * archive.count),
        entry.size <= 1_000_000 || entry.size / 1032 <= entry.packed
      else {
        throw ScanError(
          .tooMuch, "the archive decompresses to far more data than allowed", byte: directory.lowerBound + place)
      }
      total = sum.partialValue
      guard file.hasSuffix("/") || SidecarFileFilter.isOne(file) || entries.updateValue(entry, forKey: file) == nil
      else {
        throw ScanError(.refused, "the archive contains a file twice", byte: directory.lowerBound + place)
      }
      guard entries.count <= DirectoryTree.mostFiles else {
        throw ScanError(.tooMuch, "the archive contains more than \(DirectoryTree.mostFiles) files")
      }
      place = next
    }
    // The last entry may be followed only by a signature of the directory.
    guard
      place == bytes.count
        || place + 4 <= bytes.count && Int(bytes.littleEndian(at: place, as: UInt32.self)) == 0x0505_4B50
    else {
      throw ScanError(.damaged, "the archive's directory is damaged", byte: directory.lowerBound + place)
    }
    self.entries = entries
    names = entries.keys.sorted()
  }

  /// Returns the byte range of the directory, from the end record or from the ZIP64 record before it.
  private static func directory(
    _ archive: any ByteSource, end: Int, record: ArraySlice<UInt8>
  ) throws(ScanError) -> Range<Int> {
    let record = Array(record)
    let damaged = ScanError(.damaged, "the archive's directory is damaged", byte: end)
    guard
      Int(record.littleEndian(at: 4, as: UInt16.self)) == 0
        || Int(record.littleEndian(at: 4, as: UInt16.self)) == 0xFFFF
    else {
      throw ScanError(.unsupported, "split archives are not supported", byte: end)
    }
    var (first, size, last) = (
      Int(record.littleEndian(at: 16, as: UInt32.self)), Int(record.littleEndian(at: 12, as: UInt32.self)), end
    )
    if Int(record.littleEndian(at: 10, as: UInt16.self)) == 0xFFFF || first == 0xFFFF_FFFF || size == 0xFFFF_FFFF {
      // The ZIP64 locator immediately precedes it.
      let pointer = end >= 20 ? archive.bytes(at: end - 20, count: 20) : []
      if pointer.count == 20, Int(pointer.littleEndian(at: 0, as: UInt32.self)) == 0x0706_4B50 {
        guard Int(pointer.littleEndian(at: 4, as: UInt32.self)) == 0, let place = pointer.fileSize(at: 8),
          place <= end - 20 - 56
        else { throw damaged }
        let longer = archive.bytes(at: place, count: 56)
        guard longer.count == 56, Int(longer.littleEndian(at: 0, as: UInt32.self)) == 0x0606_4B50,
          let start = longer.fileSize(at: 48),
          let length = longer.fileSize(at: 40)
        else { throw damaged }
        (first, size, last) = (start, length, place)
      }
    }
    guard size <= largestDirectory, first <= last - size else { throw damaged }
    return first..<first + size
  }

  /// Parses a directory entry; returns nil if its 64-bit values are missing.
  private static func entry(_ bytes: [UInt8], _ place: Int, extra: ArraySlice<UInt8>) -> Entry? {
    var (size, packed, header) = (
      Int(bytes.littleEndian(at: place + 24, as: UInt32.self)),
      Int(bytes.littleEndian(at: place + 20, as: UInt32.self)), Int(bytes.littleEndian(at: place + 42, as: UInt32.self))
    )
    if [size, packed, header].contains(0xFFFF_FFFF) {
      // Contains only those of the three values that exceed 32 bits, in this order.
      guard var longer = field(0x0001, of: extra) else { return nil }
      func next(_ value: Int) -> Int? {
        guard value == 0xFFFF_FFFF else { return value }
        defer { longer = longer.dropFirst(8) }
        return longer.count >= 8 ? Array(longer.prefix(8)).fileSize(at: 0) : nil
      }
      guard let a = next(size), let b = next(packed), let c = next(header) else { return nil }
      (size, packed, header) = (a, b, c)
    }
    return Entry(
      method: Int(bytes.littleEndian(at: place + 10, as: UInt16.self)),
      sum: UInt32(Int(bytes.littleEndian(at: place + 16, as: UInt32.self))), packed: packed, size: size,
      header: header)
  }

  /// Returns a field of an entry's extra data.
  private static func field(_ kind: Int, of extra: ArraySlice<UInt8>) -> ArraySlice<UInt8>? {
    var rest = extra
    while rest.count >= 4 {
      let head = Array(rest.prefix(4))
      let content = rest.dropFirst(4).prefix(Int(head.littleEndian(at: 2, as: UInt16.self)))
      if Int(head.littleEndian(at: 0, as: UInt16.self)) == kind { return content }
      rest = rest.dropFirst(4 + content.count)
    }
    return nil
  }

  /// Returns a file name; older programs use national character encodings, and some use `\` as the separator.
  private static func name(_ bytes: ArraySlice<UInt8>) -> String {
    let text = String(validating: bytes, as: UTF8.self) ?? String(bytes.map { Character(UnicodeScalar($0)) })
    return text.contains("\\")
      ? text.split(separator: "\\", omittingEmptySubsequences: false).joined(separator: "/") : text
  }

  /// Returns `true` if the name stays within the archive. Names are only used for lookups; no file is created from
  /// them.
  static func isInside(_ file: String) -> Bool {
    let parts = file.split(separator: "/", omittingEmptySubsequences: false)
    let isDrive = file.dropFirst().first == ":"
    return !file.isEmpty && !file.hasPrefix("/") && !isDrive && !file.contains("\0")
      && !parts.contains { $0 == ".." || $0 == "." }
  }

  func bytes(_ name: String, limit: Int) throws(ScanError) -> [UInt8] {
    let (entry, start) = try found(name, limit: limit)
    let packed = archive.bytes(at: start, count: entry.packed)[...]
    guard packed.count == entry.packed else { throw ScanError(.cutShort, "\(name) cannot be read", byte: start) }
    let unpacked: [UInt8]?
    switch entry.method {
    case 0: unpacked = entry.packed == entry.size ? Array(packed) : nil
    case 8: unpacked = Deflate.decompressed(bare: packed, size: entry.size)
    default: throw ScanError(.unsupported, "\(name) uses an unsupported compression method", byte: entry.header)
    }
    guard let unpacked, CRC32.of(unpacked[...]) == entry.sum else { throw Self.wrongSum(name, entry) }
    return unpacked
  }

  /// Returns a stored file without copying it; a compressed one is decompressed, up to ``largestInMemory``.
  func pieces(_ name: String, limit: Int) throws(ScanError) -> any ByteSource {
    guard entries[name]?.method == 0 else {
      return InMemoryByteSource(try bytes(name, limit: min(limit, Self.largestInMemory)))
    }
    let (entry, start) = try found(name, limit: limit)
    let window = ByteSourceSlice(archive, start..<start + entry.size)
    var sum = CRC32()
    for place in stride(from: 0, to: entry.size, by: 1 << 20) { sum.add(window.bytes(at: place, count: 1 << 20)[...]) }
    guard entry.packed == entry.size, sum.value == entry.sum else { throw Self.wrongSum(name, entry) }
    return window
  }

  /// Returns an entry and the offset of its data in the archive.
  private func found(_ name: String, limit: Int) throws(ScanError) -> (Entry, start: Int) {
    guard let entry = entries[name] else { throw ScanError(.missing, "the archive contains no \(name)") }
    guard entry.size <= limit else { throw ScanError(.tooMuch, "\(name) is larger than \(limit) bytes") }
    // Incompressible data grows by less than a thousandth; a larger declared size is an attempt to exhaust memory.
    guard entry.packed <= entry.size + entry.size / 1000 + 1024 else {
      throw ScanError(.damaged, "\(name): the archive is damaged", byte: entry.header)
    }
    let head = archive.bytes(at: entry.header, count: 30)
    guard head.count == 30, Int(head.littleEndian(at: 0, as: UInt32.self)) == 0x0403_4B50 else {
      throw ScanError(.damaged, "\(name): the archive is damaged", byte: entry.header)
    }
    let start =
      entry.header + 30 + Int(head.littleEndian(at: 26, as: UInt16.self))
      + Int(head.littleEndian(at: 28, as: UInt16.self))
    guard start + max(entry.packed, entry.method == 0 ? entry.size : 0) <= archive.count else {
      throw ScanError(.cutShort, "\(name) is cut off", byte: archive.count)
    }
    return (entry, start)
  }

  private static func wrongSum(_ name: String, _ entry: Entry) -> ScanError {
    ScanError(.damaged, "\(name) does not match its checksum", byte: entry.header)
  }
}

extension [UInt8] {
  /// Returns the 64-bit number at an index; `nil` for values that no file size can have.
  fileprivate func fileSize(at place: Int) -> Int? {
    let size = littleEndian(at: place, as: UInt64.self)
    return size < 1 << 56 ? Int(size) : nil
  }
}
