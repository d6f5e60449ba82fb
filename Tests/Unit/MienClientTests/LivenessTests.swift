import Foundation
import MienCore
import MienAPI
import Testing

@testable import MienClient

/// Client with a scripted server: requests, delays and results.
struct LivenessTests {
  private let passed = StepResponse.of("passed", "done", face: false)
  private let waiting = StepResponse.of("tracking", "turn")

  private func liveness(_ transport: ScriptedServer, clock: StandingClock = StandingClock()) throws -> Liveness {
    var liveness = Liveness(
      server: LivenessServer(try #require(URL(string: "https://liveness.example"))), metadata: "order 42",
      sessionId: "s-1", sessionToken: "t-1")
    liveness.transport = transport
    liveness.clock = clock
    return liveness
  }

  @Test func `a check runs to its result and releases the camera`() async throws {
    let server = ScriptedServer(
      .step(.of("positioning", "position-face", face: false)), .step(.of("positioning", "hold-still")),
      .step(waiting), .step(passed))
    let camera = ScriptedCamera(times: [0, 66, 133, 200, 266])
    let run = try liveness(server).run(camera: camera)
    var phases: [LivenessStep.Phase] = []
    for await case .step(let step) in run { phases.append(step.phase) }
    #expect(phases == [.positioning, .positioning, .tracking, .passed])
    let data = try await run.result()
    #expect(data.passed && data.error == nil && data.reason == nil && data.sessionId == "s-1")
    #expect(data.metadata as? String == "order 42" && data.livenessClip == nil)
    // The frame during which the user held still.
    #expect(data.faceImage == "data:image/jpeg;base64," + Data([0xFF, 0xD8, 1]).base64EncodedString())
    #expect(await camera.closed == 1)
    #expect(await camera.given == 4, "no frame after the verdict")
    let times = await server.calls.map { $0.headers["Mien-Captured-At"] }
    #expect(times == ["0.0", "66.0", "133.0", "200.0"])
    #expect(Set(await server.calls.map { $0.headers["Mien-Client"] }).count == 1)
  }

  @Test func `a step is decoded completely`() throws {
    var reply = waiting
    reply.hints = ["too-far", "a-hint-of-tomorrow"]
    let step = try LivenessStep(reply)
    #expect(step.phase == .tracking && step.instruction == "turn" && step.side == .subjectLeft && step.progress == 0.5)
    #expect(step.hints == [.tooFar] && step.remaining == .seconds(7) && step.outline == [SIMD2(0.25, 0.5)])
    reply.state = "a-state-of-tomorrow"
    #expect(throws: ClientError(.unreadable, detail: "")) { try LivenessStep(reply) }
  }

  @Test(arguments: [
    ("wrong-direction" as String?, "failed", LivenessError.Key.taskFailed), ("timed-out", "timed-out", .taskFailed),
    ("wrong-answer", "failed", .taskFailed), ("changed-face", "failed", .taskFailed),
    ("no-face", "timed-out", .imageCaptureFailed), ("face-lost", "failed", .imageCaptureFailed),
    ("not-measured", "failed", .imageCaptureFailed), ("eyes-closed", "failed", .eyesClosed),
    ("expired", "timed-out", .invalidOrExpiredSession), (nil, "failed", .taskFailed),
  ])
  func `every result other than a pass has a key`(reason: String?, state: String, key: LivenessError.Key) async throws {
    let server = ScriptedServer(.step(.of(state, "done", reason: reason)))
    let data = try await liveness(server).check(camera: ScriptedCamera(times: [0]))
    #expect(!data.passed && data.error?.key == key && data.reason == reason)
    // A response was lost, and the check was over when the next frame was sent.
    let late = ScriptedServer(.problem("check-ended", status: 409, step: .of(state, "done", reason: reason)))
    let same = try await liveness(late).check(camera: ScriptedCamera(times: [0]))
    #expect(same.error?.key == key && same.reason == reason)
  }

  @Test(arguments: [
    ("unauthorized", LivenessError.Key.sessionTokenError), ("forbidden", .sessionTokenError),
    ("token-expired", .invalidOrExpiredSession), ("not-found", .invalidOrExpiredSession),
    ("check-ended", .invalidOrExpiredSession), ("second-client", .invalidOrExpiredSession),
    ("image-too-large", .imageCaptureFailed), ("body-too-large", .imageCaptureFailed),
    ("model-unavailable", .apiError), ("locked-out", .apiError), ("internal-error", .apiError),
    ("a-code-of-tomorrow", .apiError),
  ])
  func `a rejected request ends the check at once with its key`(code: String, key: LivenessError.Key) async throws {
    let server = ScriptedServer(.problem(code, status: 400))
    let data = try await liveness(server).check(camera: ScriptedCamera(times: [0, 100], then: .hangs))
    #expect(data.error?.key == key && data.reason == code && data.error?.message == "The words of \(code).")
    #expect(await server.calls.count == 1)
  }

  @Test func `a lost connection is retried with one fresh frame before the check fails`() async throws {
    let clock = StandingClock()
    let server = ScriptedServer(.step(waiting), .silence, .step(waiting), .silence, .silence)
    let camera = ScriptedCamera(times: [0, 66, 133, 200, 266, 333], then: .hangs)
    let run = try liveness(server, clock: clock).run(camera: camera)
    var events: [String] = []
    for await progress in run {
      switch progress {
      case .step: events.append("step")
      case .unreachable: events.append("unreachable")
      case .busy: events.append("busy")
      }
    }
    #expect(events == ["step", "unreachable", "step", "unreachable"])
    let data = try await run.result()
    #expect(data.error?.key == .apiError && data.reason == "unreachable")
    #expect(await clock.slept == [.milliseconds(500), .milliseconds(500)])
    #expect(await server.calls.map(\.body?.last) == [0, 1, 2, 3, 4], "no frame is sent twice")
    #expect(await camera.closed == 1)
  }

  @Test func `frames older than the last one are not sent`() async throws {
    let server = ScriptedServer(.step(waiting))
    // The clock does not advance, so that no frame is late; repeated and reversed timestamps are dropped.
    let camera = ScriptedCamera(times: [0, 100, 100, 50, 200])
    let data = try await liveness(server).check(camera: camera)
    #expect(data.error?.key == .imageCaptureFailed && data.reason == "no-frames", "the camera ended")
    #expect(await server.calls.map { $0.headers["Mien-Captured-At"] } == ["0.0", "100.0", "200.0"])
  }

  @Test func `a busy server is retried after the delay it asks for`() async throws {
    let clock = StandingClock()
    let server = ScriptedServer(
      .problem("busy", status: 503, retryAfter: 4), .problem("busy", status: 503), .step(passed))
    let data = try await liveness(server, clock: clock).check(camera: ScriptedCamera(times: [0, 1, 2, 3]))
    #expect(data.passed)
    #expect(await clock.slept == [.seconds(4), .seconds(1)])
  }

  @Test func `a rejected frame is followed by the next up to a limit`() async throws {
    let server = ScriptedServer(
      .problem("not-an-image", status: 422), .problem("timestamp-out-of-range", status: 422), .step(passed))
    #expect(try await liveness(server).check(camera: ScriptedCamera(times: [0, 1, 2])).passed)
    let stubborn = ScriptedServer(.problem("not-an-image", status: 422))
    let camera = ScriptedCamera(times: (0..<100).map(Double.init))
    let data = try await liveness(stubborn).check(camera: camera)
    #expect(data.error?.key == .imageCaptureFailed && data.reason == "not-an-image")
    #expect(await stubborn.calls.count == RetryPolicy().refusals + 1)
  }

  @Test(arguments: [ScriptedCamera.End.ends, .breaks, .hangs])
  func `a camera without frames gives a result`(end: ScriptedCamera.End) async throws {
    let server = ScriptedServer(.step(waiting))
    // The timeout for the camera expires immediately.
    let clock = StandingClock(sleepsAtOnce: { _ in end == .hangs })
    let data = try await liveness(server, clock: clock).check(camera: ScriptedCamera(times: [], then: end))
    #expect(data.error?.key == .imageCaptureFailed && data.reason == "no-frames" && data.faceImage == nil)
    #expect(await server.calls.isEmpty)
  }

  @Test(arguments: [("", "t"), ("../x", "t"), ("s-1", "")])
  func `an invalid session is rejected before anything is sent`(id: String, token: String) async throws {
    let server = ScriptedServer(.step(passed))
    var liveness = try liveness(server)
    liveness.session = .given(CheckSession(id: id, token: token))
    let camera = ScriptedCamera(times: [0])
    let data = try await liveness.check(camera: camera)
    #expect(data.error?.key == (token.isEmpty ? .sessionTokenError : .invalidOrExpiredSession))
    #expect(await server.calls.isEmpty)
    #expect(await camera.closed == 1)
  }

  @Test func `a session can be requested with the given options`() async throws {
    let server = ScriptedServer(.step(passed))
    var liveness = try liveness(server)
    liveness.options.tasks = [TaskProperties(task: .headPath())]
    liveness.session = .asked { options in
      CheckSession(id: "from-backend", token: options.tasks?.first?.kind ?? "")
    }
    let data = try await liveness.check(camera: ScriptedCamera(times: [0]))
    #expect(data.passed && data.sessionId == "from-backend")
    #expect(await server.calls.first?.headers["Authorization"] == "Bearer head-path")

    struct NoSession: Error {}
    liveness.session = .asked { _ in throw NoSession() }
    let none = try await liveness.check(camera: ScriptedCamera(times: [0]))
    #expect(none.error?.key == .sessionTokenError && none.sessionId == nil)
  }

  @Test func `canceling the waiting task ends the check and releases the camera`() async throws {
    let server = ScriptedServer(.step(waiting))
    let camera = ScriptedCamera(times: [0], then: .hangs)
    let run = try liveness(server).run(camera: camera)
    var steps = run.makeAsyncIterator()
    #expect(await steps.next() != nil)
    let waiter = Task { try await run.result() }
    waiter.cancel()
    await #expect(throws: CancellationError.self) { try await waiter.value }
    await #expect(throws: CancellationError.self) { try await run.result() }
    #expect(await camera.closed == 1)
    #expect(await steps.next() == nil)
  }

  @Test func `canceling the task reading the steps ends the check`() async throws {
    let camera = ScriptedCamera(times: [0], then: .hangs)
    let run = try liveness(ScriptedServer(.step(waiting))).run(camera: camera)
    let reader = Task {
      var count = 0
      for await _ in run { count += 1 }
      return count
    }
    reader.cancel()
    _ = await reader.value
    await #expect(throws: CancellationError.self) { try await run.result() }
    #expect(await camera.closed == 1)
  }
}
