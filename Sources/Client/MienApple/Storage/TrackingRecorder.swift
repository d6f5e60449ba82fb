public import Foundation
public import MienCore
internal import MienRecordings
public import MienViewModels
public import Observation

/// Records a face tracking session for inspection, or for the calibration of thresholds.
@MainActor @Observable public final class TrackingRecorder {
  public enum State: Hashable, Sendable {
    /// Next: `recording`.
    case idle
    /// Number of snapshots recorded so far. Next: `done` or `problem`.
    case recording(Int)
    /// Number of snapshots in the file. Next: `idle`.
    case done(Int)
    case problem(ViewError)
  }

  public private(set) var state = State.idle
  /// Values of the newest snapshot for the tuning of thresholds: name and value, 0…1, sorted by name.
  public private(set) var values: [Coefficient] = []
  private let file: URL
  private let track: @Sendable () -> AsyncThrowingStream<ARFrameSnapshot, any Error>
  private var work: Task<Void, Never>?

  /// Maximum number of snapshots in one recording: ten minutes at 60 per second.
  public static let most = 36_000

  /// - Parameters:
  ///   - file: overwritten by each recording.
  ///   - track: starts a session, which ends when its stream is released.
  public init(file: URL, track: @escaping @Sendable () -> AsyncThrowingStream<ARFrameSnapshot, any Error>) {
    self.file = file
    self.track = track
  }

  /// Records until ``stop()`` or until the session ends.
  public func record() async {
    if case .recording = state { return }
    (state, values) = (.recording(0), [])
    let task = Task { await perform() }
    work = task
    await task.value
    work = nil
  }

  public func stop() { work?.cancel() }

  /// Finished recording, or `nil` if there is none.
  public var recorded: SharedFile? {
    guard case .done = state, let data = try? Data(contentsOf: file) else { return nil }
    return SharedFile(name: "tracking.jsonl", type: "application/x-ndjson", bytes: Array(data))
  }

  /// Deletes the recording.
  public func discard() {
    if case .recording = state { return }
    try? FileManager.default.removeItem(at: file)
    state = .idle
  }

  /// Value of one face coefficient.
  public struct Coefficient: Hashable, Sendable, Identifiable {
    public let name: String
    public let value: Float
    public var id: String { name }
  }

  private func show(_ observation: ClientObservation) {
    guard let shapes = observation.blendshapes else { return }
    values = BlendshapeName.allCases.compactMap { name in
      shapes[name].map { Coefficient(name: name.text, value: $0) }
    }.sorted { $0.name < $1.name }
  }

  private func perform() async {
    do {
      let coder = try TrackingFileRecorder(file: file)
      for try await moment in track() {
        try coder.append(moment.observation)
        show(moment.observation)
        state = .recording(coder.lines)
        if coder.lines >= Self.most { break }
      }
      state = coder.lines > 0 ? .done(coder.lines) : .idle
    } catch {
      state = .problem(error as? ViewError ?? .cameraLost)
    }
  }
}

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
