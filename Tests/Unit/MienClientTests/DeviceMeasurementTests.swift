import Foundation
import MienAPI
import MienClient
import MienCore
import Testing

/// Depth captures of a check, and the observations of a performance.
@Suite struct `Device measurements` {
  /// Client of a scripted server, without a limit that a busy machine could exceed.
  private static func liveness(_ server: some Transport) throws -> Liveness {
    var liveness = Liveness(
      server: LivenessServer(try #require(URL(string: "https://mien.example"))), sessionId: "chk_1", sessionToken: "t")
    liveness.transport = server
    liveness.retryPolicy = RetryPolicy(camera: .seconds(3600), oldestFrame: .seconds(3600))
    return liveness
  }

  /// Camera with frames and depth captures.
  private struct DepthCamera: FrameSource {
    let frames: ScriptedCamera
    let captures: AsyncStream<[UInt8]>

    func next() async throws -> EncodedFrame? { try await frames.next() }
    func nextDepth() async -> [UInt8]? {
      var iterator = captures.makeAsyncIterator()
      return await iterator.next()
    }
    func close() async { await frames.close() }
  }

  /// Server that responds to frames with a list of steps and records the paths.
  private actor DepthServer: Transport {
    private(set) var paths: [String] = []
    private var steps: [StepResponse]
    private let onDepth: StepResponse?
    private var waiting: [CheckedContinuation<Void, Never>] = []

    init(_ steps: [StepResponse], onDepth: StepResponse?) {
      self.steps = steps
      self.onDepth = onDepth
    }

    func send(_ call: APIRequest) async throws -> APIResponse {
      paths.append(call.url.lastPathComponent)
      if call.url.lastPathComponent == "depth" {
        waiting.forEach { $0.resume() }
        waiting = []
        guard let onDepth else {
          let problem = ProblemResponse(code: "bad-value", status: 422, detail: "")
          return APIResponse(status: 422, body: Array(try JSONEncoder().encode(problem)))
        }
        return APIResponse(status: 200, body: Array(try JSONEncoder().encode(onDepth)))
      }
      let step = steps.removeFirst()
      // The frame that ends the phase is answered after a capture has arrived.
      if step.state != "positioning", step.state != "depth", !paths.contains("depth"), steps.isEmpty == false {
        await withCheckedContinuation { waiting.append($0) }
      }
      return APIResponse(status: 200, body: Array(try JSONEncoder().encode(step)))
    }
  }

  @Test(arguments: [true, false])
  func `depth captures are sent while the server measures depth, and frames decide`(takesDepth: Bool) async throws {
    let server = DepthServer(
      [
        .of("positioning", "position-face"), .of("depth", "hold-still"), .of("depth", "hold-still"),
        .of("instructing", "get-ready"), .of("tracking", "turn"), .of("passed", "done"),
      ], onDepth: takesDepth ? .of("depth", "hold-still") : nil)
    let (captures, continuation) = AsyncStream<[UInt8]>.makeStream()
    for number in 0..<3 { continuation.yield([UInt8(number)]) }
    let camera = DepthCamera(
      frames: ScriptedCamera(times: [0, 100, 200, 300, 400, 500], then: .hangs), captures: captures)
    let liveness = try Self.liveness(server)
    let data = try await liveness.check(camera: camera)
    #expect(data.passed)
    let paths = await server.paths
    #expect(paths.first == "frames" && paths.filter { $0 == "frames" }.count == 6)
    let depths = paths.filter { $0 == "depth" }.count
    // A check without depth refuses the first capture; no other one follows.
    #expect(takesDepth ? (1...3).contains(depths) : depths == 1, "\(paths)")
    let first = try #require(paths.firstIndex(of: "depth"))
    #expect(paths[..<first].filter { $0 == "frames" }.count >= 2)
  }

  /// Server that answers each frame of a depth window only after a number of further captures, the first of which it
  /// refuses because a frame is being analyzed.
  private actor WindowServer: Transport {
    private var steps: [StepResponse]
    private var needed: Int
    private(set) var captures = 0
    private var waiting: CheckedContinuation<Void, Never>?

    init(_ steps: [StepResponse]) {
      self.steps = steps
      needed = 0
    }

    func send(_ call: APIRequest) async throws -> APIResponse {
      if call.url.lastPathComponent == "depth" {
        captures += 1
        if captures >= needed {
          waiting?.resume()
          waiting = nil
        }
        guard captures > 1 else {
          let problem = ProblemResponse(code: "frame-in-flight", status: 409, detail: "")
          return APIResponse(status: 409, body: Array(try JSONEncoder().encode(problem)))
        }
        return APIResponse(status: 200, body: Array(try JSONEncoder().encode(StepResponse.of("depth", "hold-still"))))
      }
      if captures < needed { await withCheckedContinuation { waiting = $0 } }
      let step = steps.removeFirst()
      if step.state == "depth" { needed = captures + 2 }
      return APIResponse(status: 200, body: Array(try JSONEncoder().encode(step)))
    }
  }

  @Test(.timeLimit(.minutes(2)))
  func `captures go on after a refusal and in the window of a later attempt`() async throws {
    let server = WindowServer([
      .of("positioning", "position-face"), .of("depth", "hold-still"), .of("tracking", "turn"),
      .of("positioning", "position-face"), .of("depth", "hold-still"), .of("passed", "done"),
    ])
    let camera = LatestFrameBuffer()
    let feeding = Task {
      let clock = MonotonicClock()
      for number in 0... {
        camera.offer(EncodedFrame(bytes: [0xFF, 0xD8, UInt8(number % 256)], at: clock.now()))
        camera.offer(depth: [UInt8(number % 256)])
        try await clock.sleep(for: .milliseconds(2))
      }
    }
    defer { feeding.cancel() }
    let liveness = try Self.liveness(server)
    let data = try await liveness.check(camera: camera)
    #expect(data.passed)
    #expect(await server.captures >= 4)
  }

  /// Camera with frames and a face tracker.
  private struct PoseCamera: FrameSource {
    let frames: ScriptedCamera
    let lines: AsyncStream<[UInt8]>

    func next() async throws -> EncodedFrame? { try await frames.next() }
    func nextObservations(since origin: MonotonicInstant) async -> [UInt8]? {
      var iterator = lines.makeAsyncIterator()
      guard let line = await iterator.next() else { return nil }
      return line + Array(" \(origin.since(.zero).nanoseconds)".utf8)
    }
    func close() async { await frames.close() }
  }

  /// Server that passes a check after a number of requests with observations.
  private actor PoseServer: Transport {
    private let takes: Bool
    private(set) var bodies: [String] = []
    private(set) var frames = 0
    private var waiting: CheckedContinuation<Void, Never>?

    init(takes: Bool) {
      self.takes = takes
    }

    func send(_ call: APIRequest) async throws -> APIResponse {
      if call.url.lastPathComponent == "observations" {
        bodies.append(String(decoding: call.body ?? [], as: UTF8.self))
        waiting?.resume()
        waiting = nil
        guard takes else {
          let problem = ProblemResponse(code: "source-not-allowed", status: 403, detail: "")
          return APIResponse(status: 403, body: Array(try JSONEncoder().encode(problem)))
        }
        return APIResponse(status: 200, body: Array(try JSONEncoder().encode(StepResponse.of("tracking", "turn"))))
      }
      frames += 1
      if frames == 2, bodies.isEmpty { await withCheckedContinuation { waiting = $0 } }
      let step = frames < 5 ? StepResponse.of("tracking", "turn") : .of("passed", "done")
      return APIResponse(status: 200, body: Array(try JSONEncoder().encode(step)))
    }
  }

  @Test(.timeLimit(.minutes(2)), arguments: [true, false])
  func `poses follow the first frame, with its time as their origin, and a refusal ends them`(takes: Bool) async throws
  {
    let server = PoseServer(takes: takes)
    let (lines, continuation) = AsyncStream<[UInt8]>.makeStream()
    for number in 0..<3 { continuation.yield(Array("line \(number)".utf8)) }
    let camera = PoseCamera(
      frames: ScriptedCamera(times: [700, 800, 900, 1000, 1100, 1200], then: .hangs), lines: lines)
    let liveness = try Self.liveness(server)
    #expect(try await liveness.check(camera: camera).passed)
    let bodies = await server.bodies
    #expect(bodies.first == "line 0 700000000" && (takes || bodies.count == 1), "\(bodies)")
  }

  /// Tracker that returns lines until it ends.
  private actor Lines: ObservationSource {
    private var left: Int
    private(set) var closed = 0

    init(_ left: Int) {
      self.left = left
    }

    func next() async throws -> [UInt8]? {
      guard left > 0 else { return nil }
      left -= 1
      return Array("{\"t\":\(left)}\n".utf8)
    }
    func close() { closed += 1 }
  }

  private static func step(_ state: String) throws -> ScriptedServer.Answer {
    let step = PerformanceStepResponse(
      state: state, face: "one-face", seen: nil, hold: 0, neutral: true, performed: [], count: 3, repeated: false,
      source: "claimed", remainingMilliseconds: 1000)
    return .raw(APIResponse(status: 200, body: Array(try JSONEncoder().encode(step))))
  }

  private func performance(_ server: ScriptedServer) throws -> Performance {
    let line = try PerformanceConnection(
      server: try #require(URL(string: "https://mien.example")),
      performance: PerformanceResponse(id: "prf_1", token: "t", steps: 3, expiresAt: ""), client: "app",
      transport: server)
    return Performance(line: line, retryPolicy: RetryPolicy(retries: 1, firstWait: .zero))
  }

  @Test func `observations are sent until the server decides, with a retry after a lost response`() async throws {
    let server = ScriptedServer(try Self.step("performing"), .silence, try Self.step("recorded"))
    let tracker = Lines(9)
    let last = try await performance(server).perform(tracker: tracker) { _ in }
    #expect(last.state == "recorded" && last.source == "claimed")
    let calls = await server.calls
    #expect(calls.count == 3 && calls.allSatisfy { $0.url.path == "/v1/performances/prf_1/observations" })
    #expect(calls.allSatisfy { $0.headers["Content-Type"] == "application/x-ndjson" })
    #expect(await tracker.closed == 1)
  }

  @Test func `a server that takes frames only refuses, and a tracker that ends is reported`() async throws {
    let refusing = ScriptedServer(.problem("source-not-allowed", status: 403))
    let tracker = Lines(9)
    await #expect(throws: ClientError(.sourceNotAllowed, detail: "")) {
      try await performance(refusing).perform(tracker: tracker) { _ in }
    }
    #expect(await tracker.closed == 1)
    let asking = ScriptedServer(try Self.step("performing"))
    await #expect(throws: Performance.NoFrames.self) {
      try await performance(asking).perform(tracker: Lines(2)) { _ in }
    }
  }
}
