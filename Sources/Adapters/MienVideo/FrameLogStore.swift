internal import Foundation
public import MienCore
public import MienService

/// Keeps reels as files of a folder, sealed from the first frame on, and makes films of them with ffmpeg.
///
/// A frame that a crash cut off is left out of the film. A reel that was begun before there was sealing goes on as it is.
public actor FrameLogStore: FrameLogWriter {
  /// The largest reel in bytes: what 180 s at the rate and size of the browser client need, three times over.
  private static let maximumBytes = 268_435_456
  /// Of so many reels it is known how they go on; of others it is found in their files.
  private static let mostKnown = 4096

  /// A reel that frames are added to.
  private struct Known {
    let records: FrameLogRecord
    /// Behind its last record, in bytes of the file.
    var end: Int
    /// When it was worked on last, counted in frames of all reels.
    var turn = 0
  }

  private let folder: URL
  private let keyring: FrameLogCipher
  private var known: [CheckID: Known] = [:]
  private var turn = 0

  /// - Parameters:
  ///   - folder: made when it is not there; nobody else writes to it.
  ///   - random: as many unguessable bytes as it is asked for.
  public init(_ folder: String, keyring: MasterKeyring, random: @escaping @Sendable (Int) -> [UInt8]) throws {
    let place = URL(fileURLWithPath: folder, isDirectory: true)
    self.folder = place
    self.keyring = FrameLogCipher(keyring, random: random)
    do {
      try FileManager.default.createDirectory(
        at: place, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw VideoError("\(folder) cannot be made. Check that the folder around it is writable.")
    }
    ClipOutputFile.sweep(place)
  }

  public func record(_ frame: EncodedFrame, of check: CheckID) throws {
    // ffmpeg reads one kind of frame after the other from a pipe; nearly every client sends JPEG.
    guard frame.bytes.starts(with: [0xFF, 0xD8]), frame.bytes.count <= FrameCipher.most else { return }
    let file = frameLog(check)
    if !FileManager.default.fileExists(atPath: file.path) {
      _ = FileManager.default.createFile(atPath: file.path, contents: nil, attributes: [.posixPermissions: 0o600])
    }
    let handle = try FileHandle(forUpdating: file)
    defer { try? handle.close() }
    let size = Int(clamping: try handle.seekToEnd())
    guard size < Self.maximumBytes else { return }
    // Nothing is known of it until the disk has taken the frame whole.
    let before = known.removeValue(forKey: check)
    var state: Known
    if let before, before.end == size {
      state = before
    } else {
      state = try acquire(check, in: handle)
    }
    let record = state.records.record(of: frame, at: state.end)
    try handle.write(contentsOf: record)
    state.end += record.count
    note(state, of: check)
  }

  /// Finds in its file how a reel goes on, and leaves the file at its end.
  ///
  /// What is behind the last whole frame a crash cut off. It goes, since nothing behind it could be read.
  private func acquire(_ check: CheckID, in handle: FileHandle) throws -> Known {
    var reader = try FrameLogReader(handle, of: check, under: keyring)
    try reader.skipAll()
    if reader.place > reader.records.start {
      try handle.truncate(atOffset: UInt64(reader.place))
      try handle.seek(toOffset: UInt64(reader.place))
      return Known(records: reader.records, end: reader.place)
    }
    let (head, frames) = keyring.begin(check)
    try handle.truncate(atOffset: 0)
    try handle.seek(toOffset: 0)
    try handle.write(contentsOf: head)
    return Known(records: .sealed(frames), end: head.count)
  }

  /// Remembers how a reel goes on, and forgets the one that had no frame for the longest where there are too many.
  private func note(_ state: Known, of check: CheckID) {
    if known.count >= Self.mostKnown, let oldest = known.min(by: { $0.value.turn < $1.value.turn }) {
      known[oldest.key] = nil
    }
    turn += 1
    var state = state
    state.turn = turn
    known[check] = state
  }

  public func film(_ check: CheckID) async throws -> [UInt8] { try await develop(check) }

  /// Not where frames are recorded: opening them takes time in which others come.
  @concurrent
  private nonisolated func develop(_ check: CheckID) async throws -> [UInt8] {
    let reader = try self.reader(of: check)
    return try await ClipEncoder.film(of: reader, draftsOf: folder)
  }

  /// Opens a check's reel at its first frame.
  nonisolated func reader(of check: CheckID) throws -> FrameLogReader {
    try FrameLogReader(try FileHandle(forReadingFrom: frameLog(check)), of: check, under: keyring)
  }

  public func discard(_ check: CheckID) {
    known[check] = nil
    try? FileManager.default.removeItem(at: frameLog(check))
  }

  public func frameLogs() -> [CheckID] {
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".reel") }.compactMap { CheckID(String($0.dropLast(5))) }
  }

  /// An identifier has no character that could leave the folder.
  private nonisolated func frameLog(_ check: CheckID) -> URL { folder.appendingPathComponent("\(check.text).reel") }
}
