import Crypto
import Foundation
import MienApple
import MienClient
import MienMultipart
import MienAPI
import Testing

/// Signing and sending of captures on a phone.
@Suite struct `Phone captures` {
  static func digest(_ bytes: [UInt8]) -> String {
    SHA256.hash(data: bytes).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
  }

  /// In-memory substitute for a key in the Secure Enclave.
  actor MemoryKey: DeviceKey {
    nonisolated let device = "phone-1"
    private let key = P256.Signing.PrivateKey()
    private var counter: Int64 = 6
    private let point: [UInt8]?

    init(point: [UInt8]? = nil) { self.point = point }
    func publicKey() -> [UInt8] { point ?? Array(key.publicKey.rawRepresentation) }
    func sign(_ message: [UInt8]) throws -> [UInt8] { Array(try key.signature(for: message).rawRepresentation) }
    func nextCounter() -> Int64 {
      counter += 1
      return counter
    }
    func verifies(_ signature: [UInt8], _ message: [UInt8]) throws -> Bool {
      key.publicKey.isValidSignature(try P256.Signing.ECDSASignature(rawRepresentation: signature), for: message)
    }
  }

  /// Transport that returns one response and records the request.
  actor StubTransport: Transport {
    let answer: APIResponse
    private(set) var call: APIRequest?

    init(_ status: Int, _ body: String) {
      answer = APIResponse(status: status, body: Array(body.utf8))
    }
    nonisolated func send(_ call: APIRequest) async throws -> APIResponse { await keep(call) }
    private func keep(_ call: APIRequest) -> APIResponse {
      self.call = call
      return answer
    }
    var body: [String: Any]? {
      (call?.body).flatMap { try? JSONSerialization.jsonObject(with: Data($0)) as? [String: Any] }
    }
  }

  @Test func `signed lines match the documented example`() throws {
    let document = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Documentation/reference/formats/CaptureDigest.md")
    let text = try String(contentsOf: document, encoding: .utf8)
    let begin = try #require(text.range(of: "```text\n"))
    let end = try #require(text[begin.upperBound...].range(of: "```"))
    let form = CaptureUploadForm(photo: Array("photo".utf8), metadata: [])
    let lines = form.lines(device: "phone-1", counter: 7, digest: Self.digest)
    #expect(String(decoding: lines, as: UTF8.self) == text[begin.upperBound..<end.lowerBound])
  }

  @Test func `the signature covers the lines and every part present`() async throws {
    let key = MemoryKey()
    let form = CaptureUploadForm(photo: [1, 2, 3], depth: [4], detection: Array("{}".utf8))
    let counter = await key.nextCounter()
    let lines = form.lines(device: key.device, counter: counter, digest: Self.digest)
    let bytes = try form.signaturePart(
      device: key.device, counter: counter, signature: try await key.sign(lines), digest: Self.digest)
    let part = try JSONDecoder().decode(SignaturePart.self, from: Data(bytes))
    #expect(part.device == "phone-1" && part.counter == 7 && part.photo == Self.digest([1, 2, 3]))
    #expect(part.depth == Self.digest([4]) && part.metadata == nil && part.detection == Self.digest(Array("{}".utf8)))
    var text = part.signature.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
    text += String(repeating: "=", count: (4 - text.count % 4) % 4)
    let raw = try #require(Data(base64Encoded: text))
    #expect(try await key.verifies(Array(raw), lines))
    #expect(!part.signature.contains { "+/=".contains($0) })
  }

