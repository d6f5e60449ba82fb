/// A ZIP archive (PKWARE APPNOTE 6.3) of one file, stored, its bytes at a multiple of 64.
enum StoredArchive {
  static func bytes(name: String, contents: ContiguousArray<UInt8>) -> ContiguousArray<UInt8> {
    let checksum = CRC32.of(Array(contents)[...])
    // An extra field of an unused kind fills up to the boundary; its head takes four bytes.
    let head = 30 + name.utf8.count
    let padding = (64 - (head + 4) % 64) % 64
    var sink = ByteSink()
    sink.reserve(contents.count + 512)
    func common(_ sink: inout ByteSink, extra: Int) {
      sink.put(UInt16(10))  // version needed
      sink.put(UInt16(0))  // flags
      sink.put(UInt16(0))  // stored
      sink.put(UInt16(0))  // time
      sink.put(UInt16(0x21))  // 1 January 1980: the archive does not depend on when it was made
      sink.put(checksum)
      sink.put(UInt32(contents.count))
      sink.put(UInt32(contents.count))
      sink.put(UInt16(name.utf8.count))
      sink.put(UInt16(extra))
    }
    sink.put(0x0403_4B50 as UInt32)
    common(&sink, extra: 4 + padding)
    sink.put(name)
    sink.put(0x1986 as UInt16)
    sink.put(UInt16(padding))
    sink.put(ContiguousArray(repeating: 0, count: padding))
    sink.put(contents)
    let directory = UInt32(sink.bytes.count)
    sink.put(0x0201_4B50 as UInt32)
    sink.put(UInt16(10))  // version made by
    common(&sink, extra: 0)
    sink.put(UInt16(0))  // comment
    sink.put(UInt16(0))  // disk
    sink.put(UInt16(0))  // internal attributes
    sink.put(UInt32(0))  // external attributes
    sink.put(UInt32(0))  // place of the file
    sink.put(name)
    let length = UInt32(sink.bytes.count) - directory
    sink.put(0x0605_4B50 as UInt32)
    sink.put(UInt32(0))  // disks
    sink.put(UInt16(1))
    sink.put(UInt16(1))
    sink.put(length)
    sink.put(directory)
    sink.put(UInt16(0))
    return sink.bytes
  }
}
