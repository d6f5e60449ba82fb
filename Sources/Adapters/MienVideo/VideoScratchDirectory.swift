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

/// Directory in which Linux stores files in memory; only swapping writes them to a disk.
enum TmpfsDirectory {
  static let place = URL(fileURLWithPath: "/dev/shm", isDirectory: true)

  /// Reports whether the directory exists and has enough free space.
  static func hasSpace(for bytes: Int) -> Bool {
    let facts = try? FileManager.default.attributesOfFileSystem(forPath: place.path)
    guard let free = facts?[.systemFreeSize] as? NSNumber else { return false }
    return free.int64Value >= Int64(bytes)
  }

  /// Returns the prefix of file names in it, derived from the device and inode of `folder`, since several servers may share tmpfs.
  ///
  /// - Parameter kind: Type of the files.
  static func prefix(_ kind: String, of folder: URL) -> String? {
    guard let facts = try? FileManager.default.attributesOfItem(atPath: folder.path),
      let device = facts[.systemNumber] as? NSNumber, let number = facts[.systemFileNumber] as? NSNumber
    else { return nil }
    return "mien-\(kind)-\(device.uint64Value)-\(number.uint64Value)-"
  }

  /// Deletes the files in a directory whose names satisfy `isUnwanted`.
  static func remove(in folder: URL, _ isUnwanted: (String) -> Bool) {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    for name in names where isUnwanted(name) {
      try? FileManager.default.removeItem(at: folder.appendingPathComponent(name))
    }
  }
}

/// Error of reading or encoding a video. It contains nothing about the content.
public struct VideoError: Error, CustomStringConvertible {
  public let reason: String

  public init(_ reason: String) { self.reason = reason }

  public var description: String { reason }
}
