import Foundation
import MienCore
import MienAPI
import Testing

@Suite struct `JSON wire format` {
  private func decode(_ text: String) throws -> CreateCheckRequest {
    try JSONDecoder().decode(CreateCheckRequest.self, from: Data(text.utf8))
  }

  @Test func `an empty request leaves every option to the server`() throws {
    #expect(try decode("{}") == CreateCheckRequest())
  }

  @Test func `an unknown key is named in the error along with the known keys`() throws {
    let error = #expect(throws: UnknownKeyError.self) { try decode(#"{"chalenge":"turn-left"}"#) }
    #expect(error?.key == "chalenge")
    #expect(error?.known.contains("challenge") == true)
  }

  @Test func `a very long unknown key is truncated in the error`() throws {
    let error = #expect(throws: UnknownKeyError.self) { try decode("{\"\(String(repeating: "k", count: 5000))\":1}") }
    #expect(error?.key.count == 64)
  }

  @Test(arguments: [Side.subjectLeft, .subjectRight]) func `challenge names match the wire and the API`(side: Side) {
    #expect(ChallengeName.side(ChallengeName.text(side)) == side)
    #expect(ChallengeName.side("left") == nil)
  }

  @Test func `a step encodes missing values as null`() throws {
    let step = StepResponse(
      state: "positioning", instruction: "position-face", side: nil, progress: 0, hints: [.tooDark], reason: nil,
      remaining: .seconds(-1), outline: [SIMD2(0.12345, 0.5)])
    let text = String(decoding: try JSONEncoder().encode(step), as: UTF8.self)
    #expect(text.contains(#""side":null"#) && text.contains(#""reason":null"#))
    #expect(step.remainingMilliseconds == 0)
    #expect(step.outline == [[0.123, 0.5]])
    #expect(step.hints == ["too-dark"])
  }

  @Test func `a problem follows RFC 9457 and has a code`() {
    let problem = ProblemResponse(code: "frame-in-flight", status: 409, detail: "…")
    #expect(problem.type == "urn:mien:problem:frame-in-flight")
    #expect(problem.title == "frame in flight")
  }

  @Test func `an unassessed finding has a reason and no number`() throws {
    let reply = FindingResponse(Finding(check: "depth-gate", result: .notAssessed(.noDepth)))
    #expect(reply.result == "not-assessed" && reply.reason == "no-depth")
    #expect(reply.native == nil && reply.score == nil && reply.calibration == nil)
  }
}
