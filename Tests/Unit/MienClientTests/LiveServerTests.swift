import Foundation
import MienClient
import MienCore
import MienAPI
import Testing

/// Requirements of the suite below; a message is printed for each missing one.
private enum Live {
  static let isReady: Bool = {
    if Place.program == nil { print("SKIPPED LiveServerTests: MIEN_PROGRAM names no program") }
    return Place.program != nil
  }()
  static let hasFootage: Bool = {
    if Place.shared == nil { print("SKIPPED LiveServerTests: shared/data not found") }
    return Place.shared != nil
  }()
}

/// Client against a real server, with real faces if videos are available.
@Suite(.serialized, .enabled(if: Live.isReady))
struct LiveServerTests {
  /// Shared by the suite, because it takes a second or two to start. The videos show head turns.
  private static let common = Result {
    try LiveServer(try #require(Place.program), arguments: ["--default-assurance", "basic"])
  }

  let server: LiveServer

  init() throws {
    server = try Self.common.get()
  }

  private func liveness(_ check: CreateCheckResponse) -> Liveness {
    Liveness(server: LivenessServer(server.address), options: LivenessOptions(metadata: "m"), check: check)
  }

  @Test(.enabled(if: Live.hasFootage)) func `a real head turn passes`() async throws {
    let frames = try Footage.frames("zubair/real.mov", rate: 15, quality: 13)
    let check = try await BusyMachine.repeated { number -> BusyMachine.Outcome<CreateCheckResponse> in
      let check = try await server.backend.create(
        CreateCheckRequest(challenge: "turn-right", reference: "order 42", attempts: 2, auditImages: 1, clip: true))
      let run = liveness(check).run(
        camera: PlayedCamera(frames.map(Footage.distinct), rate: BusyMachine.rate(15, attempt: number)))
      var phases: [LivenessStep.Phase] = []
      var sides: Set<Side> = []
      var attempts: Set<Int> = []
      for await case .step(let step) in run {
        if step.phase != phases.last { phases.append(step.phase) }
        if let side = step.side { sides.insert(side) }
        if let attempt = step.attempt { attempts.insert(attempt.number) }
      }
      let data = try await run.result()
      if let reason = BusyMachine.reason(of: data) { return .again(because: "\(reason) after \(phases)") }
      #expect(data.passed && data.error == nil, "\(String(describing: data.error))")
      // A late client receives only the last of several steps.
      guard phases == [.positioning, .instructing, .tracking, .passed] else { return .again(because: "\(phases)") }
      #expect(sides == [.subjectRight])
      #expect(data.faceImage?.hasPrefix("data:image/jpeg;base64,/9j/") == true && data.metadata as? String == "m")
      #expect(attempts == [1])
      return .done(check)
    }
    let result = try await server.backend.result(of: check.id)
    #expect(result.state == "passed" && result.source == "observed" && result.reference == "order 42")
    let image = try await server.backend.image(0, of: check.id)
    #expect(image.starts(with: [0xFF, 0xD8]) && result.images?.first?.kind == "reference")
    await #expect(throws: ClientError(.notFound, detail: "")) { try await server.backend.image(9, of: check.id) }
    // The clip is encoded after the verdict.
    var clip = try await server.backend.clip(of: check.id)
    for _ in 0..<100 where clip == nil {
      try await MonotonicClock().sleep(for: .milliseconds(250))
      clip = try await server.backend.clip(of: check.id)
    }
    #expect(clip.map { String(decoding: $0[4..<8], as: UTF8.self) } == "ftyp")
    try await server.backend.delete(check.id)
    await #expect(throws: ClientError(.notFound, detail: "")) { try await server.backend.result(of: check.id) }
  }

  @Test(.enabled(if: Live.hasFootage)) func `a wrong turn in a compatibility session is task_failed`() async throws {
    let frames = try Footage.frames("zubair/real.mov", rate: 14, quality: 14)
    try await BusyMachine.repeated { number -> BusyMachine.Outcome<Void> in
      // Sessions of the compatible API have a random side: find one that does not match the clip.
      var session: CheckSession?
      for _ in 0..<64 where session == nil {
        let id = try await server.backend.generateSession(publicMerchantID: "merchant-1")
        if try await server.backend.result(of: id).challenge == "turn-left" {
          session = try await server.backend.generateToken(publicMerchantID: "merchant-1", sessionID: id)
        }
      }
      let given = try #require(session)
      let liveness = Liveness(
        server: LivenessServer(server.address), sessionId: given.id, sessionToken: given.token)
      let data = try await liveness.check(
        camera: PlayedCamera(frames.map(Footage.distinct), rate: BusyMachine.rate(14, attempt: number)))
      if let reason = BusyMachine.reason(of: data) { return .again(because: reason) }
      #expect(
        !data.passed && data.error?.key == .taskFailed && data.reason == "wrong-direction", "\(data.reason ?? "")")
      #expect(try await server.backend.result(of: given.id).reason == "wrong-direction")
      return .done(())
    }
  }

  @Test(.enabled(if: Live.hasFootage)) func `a cartoon instead of a face is image_capture_failed`() async throws {
    let check = try await server.backend.create()
    let clip = try Footage.frames("pyfeat/no_face.mp4", rate: 5, quality: 3)
    // Longer than the 30 s within which a face must be seen, also on a busy machine.
    let frames = (0..<900).map { clip[$0 % clip.count] }
    let data = try await liveness(check).check(camera: PlayedCamera(frames, rate: 5))
    #expect(data.error?.key == .imageCaptureFailed && data.reason == "no-face" && data.faceImage == nil)
    #expect(try await server.backend.result(of: check.id).reason == "no-face")
  }

