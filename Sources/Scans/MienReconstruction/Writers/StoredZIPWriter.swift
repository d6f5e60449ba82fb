internal import MienScanFormat

/// Writes a ZIP archive (PKWARE APPNOTE 6.3) of a few uncompressed files, each aligned to a multiple of 64 bytes.
enum StoredZIPWriter {
  typealias File = (name: String, contents: ContiguousArray<UInt8>)

  static func bytes(_ files: [File]) -> ContiguousArray<UInt8> {
    var sink = LittleEndianWriter()
    sink.reserve(files.reduce(512) { $0 + $1.contents.count + 512 })
    var places: [(file: File, checksum: UInt32, offset: UInt32)] = []
    for file in files {
      let place = (file, CRC32.of(Array(file.contents)[...]), UInt32(sink.bytes.count))
      places.append(place)
      // An extra field of an unused kind pads to the boundary; its header takes four bytes.
      let head = sink.bytes.count + 30 + file.name.utf8.count
      let padding = (64 - (head + 4) % 64) % 64
      sink.put(0x0403_4B50 as UInt32)
      common(&sink, file, place.1, extra: 4 + padding)
      sink.put(file.name)
      sink.put(0x1986 as UInt16)
      sink.put(UInt16(padding))
      sink.put(ContiguousArray(repeating: 0, count: padding))
      sink.put(file.contents)
    }
    let directory = UInt32(sink.bytes.count)
    for (file, checksum, offset) in places {
      sink.put(0x0201_4B50 as UInt32)
      sink.put(UInt16(10))  // version made by
      common(&sink, file, checksum, extra: 0)
      sink.put(UInt16(0))  // comment
      sink.put(UInt16(0))  // disk
      sink.put(UInt16(0))  // internal attributes
      sink.put(UInt32(0))  // external attributes
      sink.put(offset)
      sink.put(file.name)
    }
    let length = UInt32(sink.bytes.count) - directory
    sink.put(0x0605_4B50 as UInt32)
    sink.put(UInt32(0))  // disks
    sink.put(UInt16(files.count))
    sink.put(UInt16(files.count))
    sink.put(length)
    sink.put(directory)
    sink.put(UInt16(0))
    return sink.bytes
  }

  /// Writes the fields common to a local file header and a directory entry.
  private static func common(_ sink: inout LittleEndianWriter, _ file: File, _ checksum: UInt32, extra: Int) {
    sink.put(UInt16(10))  // version needed
    sink.put(UInt16(0))  // flags
    sink.put(UInt16(0))  // stored
    sink.put(UInt16(0))  // time
    sink.put(UInt16(0x21))  // January 1, 1980: the archive does not depend on the time of creation
    sink.put(checksum)
    sink.put(UInt32(file.contents.count))
    sink.put(UInt32(file.contents.count))
    sink.put(UInt16(file.name.utf8.count))
    sink.put(UInt16(extra))
  }
}
