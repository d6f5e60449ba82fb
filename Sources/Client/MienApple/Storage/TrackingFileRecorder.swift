public import Foundation
internal import MienViewModels
public import MienCore
internal import MienRecordings

/// Writes the observations of a tracking session as observation lines (Documentation/reference/formats/ObservationLines.md).
///
/// Not thread-safe: use it from one thread at a time.
public final class TrackingFileRecorder {
  /// Location of the file.
  public let file: URL
  /// Number of lines.
  public private(set) var lines = 0
  private let handle: FileHandle
  private var last: MonotonicInstant?

  /// - Throws: `ViewError/lowStorage`.
  public init(file: URL) throws {
    self.file = file
    do {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(ObservationLinesWriter(header: ObservationJSONL.Header(source: .arkit)).bytes).write(to: file)
      handle = try FileHandle(forWritingTo: file)
      try handle.seekToEnd()
    } catch {
      throw ViewError.lowStorage
    }
  }

  deinit { try? handle.close() }

  /// Writes a line. Observations that are invalid, or not later than the previous one, are ignored.
  ///
  /// - Throws: `ViewError/lowStorage`.
  public func append(_ observation: ClientObservation) throws {
    if let last, observation.at <= last { return }
    var line = ObservationLinesWriter(header: nil)
    guard (try? line.append(observation)) != nil else { return }
    do {
      try handle.write(contentsOf: Data(line.bytes))
    } catch {
      throw ViewError.lowStorage
    }
    last = observation.at
    lines += 1
  }
}