  @Test(.enabled(if: Live.hasFootage)) func `tasks reach the server and their prompts are returned`() async throws {
    let tasks = [TaskProperties(task: .blink(BlinkTaskClass(maxBlinks: 2)), timeout: 9000), .init(task: .headPath())]
    let frames = try Footage.frames("pyfeat/WolfgangLanger_Pexels.mp4", rate: 10, quality: 5)
    try await BusyMachine.repeated { number -> BusyMachine.Outcome<Void> in
      let check = try await server.backend.create(CreateCheckRequest(tasks: tasks.map(\.request)))
      let run = liveness(check).run(
        camera: PlayedCamera(frames.map(Footage.distinct), rate: BusyMachine.rate(10, attempt: number)))
      var phases: [LivenessStep.Phase] = []
      var seen: TaskResponse?
      for await case .step(let step) in run {
        phases.append(step.phase)
        seen = step.task
        if step.phase == .tracking { break }
      }
      run.close()
      guard phases.last == .tracking else { return .again(because: "\(phases)") }
      #expect(seen?.kind == "blink" && seen?.index == 0 && seen?.count == 2, "\(String(describing: seen))")
      #expect(try await server.backend.result(of: check.id).tasks == ["blink", "head-path"])
      await #expect(throws: CancellationError.self) { try await run.result() }
      return .done(())
    }
  }

  @Test(arguments: [-5, 1e300, Double.nan])
  func `an absurd timeout is rejected by the server`(timeout: Double) async throws {
    let task = TaskProperties(task: .headPath(), timeout: timeout).request
    await #expect(throws: ClientError(.badValue, detail: "")) {
      try await server.backend.create(CreateCheckRequest(tasks: [task]))
    }
  }

  @Test func `a forged token and the token of another check are session_token_error`() async throws {
    let check = try await server.backend.create()
    let other = try await server.backend.create()
    for token in [check.token + "x", other.token, "x"] {
      var forged = liveness(check)
      forged.session = .given(CheckSession(id: check.id, token: token))
      let data = try await forged.check(camera: PlayedCamera(try Footage.faceless(1), rate: 10))
      #expect(data.error?.key == .sessionTokenError && data.reason == "unauthorized")
    }
    #expect(try await server.backend.result(of: check.id).state == "open")
  }

  @Test func `a deleted session is invalid_or_expired_session`() async throws {
    let check = try await server.backend.create()
    try await server.backend.delete(check.id)
    let data = try await liveness(check).check(camera: PlayedCamera(try Footage.faceless(1), rate: 10))
    #expect(data.error?.key == .invalidOrExpiredSession && data.reason == "not-found")
  }

  @Test func `an expired token is invalid_or_expired_session`() async throws {
    let short = try LiveServer(try #require(Place.program), arguments: ["--lifetime", "1"])
    let check = try await short.backend.create()
    let liveness = Liveness(server: LivenessServer(short.address), check: check)
    // Frames until the second is over; none of them shows a face.
    let frames = try Footage.faceless(600)
    let data = try await liveness.check(camera: PlayedCamera(frames, rate: 10))
    #expect(data.error?.key == .invalidOrExpiredSession, "\(data.reason ?? "")")
    short.cutPower()
  }

  @Test func `a wrong key is reported by its code`() async throws {
    let wrongKey = BackendClient(server: server.address, key: "mien_wrong")
    await #expect(throws: ClientError(.unauthorized, detail: "")) { try await wrongKey.create() }
  }

  @Test func `a server that disappears is API_ERROR and earlier steps are kept`() async throws {
    let other = try LiveServer(try #require(Place.program))
    let check = try await other.backend.create()
    let liveness = Liveness(server: LivenessServer(other.address), check: check)
    let frames = try Footage.faceless(600)
    let run = liveness.run(camera: PlayedCamera(frames, rate: 10))
    var events: [String] = []
    for await progress in run {
      switch progress {
      case .step:
        if events.last != "step" { events.append("step") }
        other.cutPower()
      case .unreachable: events.append("unreachable")
      case .busy: events.append("busy")
      }
    }
    #expect(events == ["step", "unreachable"])
    let data = try await run.result()
    #expect(data.error?.key == .apiError && data.reason == "unreachable")
  }

  @Test func `canceling closes the check on the client and the server`() async throws {
    let check = try await server.backend.create()
    let frames = try Footage.faceless(600)
    let run = liveness(check).run(camera: PlayedCamera(frames, rate: 10))
    var steps = run.makeAsyncIterator()
    #expect(await steps.next() != nil)
    let waiter = Task { try await run.result() }
    waiter.cancel()
    await #expect(throws: CancellationError.self) { try await waiter.value }
    // The server waits 30 s for a face.
    let clock = MonotonicClock()
    var result = try await server.backend.result(of: check.id)
    for _ in 0..<240 where result.state == "open" {
      try await clock.sleep(for: .milliseconds(250))
      result = try await server.backend.result(of: check.id)
    }
    #expect(result.state == "failed" && result.reason == "no-face")
    // A client that did not stop would send 300 frames in that time.
    #expect((result.frames ?? 0) < 200, "\(String(describing: result.frames)) frames")
  }
}
