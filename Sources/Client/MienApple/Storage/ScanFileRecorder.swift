public import Foundation
public import MienScanFormat
public import MienViewModels
internal import MienCore

/// Writes a scan bundle to disk frame by frame, so that a scan needs no memory and a terminated app loses at most the
/// frame it was writing.
///
/// Not thread-safe: use it from one thread at a time.
public final class ScanFileRecorder {
  /// Location of the bundle.
  public let file: URL
  /// Number of frames on disk.
  public var frames: Int { writer.frameCount }
  /// Number of bytes on disk.
  public private(set) var bytes = 0
  private var writer: ScanWriter
  private let handle: FileHandle
  private var first: MonotonicInstant?
  private var last: MonotonicInstant?

  /// Creates the file, replacing an existing one, and writes its header.
  ///
  /// - Throws: `ViewError/lowStorage`.
  public init(file: URL, header: ScanHeader) throws {
    self.file = file
    writer = ScanWriter(header)
    do {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data().write(to: file)
      handle = try FileHandle(forWritingTo: file)
      try handle.write(contentsOf: Data(writer.start()))
      bytes = Int(try handle.offset())
    } catch {
      throw ViewError.lowStorage
    }
  }

  deinit { try? handle.close() }

  /// Writes a frame. Frames of another size, or not later than the previous one, are ignored.
  ///
  /// - Throws: `ViewError/lowStorage` if it cannot be written; frames written before stay readable.
  public func append(_ frame: ScanFrame) throws {
    if let last, frame.at <= last { return }
    guard let record = try? writer.append(frame) else { return }
    try write(record)
    first = first ?? frame.at
    last = frame.at
  }

  /// Finishes the bundle.
  ///
  /// - Returns: the recording on disk, or `nil` if it has no frames, in which case the file is deleted.
  public func finish(cut: Bool = false) -> DepthRecording? {
    // Bundles without an index are readable too, only more slowly.
    try? write(writer.finish())
    try? handle.synchronize()
    try? handle.close()
    guard frames > 0 else {
      try? FileManager.default.removeItem(at: file)
      return nil
    }
    return DepthRecording(
      path: file.lastPathComponent, frames: frames, bytes: bytes, seconds: Self.seconds(first, last), isCut: cut)
  }

  /// Recovers a bundle after termination of the app: truncates it after its last complete frame and finishes it.
  ///
  /// - Returns: `nil` if there is no file, or no usable frame in it.
  public static func rescued(_ file: URL) -> DepthRecording? {
    guard var left = try? TruncatedTail(file), left.frames > 0 else { return nil }
    if !left.isFinished {
      do {
        let handle = try FileHandle(forWritingTo: file)
        defer { try? handle.close() }
        try handle.truncate(atOffset: UInt64(left.wholeLength))
        try handle.seekToEnd()
        try handle.write(contentsOf: Data(left.writer.finish()))
        left.wholeLength = Int(try handle.offset())
      } catch {
        return nil
      }
    }
    return DepthRecording(
      path: file.lastPathComponent, frames: left.frames, bytes: left.wholeLength, seconds: left.seconds, isCut: true)
  }

  private func write(_ record: [UInt8]) throws {
    do {
      try handle.write(contentsOf: Data(record))
      bytes = Int(try handle.offset())
    } catch {
      throw ViewError.lowStorage
    }
  }

  fileprivate static func seconds(_ first: MonotonicInstant?, _ last: MonotonicInstant?) -> Double {
    guard let first, let last else { return 0 }
    return last.since(first).inSeconds
  }
}

/// State of a file before truncation. The file must not be accessed through the mapping afterward.
private struct TruncatedTail {
  let frames: Int
  let seconds: Double
  let isFinished: Bool
  var wholeLength: Int
  var writer: ScanWriter

  init(_ file: URL) throws {
    let data = try Data(contentsOf: file, options: .mappedIfSafe)
    let reader = try ScanReader(MappedBytes(data))
    frames = reader.count
    isFinished = reader.isFinished
    wholeLength = reader.isFinished ? data.count : reader.wholeLength
    writer = ScanWriter(continuing: reader)
    let ends = try? (reader.frame(at: 0).at, reader.frame(at: max(0, reader.count - 1)).at)
    seconds = ScanFileRecorder.seconds(ends?.0, ends?.1)
  }
}

/// Memory-mapped file contents.
struct MappedBytes: ByteSource {
  let data: Data

  init(_ data: Data) {
    self.data = data
  }

  var count: Int { data.count }
  func bytes(_ range: Range<Int>) -> [UInt8] { Array(data[range]) }
}
