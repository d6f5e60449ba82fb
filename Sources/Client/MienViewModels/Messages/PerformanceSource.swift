internal import MienAPI
internal import MienClient

/// Opened source of a performance: the device's own face tracker, or the frames of a camera.
enum PerformanceSource: Sendable {
  case tracker(any ObservationSource)
  case frames(any FrameSource)

  /// Opens the tracker if there is one and it is wanted, otherwise the camera.
  ///
  /// - Throws: ``ViewError``.
  static func open(_ camera: any FlowCamera, tracker isWanted: Bool) async throws -> PerformanceSource {
    if isWanted, let tracker = try await camera.openedTracker() { return .tracker(tracker) }
    return .frames(try await camera.opened())
  }

  func close() async {
    switch self {
    case .tracker(let source): await source.close()
    case .frames(let source): await source.close()
    }
  }

  /// Performs until the server reports a final state. If the server takes no observations, frames of the camera follow.
  ///
  /// - Throws: ``ClientError``, ``ViewError``, `Performance.NoFrames`, `CancellationError`.
  func perform(
    _ performance: Performance, camera: any FlowCamera,
    progress: @Sendable (PerformanceStepResponse?) async -> Void
  ) async throws -> PerformanceStepResponse {
    switch self {
    case .frames(let source): return try await performance.perform(camera: source, progress: progress)
    case .tracker(let source):
      do {
        return try await performance.perform(tracker: source, progress: progress)
      } catch let error as ClientError where error.code == .sourceNotAllowed {
        return try await performance.perform(camera: try await camera.opened(), progress: progress)
      }
    }
  }
}
