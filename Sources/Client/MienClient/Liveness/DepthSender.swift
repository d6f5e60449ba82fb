/// Sends the depth captures of a camera, one at a time, while the server measures depth.
///
/// A verdict by depth alone arrives with the next frame, whose response then has the last step of the check.
actor DepthSender {
  private let line: CheckConnection
  private let camera: any FrameSource
  private var work: Task<Void, Never>?
  private var isMeasuring = false

  init(line: CheckConnection, camera: any FrameSource) {
    self.line = line
    self.camera = camera
  }

  /// Sends captures in the phase `depth`, also in that of a later attempt, and drops them in every other one.
  ///
  /// Reading goes on in between, because a stream whose reader is canceled has ended.
  func follow(_ phase: LivenessStep.Phase) {
    isMeasuring = phase == .depth
    guard isMeasuring, work == nil else { return }
    work = Task { [line, camera] in
      while !Task.isCancelled, let capture = await camera.nextDepth() {
        guard isMeasuring else { continue }
        do {
          _ = try await line.send(depth: capture)
        } catch let error as ClientError where Self.passing.contains(error.code) {
          // The window is short: the next capture is newer than a repetition of this one.
          continue
        } catch {
          // The check has ended or takes no depth; frames report the outcome.
          return
        }
      }
    }
  }

  func stop() {
    work?.cancel()
    work = nil
  }

  /// Errors after which the next capture may succeed.
  private static let passing: [ClientError.Code] = [.unreachable, .unreadable, .busy, .unavailable, .frameInFlight]
}
