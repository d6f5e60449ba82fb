import Crypto
import Foundation
import MienClient
import MienCore

/// In-process scan server: stores the data it acknowledged, with fault injection.
actor TusPeer: Transport {
  enum FormatError: Sendable {
    /// No response, and nothing was received.
    case lost
    /// Everything was received, but the response was lost.
    case unanswered
    /// Half of the data was received before the connection was lost.
    case half
    case problem(Int, String, retryAfter: Int? = nil)
    /// A response with a wrong offset.
    case offset(Int)
    /// A page of another server, such as a proxy.
    case page(Int = 200)
  }

  struct Scan {
    var status = "uploading"
    var names: [String]
    var sizes: [Int]
    var files: [[UInt8]]
  }

  private(set) var scans: [String: Scan] = [:]
  private(set) var order: [String] = []
  private(set) var calls: [APIRequest] = []
  private var keys: [String: String] = [:]
  /// Faults of future requests by method; `nil` for none.
  private var faults: [String: [FormatError?]] = [:]
  private var onCall: (@Sendable (APIRequest) async -> Void)?

  func fail(_ method: String, _ list: FormatError?...) { faults[method, default: []] += list }
  func heed(_ work: @escaping @Sendable (APIRequest) async -> Void) { onCall = work }
  func lose(_ id: String) { scans[id] = nil }
  func set(_ id: String, status: String) { scans[id]?.status = status }

  nonisolated func send(_ call: APIRequest) async throws -> APIResponse {
    try Task.checkCancellation()
    await onCall?(call)
    try Task.checkCancellation()
    return try await answer(call)
  }

  private func answer(_ call: APIRequest) throws -> APIResponse {
    calls.append(call)
    let fault = faults[call.method]?.isEmpty == false ? faults[call.method]?.removeFirst() : nil
    switch fault {
    case .lost?: throw ClientError(.unreachable, detail: "silence")
    case .unanswered?:
      _ = try reply(call)
      throw ClientError(.unreachable, detail: "silence")
    case .half?:
      take(call, Array((call.body ?? []).prefix((call.body ?? []).count / 2)))
      throw ClientError(.unreachable, detail: "silence")
    case .problem(let status, let code, let retryAfter)?: return Self.problem(status, code, retryAfter: retryAfter)
    case .offset(let offset)?: return APIResponse(status: 204, headers: ["upload-offset": "\(offset)"])
    case .page(let status)?:
      return APIResponse(status: status, body: Array("<html>Welcome to our hotel</html>".utf8))
    case nil: return try reply(call)
    }
  }

  private func reply(_ call: APIRequest) throws -> APIResponse {
    // The server has a base path, as behind a proxy.
    let parts = call.url.path.split(separator: "/").map(String.init).drop { $0 != "v1" }.map { $0 }
    switch (call.method, parts.count > 1 ? parts[1] : "") {
    case ("POST", "scans") where parts.count == 2: return try create(call)
    case ("POST", "scans"): return submit(parts[2])
    case ("GET", "scans"):
      return scans[parts[2]].map { Self.json(200, ticket(parts[2], $0)) } ?? Self.problem(404, "not-found")
    case ("DELETE", "scans"): return APIResponse(status: scans.removeValue(forKey: parts[2]) == nil ? 404 : 204)
    case ("HEAD", "uploads"):
      guard let (scan, file) = place(parts[2]), let found = scans[scan] else { return APIResponse(status: 404) }
      return APIResponse(status: 200, headers: ["upload-offset": "\(found.files[file].count)"])
    case ("PATCH", "uploads"): return patch(call, parts[2])
    default: return Self.problem(405, "method-not-allowed")
    }
  }

  private func create(_ call: APIRequest) throws -> APIResponse {
    struct Creation: Decodable {
      struct File: Decodable {
        let name: String
        let bytes: Int
      }
      let files: [File]
    }
    let key = call.headers["Idempotency-Key"] ?? ""
    if let id = keys[key], let scan = scans[id] { return Self.json(200, ticket(id, scan)) }
    let options = try JSONDecoder().decode(Creation.self, from: Data(call.body ?? []))
    let id = "scn_\(order.count)"
    order.append(id)
    keys[key] = id
    let scan = Scan(
      names: options.files.map(\.name), sizes: options.files.map(\.bytes), files: options.files.map { _ in [] })
    scans[id] = scan
    return Self.json(201, ticket(id, scan))
  }

  private func submit(_ id: String) -> APIResponse {
    guard let scan = scans[id] else { return Self.problem(404, "not-found") }
    guard zip(scan.sizes, scan.files).allSatisfy({ $0 == $1.count }) else {
      return Self.problem(409, "files-incomplete")
    }
    scans[id]?.status = "queued"
    return APIResponse(status: 202)
  }

  private func patch(_ call: APIRequest, _ upload: String) -> APIResponse {
    guard let (scan, file) = place(upload), let found = scans[scan] else { return Self.problem(404, "not-found") }
    guard call.headers["Upload-Offset"] == "\(found.files[file].count)" else {
      return Self.problem(409, "offset-mismatch")
    }
    guard call.headers["Upload-Checksum"] == "sha256 \(ShaSum.base64(call.body ?? []))" else {
      return Self.problem(460, "checksum-mismatch")
    }
    take(call, call.body ?? [])
    return APIResponse(status: 204, headers: ["upload-offset": "\(scans[scan]?.files[file].count ?? -1)"])
  }

  private func take(_ call: APIRequest, _ bytes: [UInt8]) {
    guard let (scan, file) = place(call.url.lastPathComponent) else { return }
    scans[scan]?.files[file] += bytes
  }

  private func place(_ upload: String) -> (String, Int)? {
    let parts = upload.split(separator: "-")
    guard parts.count == 2, let file = Int(parts[1]) else { return nil }
    return (String(parts[0]), file)
  }

  private func ticket(_ id: String, _ scan: Scan) -> [String: Any] {
    [
      "id": id, "status": scan.status, "created_at": "2026-01-01T00:00:00Z",
      "files": scan.names.indices.map { index in
        [
          "name": scan.names[index], "bytes": scan.sizes[index], "received": scan.files[index].count,
          "upload": "/v1/uploads/\(id)-\(index)",
        ] as [String: Any]
      },
    ]
  }

  private static func json(_ status: Int, _ value: [String: Any]) -> APIResponse {
    APIResponse(status: status, body: Array((try? JSONSerialization.data(withJSONObject: value)) ?? Data()))
  }

  private static func problem(_ status: Int, _ code: String, retryAfter: Int? = nil) -> APIResponse {
    var reply = json(
      status,
      [
        "type": "urn:mien:problem:\(code)", "title": code, "status": status, "detail": "The words of \(code).",
        "code": code,
      ]
    )
    if let retryAfter { reply.headers["retry-after"] = "\(retryAfter)" }
    return reply
  }
}