  @Test func `the server's form parser reads every part unchanged`() throws {
    let photo = (0..<5000).map { UInt8(truncatingIfNeeded: $0) } + Array("\r\n--xYz".utf8)
    let form = CaptureUploadForm(photo: photo, depth: [9, 13, 10], metadata: Array(#"{"captured_at_ms":1}"#.utf8))
    let body = ContiguousArray(form.form(signature: Array("{}".utf8), boundary: "mien-7"))
    var machine = MultipartParser(boundary: try #require(MultipartBoundary("mien-7")))
    var (parts, types, names): ([[UInt8]], [String], [String]) = ([], [], [])
    var place = 0
    while let event = try machine.next(in: body.span, at: &place) {
      switch event {
      case .part(let header):
        parts.append([])
        names.append(header.name)
        types.append(header.mediaType)
      case .content(let range): parts[parts.count - 1] += body[range]
      case .held(let bytes): parts[parts.count - 1] += bytes
      case .endOfPart: break
      }
    }
    try machine.finish()
    #expect(names == ["photo", "depth_map", "metadata", "signature"])
    #expect(types == ["image/jpeg", "application/vnd.mien.depth-frame", "application/json", "application/json"])
    #expect(parts == [photo, [9, 13, 10], Array(#"{"captured_at_ms":1}"#.utf8), Array("{}".utf8)])
  }

  @Test func `a device is registered with its public key`() async throws {
    let server = StubTransport(201, #"{"device":"phone-1","counter":0,"created_at":"2026-01-01T00:00:00Z"}"#)
    let key = MemoryKey()
    try await client(server).register(key)
    let call = try #require(await server.call)
    #expect(call.method == "POST" && call.url.absoluteString == "https://mien.example/base/v1/devices")
    #expect(call.headers["Authorization"] == "Bearer secret")
    let options = try JSONDecoder().decode(RegisterDeviceRequest.self, from: Data(try #require(call.body)))
    #expect(options.device == "phone-1" && options.key.kty == "EC" && options.key.crv == "P-256")
    #expect(options.key.x.count == 43 && options.key.y.count == 43 && options.key.x != options.key.y)
  }

  @Test func `an invalid public key is not sent`() async throws {
    let server = StubTransport(201, "{}")
    await #expect(throws: ClientError.self) { try await client(server).register(MemoryKey(point: [4, 1])) }
    #expect(await server.call == nil)
  }

  @Test func `an upload returns the capture's id`() async throws {
    let server = StubTransport(201, #"{"id":"cap_1","state":"queued","receipt":"r"}"#)
    let id = try await client(server).send(CaptureUploadForm(photo: [1]), signature: nil)
    #expect(id == "cap_1")
    let call = try #require(await server.call)
    let type = try #require(call.headers["Content-Type"])
    #expect(try MultipartBoundary(contentType: type).bytes.count > 20)
    #expect(call.url.path == "/base/v1/captures")
  }

  @Test func `a trial check returns an id and a token`() async throws {
    let server = StubTransport(201, #"{"id":"chk_1","token":"t","expires_at":"2026-01-01T00:00:00Z","page":"/check"}"#)
    #expect(try await client(server).demonstration() == CheckSession(id: "chk_1", token: "t"))
  }

  @Test(arguments: [
    (429, #"{"type":"t","title":"t","status":429,"detail":"d","code":"too-many-requests"}"#, "too-many-requests"),
    (200, "[]", "unreadable"), (502, "<html>", "unreadable"), (200, "", "unreadable"),
    (201, #"{"id":7}"#, "unreadable"),
  ])
  func `an error response is reported by its code`(status: Int, body: String, code: String) async throws {
    let server = StubTransport(status, body)
    let thrown = await #expect(throws: ClientError.self) { try await client(server).demonstration() }
    #expect(thrown?.code.text == code && thrown?.status == status)
    await #expect(throws: ClientError.self) {
      try await client(server).send(CaptureUploadForm(photo: [1]), signature: nil)
    }
  }

  @Test func `printing reveals no capture data`() {
    var dumped = ""
    dump(CaptureUploadForm(photo: [1, 2, 3]), to: &dumped)
    #expect(!dumped.contains { $0.isNumber })
  }

  private func client(_ server: StubTransport) throws -> CaptureClient {
    CaptureClient(server: try #require(URL(string: "https://mien.example/base/")), key: "secret", transport: server)
  }
}
