public import Foundation
public import MienDepth
public import MienViewModels
internal import MienCore

/// A bundle that is written to the disk frame by frame, so that a scan takes no memory and a killed app loses no more than
/// the frame it was writing.
///
/// One thread at a time uses it.
public final class ScanFileRecorder {
  /// Where the bundle is.
  public let file: URL
  /// Frames on the disk.
  public var frames: Int { writer.frameCount }
  /// Bytes on the disk.
  public private(set) var bytes = 0
  private var writer: ScanWriter
  private let handle: FileHandle
  private var first: MonotonicInstant?
  private var last: MonotonicInstant?

  /// Begins a file anew, with the header in it.
  ///
  /// - Throws: ``ViewError/lowStorage``.
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

  /// Writes a frame; one of another size, or that is not later than the one before, is left out.
  ///
  /// - Throws: ``ViewError/lowStorage`` when it cannot be written; what was written before stays readable.
  public func append(_ frame: ScanFrame) throws {
    if let last, frame.at <= last { return }
    guard let record = try? writer.append(frame) else { return }
    try write(record)
    first = first ?? frame.at
    last = frame.at
  }

  /// Ends the bundle.
  ///
  /// - Returns: what is on the disk; nil when no frame is, and then the file is gone.
  public func finish(cut: Bool = false) -> DepthRecording? {
    // Without its index the bundle is read all the same, only slower.
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

  /// What a killed app has left in a file: cut to its last whole frame and ended.
  ///
  /// - Returns: nil when there is no file, or nothing in it that can be used.
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

/// What is read of a file before it is cut: nothing may look into the file after that.
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

/// Bytes of a file that the system pages in as they are read.
private struct MappedBytes: ByteSource {
  let data: Data

  init(_ data: Data) {
    self.data = data
  }

  var count: Int { data.count }
  func bytes(_ range: Range<Int>) -> [UInt8] { Array(data[range]) }
}
