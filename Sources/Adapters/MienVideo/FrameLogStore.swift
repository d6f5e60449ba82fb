internal import Foundation
public import MienCore
public import MienSecurity
public import MienChecks

/// Stores frame logs as encrypted files in a directory, and encodes them as clips with ffmpeg.
///
/// A frame that a crash truncated is omitted from the clip.
public actor FrameLogStore: FrameLogWriter {
  /// Maximum size of a frame log in bytes: three times the size of 180 s at the rate and size of the browser client.
  private static let maximumBytes = 268_435_456
  /// Maximum number of frame logs whose state is cached; the state of others is read from their files.
  private static let mostKnown = 4096

  /// State of a frame log that is being written.
  private struct Known {
    let frames: FrameCipher
    /// File offset after the last record.
    var end: Int
    /// Time of the last use, counted in frames of all logs.
    var turn = 0
  }

  private let folder: URL
  private let keyring: FrameLogCipher
  private var known: [CheckID: Known] = [:]
  private var turn = 0

  /// Creates a store.
  ///
  /// - Parameters:
  ///   - folder: Directory, created if it does not exist; no other process may write to it.
  ///   - random: Returns the requested number of unguessable bytes.
  public init(_ folder: String, keyring: MasterKeyring, random: @escaping @Sendable (Int) -> [UInt8]) throws {
    let place = URL(fileURLWithPath: folder, isDirectory: true)
    self.folder = place
    self.keyring = FrameLogCipher(keyring, random: random)
    do {
      try FileManager.default.createDirectory(
        at: place, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw VideoError("\(folder) cannot be created. Check that its parent folder is writable.")
    }
    ClipOutputFile.sweep(place)
  }

  public func record(_ frame: EncodedFrame, of check: CheckID) throws {
    // ffmpeg expects a single image format from a pipe, and nearly every client sends JPEG.
    guard frame.bytes.starts(with: [0xFF, 0xD8]), frame.bytes.count <= FrameCipher.most else { return }
    let file = frameLog(check)
    if !FileManager.default.fileExists(atPath: file.path) {
      _ = FileManager.default.createFile(atPath: file.path, contents: nil, attributes: [.posixPermissions: 0o600])
    }
    let handle = try FileHandle(forUpdating: file)
    defer { try? handle.close() }
    let size = Int(clamping: try handle.seekToEnd())
    guard size < Self.maximumBytes else { return }
    // The cached state is invalid until the whole frame is written.
    let before = known.removeValue(forKey: check)
    var state: Known
    if let before, before.end == size {
      state = before
    } else {
      state = try acquire(check, in: handle)
    }
    let record = state.frames.record(of: frame, at: state.end)
    try handle.write(contentsOf: record)
    state.end += record.count
    note(state, of: check)
  }

  /// Determines the state of a frame log from its file, and seeks to its end.
  ///
  /// Data after the last complete frame was truncated by a crash. It is deleted, since nothing after it could be read.
  private func acquire(_ check: CheckID, in handle: FileHandle) throws -> Known {
    var reader = try FrameLogReader(handle, of: check, under: keyring)
    try reader.skipAll()
    if let frames = reader.frames, reader.place > FrameLogCipher.head {
      try handle.truncate(atOffset: UInt64(reader.place))
      try handle.seek(toOffset: UInt64(reader.place))
      return Known(frames: frames, end: reader.place)
    }
    let (head, frames) = keyring.begin(check)
    try handle.truncate(atOffset: 0)
    try handle.seek(toOffset: 0)
    try handle.write(contentsOf: head)
    return Known(frames: frames, end: head.count)
  }

  /// Caches the state of a frame log, and evicts the least recently used one if there are too many.
  private func note(_ state: Known, of check: CheckID) {
    if known.count >= Self.mostKnown, let oldest = known.min(by: { $0.value.turn < $1.value.turn }) {
      known[oldest.key] = nil
    }
    turn += 1
    var state = state
    state.turn = turn
    known[check] = state
  }

  public func encodedClip(_ check: CheckID) async throws -> [UInt8] { try await develop(check) }

  /// Runs outside the actor, because decrypting takes time in which other frames must be recorded.
  @concurrent
  private nonisolated func develop(_ check: CheckID) async throws -> [UInt8] {
    let reader = try self.reader(of: check)
    return try await ClipEncoder.encode(reader, draftsOf: folder)
  }

  /// Opens the frame log of a check at its first frame.
  nonisolated func reader(of check: CheckID) throws -> FrameLogReader {
    try FrameLogReader(try FileHandle(forReadingFrom: frameLog(check)), of: check, under: keyring)
  }

  public func discard(_ check: CheckID) {
    known[check] = nil
    try? FileManager.default.removeItem(at: frameLog(check))
  }

  public func frameLogs() -> [CheckID] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".framelog") }.compactMap { CheckID(String($0.dropLast(9))) }
  }

  /// A check ID has no character that could leave the directory.
  private nonisolated func frameLog(_ check: CheckID) -> URL { folder.appendingPathComponent("\(check.text).framelog") }
}
