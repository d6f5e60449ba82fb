internal import MienScanFormat

/// Files supplied by the caller, by name.
struct FileDictionary: FileTree {
  let name: String
  let names: [String]
  private let files: [String: any ByteSource]

  init(_ files: [String: any ByteSource], name: String) {
    self.files = files
    self.name = name
    names = files.keys.filter { !SidecarFileFilter.isOne($0) }.sorted()
  }

  func bytes(_ name: String, limit: Int) throws(ScanError) -> [UInt8] {
    let file = try pieces(name, limit: limit)
    guard file.count <= limit else { throw ScanError(.tooMuch, "\(name) is larger than \(limit) bytes") }
    let bytes = file.bytes(at: 0, count: file.count)
    guard bytes.count == file.count else { throw ScanError(.missing, "\(name) cannot be read") }
    return bytes
  }

  func pieces(_ name: String, limit: Int) throws(ScanError) -> any ByteSource {
    guard let file = files[name] else { throw ScanError(.missing, "\(name) is not there") }
    return file
  }
}
