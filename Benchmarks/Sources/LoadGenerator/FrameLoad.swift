import Foundation
import MienClient
import MienCore
import MienAPI

/// Parallel checks that send frames like phones, each on its own connection: the camera runs continuously, and the next
/// frame is sent after the response to the previous one.
struct FrameLoad {
  let server: URL
  let backend: BackendClient
  /// Returns the clip of a check; no two have a picture in common.
  let clip: @Sendable (_ seed: Int) throws -> Clip
  let rate: Double
  let seconds: Double

  struct Outcome: Sendable {
    var times = Times()
    var frames = 0
    /// Number of frames captured while another one was being sent.
    var dropped = 0
    var bytes = 0
    /// Number of checks by outcome: a state, `going` if the time ended first, or a problem code.
    var ends: [String: Int] = [:]
  }

  func run(atOnce count: Int) async throws -> Outcome {
    // A head path lasts for the whole time, because the person in the clip does not follow it. Created before
    // measuring.
    let request = CreateCheckRequest(tasks: [TaskRequest(kind: "head-path", timeout: 60_000)])
    var checks: [CreateCheckResponse] = []
    let clips = try (0..<count).map { try clip(100 * count + $0) }
    for _ in 0..<count { checks.append(try await backend.create(request)) }
    return try await withThrowingTaskGroup(of: Outcome.self) { group in
      for (index, (check, clip)) in zip(checks, clips).enumerated() {
        group.addTask {
          // Staggered, because phones do not capture synchronously.
          try await Task.sleep(for: .seconds(Double(index) / Double(count) / rate))
          return try await one(check, clip)
        }
      }
      var sum = Outcome()
      for try await outcome in group {
        sum.times.add(outcome.times)
        sum.frames += outcome.frames
        sum.dropped += outcome.dropped
        sum.bytes += outcome.bytes
        sum.ends.merge(outcome.ends, uniquingKeysWith: +)
      }
      return sum
    }
  }

  private func one(_ check: CreateCheckResponse, _ clip: Clip) async throws -> Outcome {
    let line = try CheckConnection(
      server: server, session: CheckSession(id: check.id, token: check.token), client: MonotonicClock.clientName(),
      transport: URLSessionTransport(connections: 1))
    var outcome = Outcome()
    let clock = ContinuousClock()
    let began = clock.now
    var last = -1
    while true {
      let due = began + .seconds(Double(last + 1) / rate)
      if due > clock.now { try await Task.sleep(until: due, clock: clock) }
      let elapsed = began.duration(to: clock.now) / .seconds(1)
      guard elapsed < seconds else {
        outcome.ends["going"] = 1
        return outcome
      }
      let present = max(last + 1, Int(elapsed * rate))
      outcome.dropped += present - last - 1
      last = present
      let frame = clip.frames[min(present, clip.frames.count - 1)]
      let sent = clock.now
      do {
        let step = try await line.send(frame: frame, capturedAt: .seconds(elapsed))
        outcome.times.add(sent.duration(to: clock.now))
        outcome.frames += 1
        outcome.bytes += frame.count
        if ["passed", "failed", "timed-out"].contains(step.state) {
          outcome.ends["\(step.state) (\(step.reason ?? "")) after \(outcome.frames) frames"] = 1
          return outcome
        }
      } catch let error as ClientError {
        outcome.ends[error.code.text] = 1
        return outcome
      }
    }
  }
}
