import MienClient
import MienViewModels
import Testing

/// Repeats a flow whose recording plays in real time, as a person would, if it ended for a reason that a busy machine
/// causes: late requests miss frames, so that movements look abrupt or are not seen at all.
enum BusyMachine {
  /// Outcome of one attempt.
  enum Outcome<Value> {
    case done(Value)
    /// Ended for a reason of ``reasons``, or before a condition was seen.
    case again(because: String)
  }

  struct TooBusy: Error, CustomStringConvertible {
    let reasons: [String]

    var description: String { "no attempt of \(reasons.count) was complete: \(reasons.joined(separator: "; "))" }
  }

  /// Reasons of the server and of the client that follow from missing or late frames.
  static let reasons: Set<String> = [
    "too-few-frames", "face-lost", "no-face", "wrong-movement", "timed-out", "not-finished", "turned-too-little",
    "did-not-return", "static", "changed-face", "unsteady", "too-early", "too-slow", "not-measured", "frozen-camera",
    "no-frames", "camera-lost", "token-expired", "expired", "unreachable", "busy",
  ]

  /// Frames per second of an attempt: later ones play a recording slower, so that fewer frames of a movement are missed.
  static func rate(_ rate: Int, attempt: Int) -> Int { max((rate + 1) / 2, rate - attempt * rate / 8) }

  /// Performs attempts until one is done.
  ///
  /// - Throws: ``TooBusy`` with the reasons of all attempts, or the error of an attempt.
  @MainActor static func repeated<Value>(
    attempts: Int = 6, _ attempt: @MainActor (_ number: Int) async throws -> Outcome<Value>
  ) async throws -> Value {
    var reasons: [String] = []
    for number in 0..<attempts {
      switch try await attempt(number) {
      case .done(let value): return value
      case .again(let reason):
        print("REPEATED on a busy machine: \(reason)")
        reasons.append(reason)
      }
    }
    throw TooBusy(reasons: reasons)
  }

  /// Reason to repeat a check that ended in a state; `nil` if the state has another cause.
  @MainActor static func reason(of state: CheckViewModel.State) -> String? {
    switch state {
    case .failure(let reason): reasons.contains(reason) ? reason : nil
    case .timedOut: "timed-out"
    case .problem(let problem): reasons.contains(problem.code) ? problem.code : nil
    case .idle, .starting, .positioning, .measuring, .instructing, .tracking, .success: nil
    }
  }

  /// Reason to repeat a check with this result; `nil` if it passed or the result has another cause.
  static func reason(of data: LivenessData) -> String? {
    guard !data.passed, let reason = data.reason, reasons.contains(reason) else { return nil }
    return reason
  }
}
