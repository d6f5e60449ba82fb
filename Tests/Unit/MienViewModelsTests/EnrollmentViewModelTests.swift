import Foundation
import MienAPI
import MienClient
import MienCore
import MienViewModels
import Testing

/// Enrollment of a face by depth, and the depth window of a check.
@MainActor @Suite struct `Enrollment view model` {
  private let effects = EffectRecorder()
  private static let path = "POST /v1/people/p-1/enrollment"

  private func flow(_ server: PathServer, camera: DrawnCamera) throws -> EnrollmentViewModel {
    EnrollmentViewModel(network: try network(server), camera: camera, effects: effects.handler)
  }

  @Test func `several captures are sent together and the result is shown`() async throws {
    let server = PathServer([Self.path: [.json(EnrollmentResponse(person: "p-1", version: 2, captures: 5), 201)]])
    let flow = try flow(server, camera: DrawnCamera(depth: 9))
    await flow.begin(person: "p-1")
    #expect(flow.state == .done(EnrollmentResponse(person: "p-1", version: 2, captures: 5)))
    let body = try #require(await server.calls.first?.body)
    #expect(body == Array("depth-0depth-1depth-2depth-3depth-4".utf8))
    #expect(await server.calls.first?.headers["Content-Type"] == "application/vnd.mien.depth-frame")
    #expect(effects.haptics == Array(repeating: .step, count: 5) + [.success])
    #expect(try Texts.load("de").has(try #require(flow.instruction).key))
  }

