import Foundation
import MienCore
import MienPlatform
import NIOCore
import Synchronization

@testable import MienBlobsS3

/// Object store for the tests, implemented by `Tests/EndToEnd/support/s3_peer.py`, which verifies signatures and injects
/// faults. It ends with the process that started it.
final class S3Peer: Sendable {
  struct Missing: Error {}

  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
    .deletingLastPathComponent()
    .deletingLastPathComponent()

  /// Python of the environment created by scripts/install-test-tools; `nil` if that was not run.
  private static let python: URL? = {
    let parts =
      ProcessInfo.processInfo.environment["MIEN_PARTS"].map { URL(fileURLWithPath: $0) }
      ?? root.appendingPathComponent(".mien")
    let venv = parts.appendingPathComponent("venv")
    let libraries = venv.appendingPathComponent("lib")
    let versions = (try? FileManager.default.contentsOfDirectory(atPath: libraries.path)) ?? []
    let isThere = versions.contains {
      FileManager.default.fileExists(atPath: libraries.appendingPathComponent("\($0)/site-packages/moto").path)
    }
    if !isThere { print("SKIPPED an object store: moto not found; run scripts/install-test-tools") }
    return isThere ? venv.appendingPathComponent("bin/python") : nil
  }()

  static var isInstalled: Bool { python != nil }

  static let secret = "swordfish/of+the=tests"

  private let process = Process()
  private let orders = Pipe()
  private let answers = Pipe()
  private let turn = Mutex(())
  let port: Int

  init() throws {
    guard let python = Self.python else { throw Missing() }
    process.executableURL = python
    process.arguments = [Self.root.appendingPathComponent("Tests/EndToEnd/support/s3_peer.py").path]
    process.standardInput = orders
    process.standardOutput = answers
    try process.run()
    guard let port = Int(try Self.line(answers)) else { throw Missing() }
    self.port = port
  }

  deinit { try? orders.fileHandleForWriting.close() }

  private static func line(_ pipe: Pipe) throws -> String {
    var bytes = Data()
    while let byte = try pipe.fileHandleForReading.read(upToCount: 1), byte != Data([10]) {
      guard !byte.isEmpty else { throw Missing() }
      bytes += byte
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Sends a command to the script.
  @discardableResult
  func order(_ what: String, _ more: [String: any Sendable] = [:]) throws -> Data {
    let text = try JSONSerialization.data(withJSONObject: more.merging(["what": what]) { $1 })
    return try turn.withLock { _ in
      try orders.fileHandleForWriting.write(contentsOf: text + Data([10]))
      return Data(try Self.line(answers).utf8)
    }
  }

  func fault(_ kind: String, count: Int = 1, method: String? = nil, part: String? = nil) throws {
    var more: [String: any Sendable] = ["kind": kind, "count": count]
    if let method { more["method"] = method }
    if let part { more["part"] = part }
    try order("inject_fault", more)
  }

  struct Contents: Decodable {
    let keys: [String]
    let uploads: [String]
  }

  func contents(_ bucket: String) throws -> Contents {
    try JSONDecoder().decode(Contents.self, from: try order("keys", ["bucket": bucket]))
  }
}

/// Unique bucket with a store in its folder `live`.
struct S3Bucket {
  let peer: S3Peer
  let name: String
  var limits = S3Client.Limits()
  var grace = Interval.zero

  /// - Parameter part: part size of multipart uploads in bytes. Small, so that blobs with several parts can be small
  ///   too.
  init(_ peer: S3Peer, part: Int = 64 << 10) throws {
    limits.part = part
    limits.reading = part + 1
    // A busy machine may take its time; tests of timeouts set their own.
    (limits.connecting, limits.idle, limits.whole, limits.doubtful) = (.hours(1), .hours(1), .hours(1), .hours(1))
    self.peer = peer
    name = "mien-\(UInt64.random(in: 0 ... .max))"
    try peer.order("bucket", ["name": name])
  }

  func address(_ more: String = "") throws -> S3Address {
    guard let address = S3Address("s3://\(name)/tests?endpoint=http://127.0.0.1:\(peer.port)\(more)") else {
      throw S3Peer.Missing()
    }
    return address
  }

  func client(_ address: S3Address? = nil, secret: String = S3Peer.secret, names: [String: String] = [:]) throws
    -> S3Client
  {
    guard let credentials = S3Credentials(id: "MIENTESTACCESSKEY", secret: secret) else { throw S3Peer.Missing() }
    return S3Client(
      S3Signer(address: try address ?? self.address(), credentials: credentials), Self.surroundings, limits: limits,
      names: names)
  }

  func store(_ client: S3Client? = nil) throws -> S3BlobStore {
    S3BlobStore(try client ?? self.client(), prefix: "tests/", grace: grace)
  }

  static let surroundings = PeerEnvironment()
}

/// Environment with the system clock, which the peer uses too, and without retry delays.
struct PeerEnvironment: S3ClientEnvironment {
  var clock: any ServiceClock { MachineClock() }
  func pause(for time: Interval) async throws { try Task.checkCancellation() }
  func randomBytes(_ count: Int) -> [UInt8] { (0..<count).map { _ in UInt8.random(in: .min ... .max) } }
}

struct MachineClock: ServiceClock {
  func now() -> MonotonicInstant { MonotonicInstant(nanoseconds: Int64(DispatchTime.now().uptimeNanoseconds)) }
  func timeOfDay() -> UnixTime { UnixTime(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) }
  func sleep(for interval: Interval) async throws {
    try await Task.sleep(for: .nanoseconds(interval.nanoseconds))
  }
}