/// Digests of an independent library, for comparison.
enum ShaSum {
  static func base64(_ bytes: [UInt8]) -> String { Data(SHA256.hash(data: bytes)).base64EncodedString() }
}

/// Temporary folder with files to upload.
final class UploadFiles: Sendable {
  let folder: URL
  var queue: URL { folder.appendingPathComponent("queue") }

  init() throws {
    folder = FileManager.default.temporaryDirectory.appendingPathComponent("mien-uploads-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  }

  /// Creates a file whose bytes vary with their position.
  func file(_ name: String, bytes count: Int) throws -> ScanUpload.File {
    let place = folder.appendingPathComponent(name)
    try Data((0..<count).map { UInt8(truncatingIfNeeded: $0 &* 31 &+ $0 >> 8 &+ name.utf8.count) }).write(to: place)
    return ScanUpload.File(name: name, place: place)
  }

  func bytes(_ name: String) throws -> [UInt8] { Array(try Data(contentsOf: folder.appendingPathComponent(name))) }

  deinit { try? FileManager.default.removeItem(at: folder) }
}

/// Reproducible random number generator.
struct FixedGenerator: RandomNumberGenerator, Sendable {
  private var state: UInt64 = 0

  mutating func next() -> UInt64 {
    state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return state
  }
}
