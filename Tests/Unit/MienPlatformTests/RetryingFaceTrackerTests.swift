import MienCore
import MienPlatform
import MienTestSupport
import Synchronization
import Testing

/// Tracker that rejects the first frames.
private final class ReluctantObserver: FaceTracking {
  private let asked = Mutex(0)
  private let refusals: Int
  private let code: FaceTrackingError.Code

  init(refusing refusals: Int, as code: FaceTrackingError.Code = .busy) {
    self.refusals = refusals
    self.code = code
  }

  /// Number of calls.
  var questions: Int { asked.withLock { $0 } }

  func newTrack() -> FaceTrack { FaceTrack(40) }

  func observe(
    _ frame: EncodedFrame, after track: FaceTrack, in session: FrameSession
  ) async throws -> (observation: FaceObservation, track: FaceTrack, took: Interval) {
    let number = asked.withLock { asked in
      asked += 1
      return asked
    }
    guard number > refusals else { throw FaceTrackingError(code, reason: "an example") }
    return try await ScriptedObserver().observe(frame, after: track, in: session)
  }

  func obstacles() async -> [UnavailableReason] { [.modelUnavailable("an example")] }
}

/// Pauses without delay.
private final class Pauses: Sendable {
  private let taken = Mutex(0)

  var count: Int { taken.withLock { $0 } }

  func take() { taken.withLock { $0 += 1 } }
}

@Suite struct `Retrying face tracker` {
  private static let frame = EncodedFrame(bytes: ScriptedObserver.frame(yaw: 3, mark: 1), at: .zero)

  @Test(arguments: [0, 1, 99])
  func `a busy tracker is retried until a model is free`(refusals: Int) async throws {
    let (observer, pauses) = (ReluctantObserver(refusing: refusals), Pauses())
    let patient = RetryingFaceTracker(observer, tries: 100) { pauses.take() }
    let seen = try await patient.observe(Self.frame, after: patient.newTrack())
    #expect(seen.observation.faceCount == 1 && seen.track.state as? Int == 41)
    #expect(observer.questions == refusals + 1 && pauses.count == refusals)
  }

  @Test(arguments: [100, 1000])
  func `the number of retries is limited`(refusals: Int) async {
    let (observer, pauses) = (ReluctantObserver(refusing: refusals), Pauses())
    let patient = RetryingFaceTracker(observer, tries: 100) { pauses.take() }
    let error = await #expect(throws: FaceTrackingError.self) {
      _ = try await patient.observe(Self.frame, after: patient.newTrack())
    }
    #expect(error?.code == .busy && observer.questions == 100)
    #expect(pauses.count == 99, "there is no pause after the last attempt")
  }

  @Test(arguments: [FaceTrackingError.Code.notAImage, .imageTooLarge, .modelUnavailable])
  func `permanent errors are not retried`(code: FaceTrackingError.Code) async {
    let (observer, pauses) = (ReluctantObserver(refusing: 1, as: code), Pauses())
    let patient = RetryingFaceTracker(observer, tries: 100) { pauses.take() }
    let error = await #expect(throws: FaceTrackingError.self) {
      _ = try await patient.observe(Self.frame, after: patient.newTrack())
    }
    #expect(error?.code == code && observer.questions == 1 && pauses.count == 0)
  }

  @Test func `waiting stops when the scan is canceled`() async {
    let (observer, pauses) = (ReluctantObserver(refusing: 1000), Pauses())
    let patient = RetryingFaceTracker(observer, tries: 100) {
      pauses.take()
      if pauses.count == 3 { throw CancellationError() }
    }
    await #expect(throws: CancellationError.self) {
      _ = try await patient.observe(Self.frame, after: patient.newTrack())
    }
    #expect(observer.questions == 3)
  }

  @Test func `the underlying tracker's error is reported`() async {
    let patient = RetryingFaceTracker(ReluctantObserver(refusing: 0), tries: 1) {}
    #expect(await patient.obstacles() == [.modelUnavailable("an example")])
  }
}
