internal import Foundation
internal import MienScanFormat

/// Named files of a folder or an archive. Names are relative, with `/` as the separator.
protocol FileTree: Sendable {
  /// Name of the folder or archive, for messages.
  var name: String { get }
  /// Names of the enclosing folders, for recordings identified by them.
  var trail: String { get }
  /// All files, sorted.
  var names: [String] { get }
  /// Returns the content of a file.
  ///
  /// - Throws: ``ScanError``: `missing`, or `tooMuch` if it is larger than `limit`.
  func bytes(_ name: String, limit: Int) throws(ScanError) -> [UInt8]
  /// Returns a large file as a byte source that is read in pieces if possible.
  ///
  /// - Throws: ``ScanError``: `missing`, or `tooMuch` if it has to be loaded into memory and is larger than `limit`.
  func pieces(_ name: String, limit: Int) throws(ScanError) -> any ByteSource
}

extension FileTree {
  var trail: String { name }

  func pieces(_ name: String, limit: Int) throws(ScanError) -> any ByteSource {
    InMemoryByteSource(try bytes(name, limit: limit))
  }
}

/// A folder in the file system. Files outside it are never read, even through links.
struct DirectoryTree: FileTree {
  private let root: String
  let name: String
  let names: [String]

  /// Maximum number of files.
  static let mostFiles = 400_000

  init(_ path: String) throws(ScanError) {
    let url = URL(fileURLWithPath: path).standardizedFileURL.resolvingSymlinksInPath()
    root = url.path
    name = url.lastPathComponent
    guard let walk = FileManager.default.enumerator(atPath: root) else {
      throw ScanError(.missing, "\(path) cannot be read")
    }
    var names: [String] = []
    while let next = walk.nextObject() as? String {
      // Formats have one level of folders, below the folders that contain the scan.
      if walk.level > ScanImporter.mostLevels { walk.skipDescendants() }
      guard (walk.fileAttributes?[.type] as? FileAttributeType) == .typeRegular, !SidecarFileFilter.isOne(next) else {
        continue
      }
      names.append(next)
      guard names.count <= Self.mostFiles else {
        throw ScanError(.tooMuch, "\(path) contains more than \(Self.mostFiles) files")
      }
    }
    self.names = names.sorted()
  }

  func bytes(_ name: String, limit: Int) throws(ScanError) -> [UInt8] {
    try Self.bytes(root + "/" + name, limit: limit)
  }

  func pieces(_ name: String, limit: Int) throws(ScanError) -> any ByteSource { try FileByteSource(root + "/" + name) }

  /// Reads a file at any path, at most `limit` bytes.
  static func bytes(_ path: String, limit: Int) throws(ScanError) -> [UInt8] {
    do {
      let file = try FileHandle(forReadingFrom: URL(fileURLWithPath: path))
      defer { try? file.close() }
      let data = try file.read(upToCount: limit + 1) ?? Data()
      guard data.count <= limit else { throw ScanError(.tooMuch, "\(path) is larger than \(limit) bytes") }
      return [UInt8](data)
    } catch let error as ScanError {
      throw error
    } catch {
      throw ScanError(.missing, "\(path) does not exist or cannot be read")
    }
  }
}

/// Filters metadata files that some operating systems add next to user files.
enum SidecarFileFilter {
  /// - Parameter name: relative path with `/` as the separator.
  static func isOne(_ name: String) -> Bool {
    name.split(separator: "/").contains { $0.hasPrefix("._") || $0 == "__MACOSX" || $0 == ".DS_Store" }
  }
}

/// Files in a subfolder of another tree, as a tree of their own.
struct SubdirectoryTree: FileTree {
  private let tree: any FileTree
  private let prefix: String
  let name: String
  let trail: String
  let names: [String]

  init(_ tree: any FileTree, below prefix: String) {
    self.tree = tree
    self.prefix = prefix + "/"
    name = prefix.split(separator: "/").last.map(String.init) ?? tree.name
    trail = tree.trail + "/" + prefix
    names = tree.names.compactMap { $0.hasPrefix(prefix + "/") ? String($0.dropFirst(prefix.count + 1)) : nil }
  }

  func bytes(_ name: String, limit: Int) throws(ScanError) -> [UInt8] { try tree.bytes(prefix + name, limit: limit) }

  func pieces(_ name: String, limit: Int) throws(ScanError) -> any ByteSource {
    try tree.pieces(prefix + name, limit: limit)
  }
}

extension FileTree {
  func has(_ name: String) -> Bool {
    // Binary search in sorted names.
    var low = 0
    var high = names.count
    while low < high {
      let middle = (low + high) / 2
      if names[middle] < name { low = middle + 1 } else { high = middle }
    }
    return low < names.count && names[low] == name
  }

  /// Returns the files of a folder with the given suffix, sorted by name.
  func names(in folder: String, ending: String) -> [String] {
    names.filter { $0.hasPrefix(folder) && $0.hasSuffix(ending) }
  }

  func text(_ name: String, limit: Int = ImportLimits.text) throws(ScanError) -> String {
    guard let text = String(validating: try bytes(name, limit: limit), as: UTF8.self) else {
      throw ScanError(.damaged, "\(name) is not text")
    }
    return text
  }
}

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
    guard let file = files[name] else { throw ScanError(.missing, "\(name) does not exist") }
    return file
  }
}
