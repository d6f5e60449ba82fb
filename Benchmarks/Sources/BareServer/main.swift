// Baseline for Mien's endpoints: Hummingbird alone, with a greeting and a route for raw request bodies.
//
//   BareServer FOLDER     listens on a free local port; bodies of POST /raw are written to files in FOLDER
import Foundation
import Hummingbird
import NIOCore

let folder = URL(fileURLWithPath: CommandLine.arguments.dropFirst().first ?? NSTemporaryDirectory())
let router = Router()
router.get("/") { _, _ in "hello" }
router.post("/raw") { request, _ in
  let path = folder.appendingPathComponent(UUID().uuidString).path
  let file = open(path, O_WRONLY | O_CREAT | O_EXCL, 0o600)
  guard file >= 0 else { throw HTTPError(.internalServerError) }
  defer { close(file) }
  for try await piece in request.body {
    let whole = piece.withUnsafeReadableBytes { bytes in
      var done = 0
      while done < bytes.count {
        let count = write(file, bytes.baseAddress! + done, bytes.count - done)
        guard count > 0 else { return false }
        done += count
      }
      return true
    }
    guard whole else { throw HTTPError(.internalServerError) }
  }
  return "kept"
}
let application = Application(
  router: router, configuration: .init(address: .hostname("127.0.0.1", port: 0)),
  onServerRunning: { channel in
    // Unbuffered, because the parent process waits for this line.
    FileHandle.standardOutput.write(Data("Listening on http://127.0.0.1:\(channel.localAddress?.port ?? 0)\n".utf8))
  })
try await application.runService()
