import Foundation
import MienClient
import MienAPI
import Testing

struct OptionTests {
  @Test(arguments: [
    (
      TaskProperties(task: .completeTheCircle(CompleteTheCircleTask())),
      #"{"difficulty":"medium","kind":"complete-the-circle"}"#
    ),
    (
      TaskProperties(task: .completeTheCircle(CompleteTheCircleTask(difficulty: .hard, timeout: 1500.4))),
      #"{"difficulty":"hard","kind":"complete-the-circle","timeout":1500}"#
    ),
    (
      TaskProperties(
        task: .yesOrNo(
          YesOrNoTask(
            difficulty: .easy,
            questions: [
              .init(question: "Are you ready", answer: true), .init(question: "B", answer: false, errorMessage: "No!"),
            ])), timeout: 30_000),
      #"{"difficulty":"easy","kind":"yes-or-no","questions":[{"answer":true,"question":"Are you ready"},"#
        + #"{"answer":false,"error_message":"No!","question":"B"}],"timeout":30000}"#
    ),
    (
      TaskProperties(task: .motions(MotionsTaskClass(maxNods: 2))),
      #"{"difficulty":"medium","kind":"motions","max_blinks":5,"max_nods":2}"#
    ),
    (
      TaskProperties(task: .blink(BlinkTaskClass(timeout: 4000, maxBlinks: 3)), timeout: 5000),
      #"{"difficulty":"medium","kind":"blink","max_blinks":3,"timeout":5000}"#
    ),
    (TaskProperties(task: .headTurn()), #"{"difficulty":"medium","kind":"head-turn"}"#),
    (TaskProperties(task: .headPath(difficulty: .hard)), #"{"difficulty":"hard","kind":"head-path"}"#),
    (TaskProperties(task: .light()), #"{"difficulty":"medium","kind":"light"}"#),
  ])
  func `a task is encoded with the server's names`(task: TaskProperties, json: String) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    let bytes = try encoder.encode(task.request)
    #expect(String(decoding: bytes, as: UTF8.self) == json)
    // The server's strict decoder accepts it.
    #expect(try JSONDecoder().decode(TaskRequest.self, from: bytes) == task.request)
  }

  @Test(arguments: [(-5.0, -5), (.nan, -1), (.infinity, -1), (1e300, 1_000_000_000_000), (0, 0)])
  func `an absurd timeout is sent unchanged and traps nothing`(timeout: Double, sent: Int) {
    #expect(TaskProperties(task: .headTurn(), timeout: timeout).request.timeout == sent)
    #expect(TaskProperties(task: .blink(BlinkTaskClass(timeout: timeout))).request.timeout == sent)
  }

  @Test func `defaults match the vendor's`() {
    let options = LivenessOptions()
    #expect(options.sandboxEnvironment && !options.allowAudio && options.tasks == nil && options.branding == nil)
    let branding = Branding()
    #expect(!branding.hideLogoOnMobile && !branding.showPoweredBy && branding.poweredByText == "Powered by")
    #expect(CompleteTheCircleTask().difficulty == .medium && YesOrNoTask().questions == nil)
    #expect(MotionsTaskClass().maxNods == 5 && MotionsTaskClass().maxBlinks == 5 && BlinkTaskClass().maxBlinks == 5)
  }

  @Test(arguments: [
    ("#0b5fff", SIMD3(11.0, 95, 255)), ("0B5FFF", SIMD3(11, 95, 255)), ("#fa0", SIMD3(255, 170, 0)), ("#12345", nil),
    ("red", nil), ("", nil), ("#+1234a", nil), ("#0b5fff00", nil), (nil, nil),
  ])
  func `a brand color is parsed as hexadecimal`(text: String?, parts: SIMD3<Double>?) {
    #expect(Branding(color: text).colorComponents.map { $0 * 255 } == parts)
  }

  @Test func `sandbox and live use different servers`() throws {
    let sandbox = try #require(URL(string: "https://sandbox.example"))
    let live = try #require(URL(string: "https://live.example"))
    let server = LivenessServer(sandbox: sandbox, live: live)
    #expect(server.address(sandboxEnvironment: true) == sandbox && server.address(sandboxEnvironment: false) == live)
    #expect(LivenessServer(live).address(sandboxEnvironment: true) == live)
  }

  @Test func `a session request carries what the backend needs`() throws {
    let options = LivenessOptions(
      publicKey: "pk", sandboxEnvironment: false, tasks: [TaskProperties(task: .blink(BlinkTaskClass()))],
      user: LivenessUser(firstName: "John"), metadata: 42)
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    #expect(
      String(decoding: try encoder.encode(options.options), as: UTF8.self)
        == #"{"publicKey":"pk","sandboxEnvironment":false,"tasks":[{"difficulty":"medium","kind":"blink","#
        + #""max_blinks":5}],"user":{"firstName":"John"}}"#)
  }
}
