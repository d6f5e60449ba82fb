internal import MienCore

/// Sends what the device's own face tracker observes beside the frames of a check, for comparison with the server's own
/// observations.
///
/// The server decides by its frames alone. It refuses observations in a check that was not created for them; nothing
/// more is sent then.
actor ObservationSender {
  /// Time between two requests.
  static let pause = Interval.milliseconds(500)

  private let line: CheckConnection
  private let camera: any FrameSource
  private let clock: any ClientClock
  private var work: Task<Void, Never>?

  init(line: CheckConnection, camera: any FrameSource, clock: any ClientClock) {
    self.line = line
    self.camera = camera
    self.clock = clock
  }

  /// Begins to send, once the server has the first frame.
  ///
  /// - Parameter origin: capture time of that frame.
  func begin(at origin: MonotonicInstant) {
    guard work == nil else { return }
    work = Task { [line, camera, clock] in
      while !Task.isCancelled, let lines = await camera.nextObservations(since: origin) {
        do {
          _ = try await line.send(observationLines: lines)
        } catch let error as ClientError where Self.passing.contains(error.code) {
          // Lost observations cost a comparison, never the check.
        } catch {
          return
        }
        guard (try? await clock.sleep(for: Self.pause)) != nil else { return }
      }
    }
  }

  func stop() {
    work?.cancel()
  }

  /// Errors after which the next observations may be accepted.
  private static let passing: [ClientError.Code] = [.unreachable, .unreadable, .busy, .unavailable, .frameInFlight]
}
