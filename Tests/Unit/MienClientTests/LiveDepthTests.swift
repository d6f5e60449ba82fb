import Foundation
import MienAPI
import MienApple
import MienClient
import MienCore
import MienViewModels
import Testing

/// The phone's check with depth, frames and head poses at the same time, against a real server.
@MainActor extension LiveServerTests {
  /// Server with an account and an enrolled person, and the network of a signed-in phone.
  private func enrolled(_ arguments: [String]) async throws -> (server: LiveServer, network: FlowNetwork) {
    let server = try LiveServer(
      try #require(Place.program), arguments: ["--default-assurance", "basic"] + arguments)
    try server.addUser("anna", password: "correct horse battery staple")
    let network = FlowNetwork(server: server.address)
    try await AccountClient(server: server.address, credentials: network.credentials)
      .signIn(name: "anna", password: "correct horse battery staple")
    let enrollment = EnrollmentViewModel(
      network: network, camera: StagedCamera(frames: [], flat: false), effects: EffectHandler())
    await enrollment.begin(person: "p-1")
    #expect(enrollment.state == .done(EnrollmentResponse(person: "p-1", version: 1, captures: 5)))
    return (server, network)
  }

  /// Check of the enrolled person, as the app creates it.
  private func check(_ network: FlowNetwork, _ camera: StagedCamera) -> CheckViewModel {
    let credentials = network.credentials
    let server = network.server
    return CheckViewModel(
      network: network, camera: camera, effects: EffectHandler(),
      session: .asked { _ in
        let made = try await AccountClient(server: server, credentials: credentials).createOnDevice(
          person: "p-1", measuresDepth: true)
        return CheckSession(id: made.id, token: made.token)
      })
  }

  /// Performs the check; returns the states in their order.
  private func states(of flow: CheckViewModel, _ on: (CheckViewModel.State) async throws -> Void = { _ in })
    async throws -> [CheckViewModel.State]
  {
    let running = Task { await flow.begin() }
    var states: [CheckViewModel.State] = []
    while !flow.state.isFinal {
      if flow.state != states.last {
        states.append(flow.state)
        try await on(flow.state)
      }
      try await Task.sleep(for: .milliseconds(5))
    }
    await running.value
    return states
  }

  @Test(.enabled(if: Place.shared != nil)) func `depth passes the check of an enrolled person beside its frames`()
    async throws
  {
    let (server, network) = try await enrolled(["--allow-claimed-observations"])
    defer { server.cutPower() }
    let frames = try Footage.frames("zubair/real.mov", rate: 15, quality: 13)
    try await BusyMachine.repeated { _ -> BusyMachine.Outcome<Void> in
      let flow = check(network, StagedCamera(frames: frames.map(Footage.distinct), flat: false))
      let states = try await states(of: flow)
      if let reason = BusyMachine.reason(of: flow.state) { return .again(because: "\(reason) after \(states)") }
      #expect(flow.state == .success && flow.data?.passed == true, "\(states) \(flow.state)")
      let result = try await server.backend.result(of: try #require(flow.data?.sessionId))
      // Captures that arrive late leave the decision to the frames.
      guard result.basis == "depth", states.contains(.measuring) else {
        return .again(because: "\(result.basis ?? "no basis") after \(states)")
      }
      #expect(!states.contains(.tracking), "\(states)")
      #expect(result.source == "claimed" && result.state == "passed")
      return .done(())
    }
  }

  @Test(.enabled(if: Place.shared != nil), arguments: [true, false])
  func `without sufficient depth the window closes and the frames decide the challenge`(depthDecides: Bool) async throws
  {
    // The beginning of the recording is repeated until the challenge begins, which a passive signal would report.
    let (server, network) = try await enrolled(
      ["--passive", "report"] + (depthDecides ? ["--allow-claimed-observations"] : []))
    defer { server.cutPower() }
    // The recording shows a turn to the right. Where depth decides nothing, real depth does not replace the turn.
    var request = CreateCheckRequest.onDevice(person: "p-1", measuresDepth: true, depthDecides: depthDecides)
    request.challenge = "turn-right"
    request.assurance = nil  // a side that is given leaves nothing to choose
    let frames = try Footage.frames("zubair/real.mov", rate: 15, quality: 13)
    try await BusyMachine.repeated { number -> BusyMachine.Outcome<Void> in
      let made = try await server.backend.create(request)
      let camera = StagedCamera(
        frames: frames, flat: depthDecides, waits: true, rate: BusyMachine.rate(15, attempt: number))
      let flow = CheckViewModel(
        network: network, camera: camera, effects: EffectHandler(),
        session: .given(CheckSession(id: made.id, token: made.token)))
      var windows: [Double] = []
      let states = try await states(of: flow) { state in
        if let window = flow.depthWindow { windows.append(window) }
        if state == .instructing || state == .tracking { camera.proceed() }
      }
      if let reason = BusyMachine.reason(of: flow.state) { return .again(because: "\(reason) after \(states)") }
      #expect(flow.state == .success, "\(states) \(flow.state)")
      #expect(windows.allSatisfy { (0...1).contains($0) })
      let result = try await server.backend.result(of: made.id)
      #expect(result.basis == "frames" && result.source == "observed" && result.state == "passed")
      let gate = try #require(result.findings.first { $0.check == "depth-gate" })
      let pose = result.findings.first { $0.check == "device-pose" }
      // Late captures leave too few of them for a decision, and late polling misses states.
      guard gate.result == (depthDecides ? "suspect" : "genuine"), let pose,
        states.contains(.measuring), states.contains(.tracking)
      else { return .again(because: "\(gate.result) after \(states)") }
      #expect(gate.reason == (depthDecides ? "flat" : nil))
      // The device reported a resting head beside the frames of a turn: evidence that decides nothing.
      #expect(pose.result == "suspect" && pose.reason == "device-differs", "\(pose)")
      return .done(())
    }
  }

  @Test(.enabled(if: Place.shared != nil))
  func `a server killed in the depth window ends the check, and the next one passes after its restart`() async throws {
    let (first, network) = try await enrolled(["--allow-claimed-observations"])
    let frames = try Footage.frames("zubair/real.mov", rate: 15, quality: 13)
    // Flat, so that the window is open when the server ends.
    let flow = check(network, StagedCamera(frames: frames, flat: true))
    // A second state of measuring can follow before the check has noticed that the server is gone.
    var isRunning = true
    let states = try await states(of: flow) { state in
      guard state == .measuring, isRunning else { return }
      isRunning = false
      try first.crash()
    }
    // The machine was too busy to see the window.
    if isRunning { try first.crash() }
    #expect(isRunning || flow.state == .problem(.unreachable), "\(states) \(flow.state)")
    let server = try first.restarted()
    defer { server.cutPower() }
    try await BusyMachine.repeated { _ -> BusyMachine.Outcome<Void> in
      let again = check(network, StagedCamera(frames: frames.map(Footage.distinct), flat: false))
      let later = try await self.states(of: again)
      if let reason = BusyMachine.reason(of: again.state) { return .again(because: "\(reason) after \(later)") }
      #expect(again.state == .success, "\(later) \(again.state)")
      let basis = try await server.backend.result(of: try #require(again.data?.sessionId)).basis
      return basis == "depth" ? .done(()) : .again(because: "\(basis ?? "no basis") after \(later)")
    }
  }
}

/// Camera of a phone with a depth sensor: the frames of a video, a third as many depth captures, and a tracker
/// that reports a resting head.
private struct StagedCamera: FlowCamera {
  let frames: [[UInt8]]
  let flat: Bool
  /// `true` to repeat the beginning of the video until ``proceed()``.
  var waits = false
  /// Frames per second.
  let rate: Int
  private let signal = Signal()

  init(frames: [[UInt8]], flat: Bool, waits: Bool = false, rate: Int = 15) {
    self.frames = frames
    self.flat = flat
    self.waits = waits
    self.rate = rate
  }

  var measuresDepth: Bool { true }
  func permission() async -> CameraPermission { .granted }
  func ask() async -> CameraPermission { .granted }
  /// Goes on after the beginning of the video.
  func proceed() { signal.set() }

  func open() async throws -> any FrameSource {
    let buffer = TrackedFrameBuffer()
    let work = Task { [self] in
      let clock = MonotonicClock()
      let began = clock.now()
      let beginning = min(10, frames.count)
      var (tick, place) = (0, 0)
      while !Task.isCancelled, frames.isEmpty || place < frames.count {
        let now = clock.now()
        if !frames.isEmpty {
          // Forth and back, so that nothing jumps.
          let swing = beginning - 1 - abs(tick % max(1, 2 * beginning - 2) - (beginning - 1))
          let isWaiting = waits && !signal.isSet
          if !isWaiting { place += 1 }
          guard isWaiting || place < frames.count else { break }
          let bytes = isWaiting ? frames[swing] : frames[place]
          buffer.frames.offer(EncodedFrame(bytes: waits ? Footage.distinct(bytes) : bytes, at: now))
        }
        if tick % 3 == 0 { buffer.frames.offer(depth: SyntheticHead.capture(tick, flat: flat)) }
        buffer.offer(
          ClientObservation(
            at: now, faceCount: 1, box: nil, pose: HeadPose(yaw: 1, pitch: 0, roll: 0), blendshapes: nil))
        tick += 1
        let due = began + .seconds(Double(tick) / Double(rate))
        let early = due.since(clock.now())
        if early > .zero { try? await clock.sleep(for: early) }
      }
      buffer.finish()
    }
    return Source(buffer: buffer, work: work)
  }

  private struct Source: FrameSource {
    let buffer: TrackedFrameBuffer
    let work: Task<Void, Never>

    func next() async -> EncodedFrame? { await buffer.next() }
    func nextDepth() async -> [UInt8]? { await buffer.nextDepth() }
    func nextObservations(since origin: MonotonicInstant) async -> [UInt8]? {
      await buffer.nextObservations(since: origin)
    }
    func close() async {
      work.cancel()
      await buffer.close()
    }
  }

  private final class Signal: @unchecked Sendable {
    private let lock = NSLock()
    private var value = false

    var isSet: Bool { lock.withLock { value } }
    func set() { lock.withLock { value = true } }
  }
}
