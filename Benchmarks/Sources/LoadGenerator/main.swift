// Load test of a server with video frames and requests over HTTP. `Benchmarks/run-load` starts a server and runs all
// modes.
//
//   LoadGenerator frames --server URL --key KEY --clip PATH [--at-once N,…] [--seconds 10] [--rate 15] [--quality 7]
//   LoadGenerator create --server URL --key KEY [--connections N,…] [--seconds 5]
//   LoadGenerator request --server URL [--key KEY] [--method GET] [--path /] [--body TEXT] [--expected 200]
//                         [--connections N,…] [--seconds 5] [--rate REQUESTS_A_SECOND]
//
// Prints one line for every N. With `--pid` of the server, its CPU time is included.
import Foundation
import MienClient

func frames(_ arguments: Arguments, _ server: URL, key: String) async throws {
  let rate = try arguments.number("rate", 15)
  let seconds = try arguments.number("seconds", 10)
  let (path, quality) = (try arguments.text("clip"), Int(try arguments.number("quality", 7)))
  let load = FrameLoad(
    server: server, backend: BackendClient(server: server, key: key),
    clip: { try Clip(path, rate: Int(rate), count: Int(rate * seconds), quality: quality, seed: $0) }, rate: rate,
    seconds: seconds)
  for count in try arguments.list("at-once", "1") {
    let before = arguments.process?.seconds()
    let outcome = try await load.run(atOnce: count)
    let after = arguments.process?.seconds()
    let sent = Double(max(1, outcome.frames))
    let each = before.flatMap { before in after.map { ($0 - before) / sent } }
    let whole = rate * seconds
    let size = Double(outcome.bytes) / sent
    let ends = outcome.ends.sorted { $0.key < $1.key }.map { "\($0.value) \($0.key)" }.joined(separator: ", ")
    print(
      """
      \(count) at once: a frame's reply p50 \(text(outcome.times.quantile(0.5))) \
      p95 \(text(outcome.times.quantile(0.95))) p99 \(text(outcome.times.quantile(0.99))) ms; \
      server \(text(each.map { $0 * 1000 }, 2)) ms CPU a frame, \(text(each.map { $0 * whole }, 2)) s for \(Int(whole)) frames; \
      \(text(size / 1000)) kB a frame, \(text(size * whole / 1e6, 2)) MB for \(Int(whole)); \
      \(outcome.frames) sent, \(outcome.dropped) dropped; \(ends)
      """)
  }
}

func create(_ arguments: Arguments, _ server: URL, key: String) throws {
  let load = try requests(arguments, server, key: key, "POST", "/v1/checks", body: "{}", expected: 201)
  for count in try arguments.list("connections", "1") {
    let (outcome, each) = try run(load, count, arguments)
    print(
      """
      \(count) connections: \(text(Double(outcome.count) / load.seconds, 0)) checks created a second; \
      p50 \(text(outcome.times.quantile(0.5), 2)) p95 \(text(outcome.times.quantile(0.95), 2)) ms; \
      server \(text(each, 3)) ms CPU each
      """)
  }
}

func request(_ arguments: Arguments, _ server: URL) throws {
  let load = try requests(
    arguments, server, key: arguments.optional("key"), arguments.optional("method") ?? "GET",
    arguments.optional("path") ?? "/", body: arguments.optional("body"),
    expected: Int(try arguments.number("expected", 200)))
  for count in try arguments.list("connections", "1") {
    let (outcome, each) = try run(load, count, arguments)
    print(
      """
      \(count) connections: \(text(Double(outcome.count) / load.seconds, 0)) requests a second; \
      p50 \(text(outcome.times.quantile(0.5), 2)) p99 \(text(outcome.times.quantile(0.99), 2)) ms; \
      server \(text(each, 4)) ms CPU each
      """)
  }
}

func requests(
  _ arguments: Arguments, _ server: URL, key: String?, _ method: String, _ path: String, body: String?, expected: Int
) throws -> RequestLoad {
  guard let host = server.host, let port = server.port else { throw LoadError("--server http://127.0.0.1:PORT") }
  return RequestLoad(
    host: host, port: port,
    request: RequestLoad.request(method, path, host: host, port: port, key: key, body: body), expected: expected,
    seconds: try arguments.number("seconds", 5),
    rate: arguments.optional("rate") == nil ? nil : try arguments.number("rate", 1))
}

/// Runs the load. Returns its outcome and the server's processor time per request in milliseconds.
func run(_ load: RequestLoad, _ connections: Int, _ arguments: Arguments) throws -> (RequestLoad.Outcome, Double?) {
  let before = arguments.process?.seconds()
  let outcome = try load.run(connections: connections)
  let after = arguments.process?.seconds()
  return (outcome, before.flatMap { before in after.map { ($0 - before) * 1000 / Double(max(1, outcome.count)) } })
}

do {
  let arguments = try Arguments(CommandLine.arguments)
  guard let server = URL(string: try arguments.text("server")) else { throw LoadError("--server is not a URL") }
  switch arguments.mode {
  case "frames": try await frames(arguments, server, key: try arguments.text("key"))
  case "create": try create(arguments, server, key: try arguments.text("key"))
  case "request": try request(arguments, server)
  default: throw LoadError("the first argument must be `frames`, `create` or `request`")
  }
} catch {
  FileHandle.standardError.write(Data("LoadGenerator: \(error)\n".utf8))
  exit(64)
}
