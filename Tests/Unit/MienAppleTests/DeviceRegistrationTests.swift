import Foundation
import MienApple
import MienClient
import MienAPI
import Testing

/// Registration of a device with a server, including all failures.
@Suite struct `Device registration` {
  private typealias Parts = `Phone captures`

  /// Server that stores one device.
  private actor StubServer: Transport {
    private let refusal: String?
    private let isThere: Bool
    private(set) var known: AppAttestRequest?
    private(set) var calls: [String] = []

    /// - Parameter refusal: problem code returned for the challenge or for the attestation.
    init(refusal: String? = nil, isThere: Bool = true) { (self.refusal, self.isThere) = (refusal, isThere) }

    nonisolated func send(_ call: APIRequest) async throws -> APIResponse { try await answer(call) }

    private func answer(_ call: APIRequest) throws -> APIResponse {
      guard isThere else { throw ClientError(.unreachable, detail: "There is no network.") }
      calls.append(call.url.lastPathComponent)
      if call.url.lastPathComponent == "challenges" {
        if refusal == "attestation-disabled" { return problem(403) }
        return reply(#"{"challenge":"chl_\#(calls.count)","expires_at":"2026-01-01T00:05:00Z"}"#)
      }
      let options = try JSONDecoder().decode(RegisterDeviceRequest.self, from: Data(call.body ?? []))
      if let submission = options.appAttest {
        if refusal != nil { return problem(422) }
        known = submission
      }
      let app = known.map {
        #","app_attest":{"key_id":"\#($0.keyID)","environment":"production","counter":0,"attested_at":"2026-01-01T00:00:00Z"}"#
      }
      return reply(
        #"{"device":"phone-1","counter":0,"created_at":"2026-01-01T00:00:00Z"\#(app ?? "")}"#)
    }

    private func reply(_ body: String) -> APIResponse { APIResponse(status: 201, body: Array(body.utf8)) }
    private func problem(_ status: Int) -> APIResponse {
      let code = refusal ?? ""
      return APIResponse(
        status: status,
        body: Array(#"{"type":"t","title":"t","status":\#(status),"detail":"d","code":"\#(code)"}"#.utf8))
    }
  }

  /// Attestation service that can fail.
  private actor Attestor: AppAttestor {
    struct Silent: Error {}
    private let isSilent: Bool
    private(set) var attested: [[UInt8]] = []
    private var keyID: [UInt8]?

    init(isSilent: Bool = false) { self.isSilent = isSilent }

    func attestedKeyID() -> [UInt8]? { keyID }
    func attest(_ clientData: [UInt8]) async throws -> AttestationResult {
      attested.append(clientData)
      await Task.yield()
      if isSilent { throw Silent() }
      let id = [UInt8](repeating: UInt8(attested.count), count: 32)
      keyID = id
      return AttestationResult(keyID: id, object: [1, 2])
    }
    func assertion(over message: [UInt8]) throws -> AttestationResult {
      guard let keyID, !isSilent else { throw Silent() }
      return AttestationResult(keyID: keyID, object: message)
    }
  }

  private func registrar(
    _ server: StubServer, _ attestor: Attestor?, key: Parts.MemoryKey = Parts.MemoryKey()
  ) throws -> DeviceRegistration {
    DeviceRegistration(
      key: key, attestor: attestor,
      client: CaptureClient(server: try #require(URL(string: "https://mien.example")), transport: server))
  }

  @Test func `an attestation covers the client data signed by the device key`() async throws {
    let (server, attestor, key) = (StubServer(), Attestor(), Parts.MemoryKey())
    let registrar = try registrar(server, attestor, key: key)
    #expect(await registrar.assertion(over: [9]) == nil)
    #expect(await registrar.attestIfNeeded())
    #expect(await server.calls == ["devices", "challenges", "devices"])
    let submission = try #require(await server.known)
    let point = Data([4] + (await key.publicKey())).base64EncodedString()
      .replacingOccurrences(of: "+", with: "-").replacingOccurrences(of: "/", with: "_").replacingOccurrences(
        of: "=", with: "")
    let data = Array("mien-attestation-1\nchallenge=chl_2\ndevice=phone-1\nkey=\(point)\n".utf8)
    #expect(await attestor.attested == [data] && submission.challenge == "chl_2")
    #expect(submission.keyID == String(repeating: "AQEB", count: 10) + "AQE" && submission.attestation == "AQI")
    let signature = submission.signature.replacingOccurrences(of: "-", with: "+").replacingOccurrences(
      of: "_", with: "/")
    #expect(try await key.verifies(Array(try #require(Data(base64Encoded: signature + "=="))), data))
    let part = try #require(await registrar.assertion(over: [9]))
    #expect(String(decoding: part, as: UTF8.self) == #"{"assertion":"CQ","key_id":"\#(submission.keyID)"}"#)
  }

  @Test func `Apple is asked once regardless of concurrent callers and app launches`() async throws {
    let (server, attestor) = (StubServer(), Attestor())
    let registrar = try registrar(server, attestor)
    await withTaskGroup(of: Bool.self) { group in
      for _ in 0..<8 { group.addTask { await registrar.attestIfNeeded() } }
      for await done in group { #expect(done) }
    }
    #expect(await self.registrarKnows(server, attestor))
    #expect(await attestor.attested.count == 1)
  }

  private func registrarKnows(_ server: StubServer, _ attestor: Attestor) async -> Bool {
    (try? await registrar(server, attestor).attestIfNeeded()) == true
  }

  @Test func `registration succeeds without attestation where the platform has none`() async throws {
    let server = StubServer()
    let registrar = try registrar(server, nil)
    #expect(await !registrar.attestIfNeeded())
    try await registrar.register()
    #expect(await server.calls == ["devices"])
    #expect(await server.known == nil)
    #expect(await registrar.assertion(over: [9]) == nil)
  }

  @Test(arguments: [("attestation-disabled", 0), ("attestation-rejected", 1)])
  func `a registration rejected by the server is not retried`(code: String, attestations: Int) async throws {
    let (server, attestor) = (StubServer(refusal: code), Attestor())
    let registrar = try registrar(server, attestor)
    for _ in 0..<4 { #expect(await !registrar.attestIfNeeded()) }
    #expect(await attestor.attested.count == attestations)
    #expect(await server.calls.filter { $0 == "challenges" }.count == 1)
    try await registrar.register()
    #expect(await registrar.assertion(over: [9]) == nil, "the server does not know the key")
  }

  @Test func `attestation without a reply is attempted three times and never throws`() async throws {
    let attestor = Attestor(isSilent: true)
    let registrar = try registrar(StubServer(), attestor)
    for _ in 0..<9 { #expect(await !registrar.attestIfNeeded()) }
    #expect(await attestor.attested.count == 3)
    let lost = try self.registrar(StubServer(isThere: false), Attestor())
    #expect(await !lost.attestIfNeeded())
    await #expect(throws: ClientError.self) { try await lost.register() }
  }
}
