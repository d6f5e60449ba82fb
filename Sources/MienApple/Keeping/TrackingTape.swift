public import Foundation
internal import MienFlows
public import MienModel
internal import MienRecordings

/// What a tracking session saw, written as observation lines (Documentation/Formats/ObservationLines.md) as it comes.
///
/// One thread at a time uses it.
public final class TrackingTape {
  /// Where the lines are.
  public let file: URL
  /// How many there are.
  public private(set) var lines = 0
  private let handle: FileHandle
  private var last: Instant?

  /// - Throws: ``FlowTrouble/lowStorage``.
  public init(file: URL) throws {
    self.file = file
    do {
      try FileManager.default.createDirectory(
        at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
      try Data(ObservationLinesWriter(header: ObservationLines.Header(source: .arkit)).bytes).write(to: file)
      handle = try FileHandle(forWritingTo: file)
      try handle.seekToEnd()
    } catch {
      throw FlowTrouble.lowStorage
    }
  }

  deinit { try? handle.close() }

  /// Writes a line; what is not later than the one before, or what no reader takes, is left out.
  ///
  /// - Throws: ``FlowTrouble/lowStorage``.
  public func append(_ observation: ClaimedObservation) throws {
    if let last, observation.at <= last { return }
    var line = ObservationLinesWriter(header: nil)
    guard (try? line.append(observation)) != nil else { return }
    do {
      try handle.write(contentsOf: Data(line.bytes))
    } catch {
      throw FlowTrouble.lowStorage
    }
    last = observation.at
    lines += 1
  }
}
