import Crypto
import Foundation
import MienApple
import MienClient
import MienAPI
import Testing

/// Captures as sent by a phone, against a real server.
extension LiveServerTests {
  /// In-memory substitute for a key in the Secure Enclave.
  actor InMemoryKey: DeviceKey {
    nonisolated let device = "phone-\(UUID().uuidString)"
    private let key = P256.Signing.PrivateKey()
    private var counter: Int64 = 0

    func publicKey() -> [UInt8] { Array(key.publicKey.rawRepresentation) }
    func sign(_ message: [UInt8]) throws -> [UInt8] { Array(try key.signature(for: message).rawRepresentation) }
    func nextCounter() -> Int64 {
      counter += 1
      return counter
    }
  }

  /// Summary of a capture, by name.
  struct StoredCapture: Decodable {
    struct Item: Decodable {
      let name: String
      let status: String
      let reasons: [String]
    }
    let summary: [Item]

    func status(of name: String) -> String? { summary.first { $0.name == name }?.status }
  }

  static func digest(_ bytes: [UInt8]) -> String {
    SHA256.hash(data: bytes).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  func storedCapture(of id: String, at server: LiveServer? = nil) async throws -> StoredCapture {
    let reply = try await URLSessionTransport().send(
      APIRequest(method: "GET", url: (server ?? self.server).address.appendingPathComponent("v1/captures/\(id)")))
    return try JSONDecoder().decode(StoredCapture.self, from: Data(reply.body))
  }

  @Test func `a signed capture verifies and a modified one does not`() async throws {
    let client = CaptureClient(server: server.address, key: server.key)
    let key = InMemoryKey()
    try await client.register(key)
    // Repeating the registration has no effect.
    try await client.register(key)
    let image = try Data(contentsOf: Place.package.appendingPathComponent("Web/assets/avatars/bear.png"))
    let form = CaptureUploadForm(photo: Array(image), metadata: Array(#"{"captured_at_ms":1767225600000}"#.utf8))

    func signed() async throws -> [UInt8] {
      let counter = await key.nextCounter()
      let lines = form.lines(device: key.device, counter: counter, digest: Self.digest)
      return try form.signaturePart(
        device: key.device, counter: counter, signature: try await key.sign(lines), digest: Self.digest)
    }

    let genuine = try await storedCapture(of: try await client.send(form, signature: try await signed()))
    for line in ["integrity", "signer", "device"] { #expect(genuine.status(of: line) == "pass", "\(line)") }

    var changed = form
    changed.metadata = Array(#"{"captured_at_ms":1767225600001}"#.utf8)
    let late = try await storedCapture(of: try await client.send(changed, signature: try await signed()))
    #expect(late.status(of: "integrity") == "fail" && late.status(of: "signer") == "pass")

    let bare = try await storedCapture(of: try await client.send(form, signature: nil))
    #expect(bare.status(of: "integrity") == "not-checked")
  }

  @Test func `a trial check can be completed`() async throws {
    let check = try await CaptureClient(server: server.address).demonstration()
    let found = try await server.backend.result(of: check.id)
    #expect(found.id == check.id && !check.token.isEmpty)
  }
}
