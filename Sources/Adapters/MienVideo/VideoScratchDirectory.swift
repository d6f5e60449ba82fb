internal import Foundation

/// Where films and their frames lie open while somebody works on them: in the system's memory where it has room, else on the disk.
public struct VideoScratchDirectory: Sendable {
  private static let kind = "frames"
  /// What the pictures of a film may take beside it, in bytes.
  private static let images = VideoFrameExtractor.mostImages * VideoFrameExtractor.largestImage

  private let folder: URL
  private let isServers: Bool

  /// - Parameter folder: a server's own; nobody else's frames are swept.
  public init(beside folder: String) { self.init(URL(fileURLWithPath: folder, isDirectory: true), isServers: true) }

  /// For one command of a person, in the system's folder for temporary files. What a command left that was stopped is removed by the next.
  public static var ofCommand: VideoScratchDirectory {
    VideoScratchDirectory(FileManager.default.temporaryDirectory, isServers: false)
  }

  private init(_ folder: URL, isServers: Bool) {
    self.folder = folder
    self.isServers = isServers
  }

  /// Makes a folder for a film of so many bytes, readable for its owner only, and removes it when the work is over.
  ///
  /// - Throws: ``VideoError`` when there is no room, what `work` throws.
  public func open<Value>(_ bytes: Int, _ work: (_ folder: String) async throws -> Value) async throws -> Value {
    let name = "\(ProcessInfo.processInfo.processIdentifier)-\(UUID().uuidString)"
    var place = folder.appendingPathComponent("mien-\(Self.kind)-" + name)
    if !isServers {
      TmpfsDirectory.remove(in: folder) { Self.isOrphan($0) }
    } else if TmpfsDirectory.hasRoom(for: bytes + Self.images),
      let prefix = TmpfsDirectory.prefix(Self.kind, of: folder)
    {
      place = TmpfsDirectory.place.appendingPathComponent(prefix + name)
    }
    do {
      try FileManager.default.createDirectory(
        at: place, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    } catch {
      throw VideoError("There is no room to lay the film down.")
    }
    defer { try? FileManager.default.removeItem(at: place) }
    return try await work(place.path)
  }

  /// Whether a command made it that does not run any more.
  private static func isOrphan(_ name: String) -> Bool {
    guard name.hasPrefix("mien-\(kind)-"), let process = pid_t(name.dropFirst(kind.count + 6).prefix { $0 != "-" })
    else {
      return false
    }
    return kill(process, 0) != 0 && errno == ESRCH
  }

  /// Removes what a crash left behind; only while nobody works on films beside this folder.
  public func sweep() {
    TmpfsDirectory.remove(in: folder) { $0.hasPrefix("mien-\(Self.kind)-") }
    if let prefix = TmpfsDirectory.prefix(Self.kind, of: folder) {
      TmpfsDirectory.remove(in: TmpfsDirectory.place) { $0.hasPrefix(prefix) }
    }
  }
}
