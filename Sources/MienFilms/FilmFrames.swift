internal import Foundation

/// Where films and their frames lie open while somebody works on them: in the system's memory where it has room, else on the disk.
public struct FilmFrames: Sendable {
  private static let kind = "frames"
  /// What the pictures of a film may take beside it, in bytes.
  private static let pictures = FilmUnpacker.mostPictures * FilmUnpacker.largestPicture

  private let folder: URL
  private let isServers: Bool

  /// - Parameter folder: a server's own; nobody else's frames are swept.
  public init(beside folder: String) { self.init(URL(fileURLWithPath: folder, isDirectory: true), isServers: true) }

  /// For one command of a person, in the system's folder for temporary files. What a command left that was stopped is removed by the next.
  public static var ofCommand: FilmFrames { FilmFrames(FileManager.default.temporaryDirectory, isServers: false) }

  private init(_ folder: URL, isServers: Bool) {
    self.folder = folder
    self.isServers = isServers
  }

  /// Makes a folder for a film of so many bytes, readable for its owner only, and removes it when the work is over.
  ///
  /// - Throws: ``FilmError`` when there is no room, what `work` throws.
  public func open<Value>(_ bytes: Int, _ work: (_ folder: String) async throws -> Value) async throws -> Value {
    let name = "\(ProcessInfo.processInfo.processIdentifier)-\(UUID().uuidString)"
    var place = folder.appendingPathComponent("mien-\(Self.kind)-" + name)
    if !isServers {
      MemoryFolder.remove(in: folder) { Self.isOfNobody($0) }
    } else if MemoryFolder.hasRoom(for: bytes + Self.pictures),
      let prefix = MemoryFolder.prefix(Self.kind, of: folder)
    {
      place = MemoryFolder.place.appendingPathComponent(prefix + name)
    }
    do {
      try FileManager.default.createDirectory(
        at: place, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    } catch {
      throw FilmError("There is no room to lay the film down.")
    }
    defer { try? FileManager.default.removeItem(at: place) }
    return try await work(place.path)
  }

  /// Whether a command made it that does not run any more.
  private static func isOfNobody(_ name: String) -> Bool {
    guard name.hasPrefix("mien-\(kind)-"), let process = pid_t(name.dropFirst(kind.count + 6).prefix { $0 != "-" })
    else {
      return false
    }
    return kill(process, 0) != 0 && errno == ESRCH
  }

  /// Removes what a crash left behind; only while nobody works on films beside this folder.
  public func sweep() {
    MemoryFolder.remove(in: folder) { $0.hasPrefix("mien-\(Self.kind)-") }
    if let prefix = MemoryFolder.prefix(Self.kind, of: folder) {
      MemoryFolder.remove(in: MemoryFolder.place) { $0.hasPrefix(prefix) }
    }
  }
}
