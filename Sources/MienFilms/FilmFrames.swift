internal import Foundation

/// Where films and their frames lie open while somebody works on them: in the system's memory where it has room, else on the disk.
public struct FilmFrames: Sendable {
  private static let kind = "frames"
  /// What the pictures of a film may take beside it, in bytes: 90 of 4K.
  private static let pictures = 256 << 20

  private let folder: URL

  /// - Parameter folder: is there, and belongs to whoever uses this; nobody else's frames are swept.
  public init(beside folder: String) { self.folder = URL(fileURLWithPath: folder, isDirectory: true) }

  /// Makes a folder for a film of so many bytes, readable for its owner only, and removes it when the work is over.
  ///
  /// - Throws: errors of the system, what `work` throws.
  public func open<Value>(_ bytes: Int, _ work: (_ folder: String) async throws -> Value) async throws -> Value {
    let name = UUID().uuidString
    var place = folder.appendingPathComponent("mien-\(Self.kind)-" + name)
    if MemoryFolder.hasRoom(for: bytes + Self.pictures), let prefix = MemoryFolder.prefix(Self.kind, of: folder) {
      place = MemoryFolder.place.appendingPathComponent(prefix + name)
    }
    defer { try? FileManager.default.removeItem(at: place) }
    try FileManager.default.createDirectory(
      at: place, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    return try await work(place.path)
  }

  /// Removes what a crash left behind; only while nobody works on films beside this folder.
  public func sweep() {
    MemoryFolder.remove(in: folder) { $0.hasPrefix("mien-\(Self.kind)-") }
    if let prefix = MemoryFolder.prefix(Self.kind, of: folder) {
      MemoryFolder.remove(in: MemoryFolder.place) { $0.hasPrefix(prefix) }
    }
  }
}
