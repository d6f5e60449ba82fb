import Foundation
import MienAPI
import MienCore
import Testing

@testable import MienClient

@Suite struct `Frame pipeline` {
  private func frame(_ milliseconds: Double) -> EncodedFrame {
    EncodedFrame(bytes: [0xFF, 0xD8], at: MonotonicInstant.zero + .milliseconds(milliseconds))
  }

  private func at(_ milliseconds: Double) -> MonotonicInstant { .zero + .milliseconds(milliseconds) }

  /// Admits a frame and sends what may be sent; returns the numbers.
  @discardableResult
  private func send(_ milliseconds: Double, in state: inout FramePipelineState) -> [Int64] {
    state.admit(frame(milliseconds), at: at(milliseconds))
    return sendWaiting(in: &state)
  }

  private func sendWaiting(in state: inout FramePipelineState) -> [Int64] {
    var numbers: [Int64] = []
    while let outgoing = state.nextToSend() { numbers.append(outgoing.number) }
    return numbers
  }

  @Test func `the window opens with the first response and limits the frames under way`() {
    var state = FramePipelineState(RetryPolicy())
    #expect(state.wantsFrame)
    #expect(send(0, in: &state) == [0])
    #expect(!state.wantsFrame, "one at a time until the server has stated more")
    let result1 = state.answered(0, bytes: 2, sentAt: at(0), at: at(300), window: 3)
    #expect(result1)
    for number in 1...3 {
      #expect(state.wantsFrame)
      #expect(send(300 + 70 * Double(number), in: &state) == [Int64(number)])
    }
    let result2 = state.answered(2, bytes: 2, sentAt: at(440), at: at(800), window: 99)
    #expect(result2)
    let late = state.answered(1, bytes: 2, sentAt: at(370), at: at(800), window: 6)
    #expect(!late, "an older step is not shown")
  }

  @Test func `frames wait for a late response instead of being lost, and only a few of them`() {
    var state = FramePipelineState(RetryPolicy())
    send(0, in: &state)
    _ = state.answered(0, bytes: 2, sentAt: at(0), at: at(10), window: 2)
    var time = 0.0
    var sent: [Int64] = []
    while state.wantsFrame {
      time += 70
      sent += send(time, in: &state)
    }
    #expect(sent == [1, 2])
    #expect(time == 6 * 70, "two under way and four waiting")
    _ = state.answered(2, bytes: 2, sentAt: at(140), at: at(500), window: 2)
    #expect(sendWaiting(in: &state) == [3])
    _ = state.answered(1, bytes: 2, sentAt: at(70), at: at(510), window: 6)
    let capturedAt = state.nextToSend()?.capturedAt
    #expect(capturedAt == .milliseconds(280), "with the time of its capture")
    #expect(sendWaiting(in: &state) == [5, 6])
  }

  @Test func `frames are at most as frequent as planned`() {
    var state = FramePipelineState(RetryPolicy())
    send(0, in: &state)
    _ = state.answered(0, bytes: 2, sentAt: at(0), at: at(10), window: 6)
    var sent = 0
    for time in stride(from: 33.0, through: 1000, by: 33) {
      for number in send(time, in: &state) {
        sent += 1
        _ = state.answered(number, bytes: 2, sentAt: at(time), at: at(time + 20), window: 6)
      }
    }
    #expect((13...16).contains(sent))
  }

  @Test func `frames are no more frequent than the responses allow`() {
    var state = FramePipelineState(RetryPolicy())
    var underWay: [(number: Int64, at: Double)] = []
    var sentAt: [Double] = []
    for time in stride(from: 0.0, through: 6000, by: 33.3) {
      while let first = underWay.first, first.at + 600 <= time {
        _ = state.answered(first.number, bytes: 2, sentAt: at(first.at), at: at(time), window: 4)
        underWay.removeFirst()
      }
      if state.wantsFrame {
        underWay += send(time, in: &state).map { ($0, time) }
      } else {
        underWay += sendWaiting(in: &state).map { ($0, time) }
      }
      if time > 4000 { sentAt += underWay.filter { $0.at == time }.map(\.at) }
    }
    // Four in 600 ms.
    #expect((11...14).contains(sentAt.count))
  }

  @Test func `frames that are lost together count as one failure`() {
    var state = FramePipelineState(RetryPolicy(retries: 1))
    send(0, in: &state)
    _ = state.answered(0, bytes: 2, sentAt: at(0), at: at(10), window: 6)
    for number in 1...4 { send(100 * Double(number), in: &state) }
    let result3 = state.failed(2, .unreachable)
    #expect(result3 == .tell(.unreachable, .milliseconds(500)))
    let result4 = state.failed(1, .unreachable)
    #expect(result4 == .proceed)
    let result5 = state.failed(4, .unreachable)
    #expect(result5 == .proceed)
    let result6 = state.failed(3, .unreachable)
    #expect(result6 == .proceed)
    #expect(send(900, in: &state) == [5])
    #expect(!state.wantsFrame, "one frame finds out whether the server is back")
    let result7 = state.failed(5, .unreachable)
    #expect(result7 == .giveUp)
  }

  @Test func `a server that is full gets one frame at a time after a pause, and none that waited`() {
    var state = FramePipelineState(RetryPolicy())
    send(0, in: &state)
    _ = state.answered(0, bytes: 2, sentAt: at(0), at: at(10), window: 2)
    for time in [100.0, 200, 300] { send(time, in: &state) }
    let full = ClientError(.tooManyFrames, status: 429, detail: "", retryAfter: .seconds(1))
    let result8 = state.failed(2, full)
    #expect(result8 == .wait(.seconds(1)))
    #expect(!state.wantsFrame)
    _ = state.answered(1, bytes: 2, sentAt: at(100), at: at(400), window: 2)
    #expect(state.wantsFrame)
    #expect(sendWaiting(in: &state).isEmpty)
  }

