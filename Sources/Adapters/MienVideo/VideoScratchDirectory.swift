internal import Foundation

/// Location of unencrypted videos and their frames during processing: tmpfs if there is enough space, otherwise the disk.
public struct VideoScratchDirectory: Sendable {
  private static let kind = "frames"
  /// Maximum total size in bytes of a video's extracted images.
  private static let images = VideoFrameExtractor.mostImages * VideoFrameExtractor.largestImage

  private let folder: URL
  private let isServers: Bool

  /// Creates a location for a server.
  ///
  /// - Parameter folder: Directory owned by the server; files of other servers are not deleted.
  public init(beside folder: String) { self.init(URL(fileURLWithPath: folder, isDirectory: true), isServers: true) }

  /// Location for a command-line invocation, in the system's directory for temporary files. The next invocation deletes the files of an
  /// interrupted one.
  public static var ofCommand: VideoScratchDirectory {
    VideoScratchDirectory(FileManager.default.temporaryDirectory, isServers: false)
  }

  private init(_ folder: URL, isServers: Bool) {
    self.folder = folder
    self.isServers = isServers
  }

  /// Creates a directory for a video of the given size, readable only by its owner, and deletes it after `work` returns.
  ///
  /// - Throws: ``VideoError`` if there is not enough space; errors of `work`.
  public func open<Value>(_ bytes: Int, _ work: (_ folder: String) async throws -> Value) async throws -> Value {
    let name = "\(ProcessInfo.processInfo.processIdentifier)-\(UUID().uuidString)"
    var place = folder.appendingPathComponent("mien-\(Self.kind)-" + name)
    if !isServers {
      TmpfsDirectory.remove(in: folder) { Self.isOrphan($0) }
    } else if TmpfsDirectory.hasSpace(for: bytes + Self.images),
      let prefix = TmpfsDirectory.prefix(Self.kind, of: folder)
    {
      place = TmpfsDirectory.place.appendingPathComponent(prefix + name)
    }
    do {
      try FileManager.default.createDirectory(
        at: place, withIntermediateDirectories: false, attributes: [.posixPermissions: 0o700])
    } catch {
      throw VideoError("There is not enough memory or disk space for the video.")
    }
    defer { try? FileManager.default.removeItem(at: place) }
    return try await work(place.path)
  }

  /// Reports whether a directory belongs to a command process that no longer exists.
  private static func isOrphan(_ name: String) -> Bool {
    guard name.hasPrefix("mien-\(kind)-"), let process = pid_t(name.dropFirst(kind.count + 6).prefix { $0 != "-" })
    else {
      return false
    }
    return kill(process, 0) != 0 && errno == ESRCH
  }

  /// Deletes the files that a crash left behind. Must not run while videos are processed in this location.
  public func sweep() {
    TmpfsDirectory.remove(in: folder) { $0.hasPrefix("mien-\(Self.kind)-") }
    if let prefix = TmpfsDirectory.prefix(Self.kind, of: folder) {
      TmpfsDirectory.remove(in: TmpfsDirectory.place) { $0.hasPrefix(prefix) }
    }
  }
}
