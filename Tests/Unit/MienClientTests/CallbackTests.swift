import Foundation
import MienClient
import MienAPI
import Testing

/// Callbacks of the vendor-compatible API.
@MainActor
struct CallbackTests {
  /// Log of calls.
  @MainActor
  private final class Log {
    var events: [String] = []
  }

  private func start(_ transport: ScriptedServer, camera: ScriptedCamera, _ log: Log) throws -> LivenessSession {
    var yvLiveness = Liveness(
      server: LivenessServer(try #require(URL(string: "https://liveness.example"))), publicKey: "pk",
      user: YVLivenessUser(firstName: "John"), onClose: { log.events.append("close") },
      onSuccess: { data in log.events.append("success \(data.passed)") },
      onFailure: { data in
        if let error = data.error, error.key == "task_failed" { log.events.append("failure \(error.key)") }
      }, sessionId: "s-1", sessionToken: "t-1")
    yvLiveness.transport = transport
    yvLiveness.clock = StandingClock()
    return yvLiveness.startSDK(
      tasks: [TaskProperties(task: .completeTheCircle(CompleteTheCircleTask(difficulty: .medium)))], camera: camera)
  }

  @Test func `success is reported before the result is available`() async throws {
    let log = Log()
    let run = try start(ScriptedServer(.step(.of("passed", "done"))), camera: ScriptedCamera(times: [0]), log)
    #expect(try await run.result().passed)
    #expect(log.events == ["success true"])
  }

  @Test func `failure is reported with its key`() async throws {
    let log = Log()
    let server = ScriptedServer(.step(.of("failed", "done", reason: "wrong-direction")))
    let run = try start(server, camera: ScriptedCamera(times: [0]), log)
    #expect(try await run.result().passed == false)
    #expect(log.events == ["failure task_failed"])
  }

  @Test func `closing reports close once and neither success nor failure`() async throws {
    let log = Log()
    let server = ScriptedServer(.step(.of("tracking", "turn")))
    let camera = ScriptedCamera(times: [0], then: .hangs)
    let run = try start(server, camera: camera, log)
    run.close()
    run.close()
    await #expect(throws: CancellationError.self) { try await run.result() }
    #expect(log.events == ["close"])
    #expect(await camera.closed == 1)
  }
}