  @Test(arguments: [18, 19])
  func `a frame that reaches another server is sent again under its number`(refusals: Int) async throws {
    let elsewhere = ScriptedServer.Answer.problem("frame-in-flight", status: 409)
    let server = ScriptedServer(Array(repeating: elsewhere, count: refusals) + [.step(.of("passed", "turn"))])
    let camera = ScriptedCamera(times: [0], then: .ends)
    let line = try CheckConnection(
      server: #require(.init(string: "https://liveness.example")), session: CheckSession(id: "s-1", token: "t"),
      client: "c", transport: server)
    let pipeline = FramePipeline<StepResponse>(camera: camera, clock: StandingClock(), retryPolicy: RetryPolicy()) {
      try await line.send(frame: $0.bytes, capturedAt: $1, number: $2)
    }
    var states: [String] = []
    _ = try await pipeline.run { event in
      if case .reply(let step, _) = event { states.append(step.state) }
      return !states.isEmpty
    }
    #expect(
      states == (refusals == 18 ? ["passed"] : []), "after ten tries, nine of them with two copies, the frame is lost")
    let numbers = await server.calls.map { $0.headers["Mien-Frame"] }
    #expect(numbers == Array(repeating: "0", count: 19))
  }

  @Test func `the pipeline has several frames under way and shows no older step after a newer one`() async throws {
    let server = WithholdingServer()
    let camera = ScriptedCamera(times: (0..<12).map { Double(70 * $0) }, then: .hangs)
    let line = try CheckConnection(
      server: #require(.init(string: "https://liveness.example")), session: CheckSession(id: "s-1", token: "t"),
      client: "c", transport: server)
    let pipeline = FramePipeline<StepResponse>(camera: camera, clock: StandingClock(), retryPolicy: RetryPolicy()) {
      try await line.send(frame: $0.bytes, capturedAt: $1, number: $2)
    }
    var shown: [Float] = []
    let end = try await pipeline.run { event in
      guard case .reply(let step, _) = event else { return false }
      shown.append(step.progress)
      return step.state == "passed"
    }
    guard case .handled = end else {
      Issue.record("\(end)")
      return
    }
    #expect(shown == shown.sorted())
    #expect(await server.most == 4)
    let numbers = await server.numbers
    #expect(numbers.sorted() == numbers.indices.map { Int64($0) })
  }
}

/// Server with a window of four that answers when four frames are under way, the newest first.
private actor WithholdingServer: Transport {
  private(set) var numbers: [Int64] = []
  private(set) var most = 0
  private var held: [(number: Int64, answer: CheckedContinuation<APIResponse, Never>)] = []

  func send(_ call: APIRequest) async throws -> APIResponse {
    let number = Int64(call.headers["Mien-Frame"] ?? "") ?? -1
    numbers.append(number)
    return await withCheckedContinuation { answer in
      held.append((number, answer))
      most = max(most, held.count)
      if number == 0 || held.count == 4 { release() }
    }
  }

  private func release() {
    for (number, answer) in held.reversed() {
      var step = StepResponse.of(number >= 8 ? "passed" : "tracking", "turn")
      step.progress = Float(number)
      let body = (try? JSONEncoder().encode(step)).map { Array($0) } ?? []
      answer.resume(returning: APIResponse(status: 200, headers: ["mien-frame-window": "4"], body: body))
    }
    held = []
  }
}

@Suite struct `Upload rate` {
  /// Sends frames over a link for some seconds; returns the bytes and the number of frames that arrived.
  private func send(for seconds: Double, bytesPerSecond: Double, roundTrip: Double) -> (bytes: Int, arrived: Int) {
    var rate = UploadRate()
    var (now, free, sent, arrived) = (0.0, 0.0, 0, 0)
    var underWay: [(bytes: Int, sentAt: Double, at: Double)] = []
    while now < seconds {
      for frame in underWay where frame.at <= now {
        arrived += 1
        rate.acknowledged(frame.bytes, after: .seconds(frame.at - frame.sentAt), at: .zero + .seconds(frame.at))
      }
      underWay.removeAll { $0.at <= now }
      let plan = rate.plan(window: 8)
      if underWay.count < 8 {
        rate.sent(plan.bytes)
        sent += plan.bytes
        free = max(free, now) + Double(plan.bytes + 500) / bytesPerSecond
        underWay.append((plan.bytes, now, free + roundTrip))
      }
      now += plan.gap.inSeconds
    }
    return (sent, arrived)
  }

  @Test func `a good link gets fifteen frames per second within the budget`() {
    let (bytes, arrived) = send(for: 10, bytesPerSecond: 1_250_000, roundTrip: 0.1)
    #expect(bytes < 1_500_000)
    #expect(arrived > 120)
    #expect(send(for: 15, bytesPerSecond: 1_250_000, roundTrip: 0.1).bytes <= 1_500_000)
  }

  @Test func `a link of 1_6 megabits per second keeps the frame rate`() {
    #expect(send(for: 8, bytesPerSecond: 200_000, roundTrip: 0.2).arrived > 95)
  }

  @Test func `a slow link gets less than 400 KB and keeps five frames per second`() {
    let (bytes, arrived) = send(for: 10, bytesPerSecond: 50_000, roundTrip: 0.3)
    #expect(bytes <= 400_000)
    #expect(arrived >= 50)
  }
}
