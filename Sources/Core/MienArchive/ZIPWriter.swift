internal import MienCore

/// Makes the records of a ZIP archive (PKWARE APPNOTE 6.3) file by file; the caller appends them and the files' contents
/// to its output.
///
/// Only the directory is in memory. The same files result in the same archive, without timestamps. There is no ZIP64:
/// the caller limits an archive to 4 GB and ``mostFiles``.
package struct ZIPWriter: Sendable {
  package enum Method: UInt16, Sendable {
    case stored = 0
    case deflated = 8
  }

  /// Maximum number of files: a higher number would indicate ZIP64.
  package static let mostFiles = 0xFFFE

  /// Size of the archive so far.
  package private(set) var length = 0
  private var count = 0
  private var directory: [UInt8] = []
  private var begun: (name: String, offset: Int)?

  package init() {}

  /// Size of the archive if a file with this name were added and the archive finished.
  package func length(with name: String, packed: Int) -> Int {
    length + packed + directory.count + 2 * name.utf8.count + 30 + 46 + 22
  }

  /// Returns the header of a file; its `packed` bytes have to follow.
  ///
  /// - Parameter alignment: multiple of bytes at which the content starts in the archive.
  package mutating func add(
    _ name: String, method: Method = .stored, checksum: UInt32, packed: Int, size: Int, alignment: Int? = nil
  ) -> [UInt8] {
    var extra: [UInt8] = []
    if let alignment {
      // A field of an unused kind pads to the boundary; its header takes four bytes.
      let padding = (alignment - (length + 34 + name.utf8.count) % alignment) % alignment
      for value in [0x1986, UInt16(padding)] { extra.append(littleEndian: value) }
      extra += [UInt8](repeating: 0, count: padding)
    }
    let fields = Self.fields(name, method, checksum, packed, size)
    note(name, fields, at: length)
    defer { length += packed }
    return header(name, fields, extra)
  }

  /// Returns the header of a stored file; its content and ``end(checksum:size:)`` have to follow.
  package mutating func begin(_ name: String) -> [UInt8] {
    begun = (name, length)
    return header(name, Self.fields(name, .stored, 0, 0, 0, isStreamed: true), [])
  }

  /// Returns the data descriptor of the file begun last.
  package mutating func end(checksum: UInt32, size: Int) -> [UInt8] {
    guard let (name, offset) = begun.take() else { preconditionFailure("no file was begun") }
    note(name, Self.fields(name, .stored, checksum, size, size, isStreamed: true), at: offset)
    var descriptor: [UInt8] = []
    for value in [0x0807_4B50, checksum, UInt32(size), UInt32(size)] { descriptor.append(littleEndian: value) }
    length += size + descriptor.count
    return descriptor
  }

  /// Returns the directory and the end record; nothing may follow them.
  package func finish() -> [UInt8] {
    var bytes = directory
    for value in [0x0605_4B50, 0] as [UInt32] { bytes.append(littleEndian: value) }
    for _ in 0..<2 { bytes.append(littleEndian: UInt16(count)) }
    for value in [UInt32(directory.count), UInt32(length)] { bytes.append(littleEndian: value) }
    return bytes + [0, 0]
  }

  private mutating func header(_ name: String, _ fields: [UInt8], _ extra: [UInt8]) -> [UInt8] {
    var bytes: [UInt8] = [0x50, 0x4B, 3, 4] + fields
    bytes.append(littleEndian: UInt16(extra.count))
    bytes += Array(name.utf8) + extra
    length += bytes.count
    return bytes
  }

  private mutating func note(_ name: String, _ fields: [UInt8], at offset: Int) {
    // Made by version 2.0; no extra field, no comment, the first disk, no attributes.
    directory += [0x50, 0x4B, 1, 2, 20, 0] + fields + [UInt8](repeating: 0, count: 12)
    directory.append(littleEndian: UInt32(offset))
    directory += name.utf8
    count += 1
  }

  /// Returns the fields common to a local file header and a directory entry.
  private static func fields(
    _ name: String, _ method: Method, _ checksum: UInt32, _ packed: Int, _ size: Int, isStreamed: Bool = false
  ) -> [UInt8] {
    let flags: UInt16 = (name.utf8.allSatisfy { $0 < 0x80 } ? 0 : 0x0800) | (isStreamed ? 0x0008 : 0)
    var bytes: [UInt8] = []
    // Version 2.0; the date is January 1, 1980.
    for value in [20, flags, method.rawValue, 0, 0x21] { bytes.append(littleEndian: value) }
    for value in [checksum, UInt32(packed), UInt32(size)] { bytes.append(littleEndian: value) }
    bytes.append(littleEndian: UInt16(name.utf8.count))
    return bytes
  }
}