  @Test func `captures that show no face have a message of their own`() async throws {
    let flow = try flow(PathServer([Self.path: [.problem("not-assessed", 422)]]), camera: DrawnCamera(depth: 9))
    await flow.begin(person: "p-1")
    guard case .problem(let problem) = flow.state else {
      Issue.record("\(flow.state)")
      return
    }
    #expect(problem.code == "not-assessed" && effects.haptics.last == .failure)
    #expect(
      try Texts.load("en").first(problem.notices(in: "enroll"))?.title.key == "enroll.problem.not-assessed.title")
  }

  @Test func `a device without depth, a camera that ends, and an invalid name send nothing`() async throws {
    let server = PathServer([:])
    let plain = try flow(server, camera: DrawnCamera())
    await plain.begin(person: "p-1")
    #expect(plain.state == .problem(.noDepth))
    let short = try flow(server, camera: DrawnCamera(depth: 3))
    await short.begin(person: "p-1")
    #expect(short.state == .problem(.cameraLost))
    let named = try flow(server, camera: DrawnCamera(depth: 9))
    await named.begin(person: "a b")
    #expect(named.state == .idle)
    #expect(await server.calls.isEmpty)
  }

  @Test func `stopping ends the camera and sends nothing`() async throws {
    let server = PathServer([:])
    let flow = try flow(server, camera: DrawnCamera(depth: 3, hangs: true))
    let running = Task { await flow.begin(person: "p-1") }
    try await eventually { flow.state == .capturing(3) }
    flow.stop()
    await running.value
    #expect(flow.state == .idle)
    #expect(await server.calls.isEmpty)
  }

  @Test func `a backend can take the captures in the place of an account`() async throws {
    let flow = EnrollmentViewModel(
      network: try network(PathServer([:])), camera: DrawnCamera(depth: 9), effects: effects.handler
    ) { person, captures in EnrollmentResponse(person: person, version: 1, captures: captures.count) }
    await flow.begin(person: "p-1")
    #expect(flow.state == .done(EnrollmentResponse(person: "p-1", version: 1, captures: 5)))
  }

  @Test func `a check shows how much of the depth window is left`() async throws {
    func step(_ state: String, _ instruction: String, seconds: Double) -> PathServer.Answer {
      .json(
        StepResponse(
          state: state, instruction: instruction, side: nil, progress: 0.5, hints: [], reason: nil,
          remaining: .seconds(seconds), outline: []))
    }
    let server = PathServer([
      "POST /v1/checks/chk_1/frames": [
        step("positioning", "position-face", seconds: 30), step("depth", "hold-still", seconds: 4),
        step("depth", "hold-still", seconds: 2.5), step("tracking", "turn", seconds: 9),
        step("passed", "done", seconds: 0),
      ]
    ])
    let seen = Box<[Double]>([])
    let flow = CheckViewModel(
      network: try network(server), camera: DrawnCamera(), effects: effects.handler,
      session: .given(CheckSession(id: "chk_1", token: "t")))
    await server.heed { _ in
      await MainActor.run { if let window = flow.depthWindow { seen.change { $0.append(window) } } }
    }
    await flow.begin()
    #expect(flow.state == .success && flow.depthWindow == nil)
    #expect(seen.value.contains(0.8) || seen.value.contains(0.5), "\(seen.value)")
  }

  @Test(arguments: [(nil, true, nil), ("p-1", false, nil), ("p-1", true, true)] as [(String?, Bool, Bool?)])
  func `a check on the device asks for depth only with a sensor and an enrolled person`(
    person: String?, measures: Bool, depth: Bool?
  ) {
    let request = CreateCheckRequest.onDevice(person: person, measuresDepth: measures)
    #expect(request.depth == depth && request.person == person)
    #expect(request.assurance == (depth == nil ? nil : "basic"))
    #expect(
      request.sources
        == (measures ? (depth == nil ? ["observed", "compared"] : ["observed", "depth", "compared"]) : nil))
  }

  @Test func `a server that does not decide by depth is asked for tasks`() async throws {
    let made = CreateCheckResponse(id: "chk_1", token: "t", expiresAt: "", publicURL: nil)
    let server = PathServer(["POST /v1/checks": [.problem("source-not-allowed", 403), .json(made)]])
    func account(_ server: PathServer) throws -> AccountClient {
      let network = try network(server)
      return AccountClient(server: network.server, credentials: network.credentials, transport: server)
    }
    let check = try await account(server).createOnDevice(person: "p-1", measuresDepth: true)
    #expect(check.id == "chk_1")
    let requests = await server.calls.compactMap { call in
      call.body.flatMap { try? JSONDecoder().decode(CreateCheckRequest.self, from: Data($0)) }
    }
    #expect(requests.map(\.sources) == [["observed", "depth", "compared"], ["observed", "compared"]])
    #expect(requests.map(\.assurance) == ["basic", nil] && requests.allSatisfy { $0.depth == true })
    let refusing = PathServer(["POST /v1/checks": [.problem("locked-out", 429)]])
    await #expect(throws: ClientError(.lockedOut, detail: "")) {
      try await account(refusing).createOnDevice(person: "p-1", measuresDepth: true)
    }
    #expect(await refusing.calls.count == 1)
  }

  @Test func `a check for which nobody is signed in asks to sign in`() async throws {
    let flow = CheckViewModel(
      network: try network(PathServer([:])), camera: DrawnCamera(), effects: effects.handler,
      session: .asked { _ in throw ClientError(.demoDisabled, status: 403, detail: "") })
    await flow.begin()
    #expect(flow.state == .problem(.signedOut))
  }

  @Test func `a QR code's secret is exchanged for the token of its check`() async throws {
    let step = StepResponse(
      state: "passed", instruction: "done", side: nil, progress: 1, hints: [], reason: nil, remaining: .zero,
      outline: [])
    let server = PathServer([
      "POST /v1/checks/chk_9/token": [.json(CreateCheckResponse(id: "chk_9", token: "whole", expiresAt: ""))],
      "POST /v1/checks/chk_9/frames": [.json(step)],
    ])
    let flow = CheckViewModel(
      network: try network(server), camera: DrawnCamera(), effects: effects.handler,
      session: .asked { _ in throw ClientError(.demoDisabled, detail: "") })
    await flow.begin(id: "chk_9", secret: "short")
    #expect(flow.state == .success)
    #expect(await server.calls.map { $0.headers["Authorization"] } == ["Bearer short", "Bearer whole"])
    let refusing = PathServer(["POST /v1/checks/chk_9/token": [.problem("unauthorized", 401)]])
    let other = CheckViewModel(
      network: try network(refusing), camera: DrawnCamera(), effects: effects.handler,
      session: .asked { _ in throw ClientError(.demoDisabled, detail: "") })
    await other.begin(id: "chk_9", secret: "wrong")
    guard case .problem = other.state else {
      Issue.record("\(other.state)")
      return
    }
  }

  @Test func `a link's check is performed with its own session`() async throws {
    let step = StepResponse(
      state: "passed", instruction: "done", side: nil, progress: 1, hints: [], reason: nil, remaining: .zero,
      outline: [])
    let server = PathServer(["POST /v1/checks/chk_9/frames": [.json(step)]])
    let flow = CheckViewModel(
      network: try network(server), camera: DrawnCamera(), effects: effects.handler,
      session: .asked { _ in throw ClientError(.demoDisabled, detail: "") })
    await flow.begin(session: CheckSession(id: "chk_9", token: "link-token"))
    #expect(flow.state == .success)
    #expect(await server.calls.first?.headers["Authorization"] == "Bearer link-token")
  }
}
