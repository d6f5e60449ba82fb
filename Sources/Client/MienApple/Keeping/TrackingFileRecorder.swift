public import Foundation
internal import MienViewModels
public import MienCore
internal import MienRecordings

/// What a tracking session saw, written as observation lines (Documentation/Formats/ObservationJSONL.md) as it comes.
///
/// One thread at a time uses it.
public final class TrackingFileRecorder {
  /// Where the lines are.
  public let file: URL
  /// How many there are.
  public private(set) var lines = 0
  private let handle: FileHandle
  private var last: MonotonicInstant?

  /// - Throws: ``ViewError/lowStorage``.
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

  /// Writes a line; what is not later than the one before, or what no reader takes, is left out.
  ///
  /// - Throws: ``ViewError/lowStorage``.
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
