public import Foundation
public import MienViewModels
internal import MienCore
public import Observation

/// Records what a tracking session sees, for a person who wants to know it, or to measure thresholds with.
@MainActor @Observable public final class TrackingRecorder {
  public enum State: Hashable, Sendable {
    /// Goes to `recording`.
    case idle
    /// So many moments are in the file. Goes to `done` or `troubled`.
    case recording(Int)
    /// The file has so many moments. Goes to `idle`.
    case done(Int)
    case troubled(ViewError)
  }

  public private(set) var state = State.idle
  private let file: URL
  private let track: @Sendable () -> AsyncThrowingStream<ARFrameSnapshot, any Error>
  private var work: Task<Void, Never>?

  /// The most moments of one recording: ten minutes.
  public static let most = 36_000

  /// - Parameters:
  ///   - file: is written over by each recording.
  ///   - track: begins a session, which ends when its stream is let go.
  public init(file: URL, track: @escaping @Sendable () -> AsyncThrowingStream<ARFrameSnapshot, any Error>) {
    self.file = file
    self.track = track
  }

  /// Records until ``stop()``, or until something ends it.
  public func record() async {
    if case .recording = state { return }
    state = .recording(0)
    let task = Task { await perform() }
    work = task
    await task.value
    work = nil
  }

  public func stop() { work?.cancel() }

  /// The recording; nil when there is none.
  public var recorded: SharedFile? {
    guard case .done = state, let data = try? Data(contentsOf: file) else { return nil }
    return SharedFile(name: "tracking.jsonl", type: "application/x-ndjson", bytes: Array(data))
  }

  /// Removes what was recorded.
  public func discard() {
    if case .recording = state { return }
    try? FileManager.default.removeItem(at: file)
    state = .idle
  }

  private func perform() async {
    do {
      let coder = try TrackingFileRecorder(file: file)
      for try await moment in track() {
        try coder.append(moment.observation)
        state = .recording(coder.lines)
        if coder.lines >= Self.most { break }
      }
      state = coder.lines > 0 ? .done(coder.lines) : .idle
    } catch {
      state = .troubled(error as? ViewError ?? .cameraLost)
    }
  }
}
