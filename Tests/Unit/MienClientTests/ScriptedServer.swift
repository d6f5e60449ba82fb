import Foundation
import MienClient
import MienCore
import MienAPI

/// Server that returns the responses of a list and records the requests.
final class ScriptedServer: Transport {
  enum Answer: Sendable {
    case step(StepResponse)
    case problem(String, status: Int, retryAfter: Int? = nil, step: StepResponse? = nil)
    case raw(APIResponse)
    case silence
  }

  private let state: State

  private actor State {
    var answers: [Answer]
    var calls: [APIRequest] = []

    init(_ answers: [Answer]) {
      self.answers = answers
    }

    func answer(_ call: APIRequest) -> Answer {
      calls.append(call)
      return answers.count > 1 ? answers.removeFirst() : answers[0]
    }
  }

  /// The last response is repeated.
  init(_ answers: Answer...) { state = State(answers) }

  init(_ answers: [Answer]) { state = State(answers) }

  var calls: [APIRequest] { get async { await state.calls } }

  func send(_ call: APIRequest) async throws -> APIResponse {
    try Task.checkCancellation()
    switch await state.answer(call) {
    case .step(let step): return APIResponse(status: 200, body: Array(try JSONEncoder().encode(step)))
    case .problem(let code, let status, let retryAfter, let step):
      let problem = ProblemResponse(code: code, status: status, detail: "The words of \(code).", step: step)
      return APIResponse(
        status: status, headers: retryAfter.map { ["retry-after": "\($0)"] } ?? [:],
        body: Array(try JSONEncoder().encode(problem)))
    case .raw(let reply): return reply
    case .silence: throw ClientError(.unreachable, detail: "silence")
    }
  }
}

extension StepResponse {
  static func of(_ state: String, _ instruction: String, reason: String? = nil, face: Bool = true) -> StepResponse {
    StepResponse(
      state: state, instruction: instruction, side: .subjectLeft, progress: 0.5, hints: [.tooFar], reason: reason,
      remaining: .seconds(7), outline: face ? [SIMD2(0.25, 0.5)] : [])
  }
}
