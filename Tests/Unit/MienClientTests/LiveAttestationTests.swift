import Crypto
import Foundation
import MienApple
import MienClient
import MienCore
import MienPlatform
import MienTestSupport
import MienAPI
import Testing

/// Attestation of an app as on a phone, against a real server with a test authority.
extension LiveServerTests {
  /// In-memory substitute for App Attest with a test authority.
  private actor InMemoryAttestor: AppAttestor {
    private let apple: SampleAppAttest
    private var key: SampleAppKey?
    private var counter: UInt32 = 0

    init(_ apple: SampleAppAttest) { self.apple = apple }

    func attestedKeyID() -> [UInt8]? { key?.id }
    func attest(_ clientData: [UInt8]) throws -> AttestationResult {
      let made = SampleAppKey()
      (key, counter) = (made, 0)
      return AttestationResult(keyID: made.id, object: try apple.attestation(of: made, over: clientData))
    }
    func assertion(over message: [UInt8]) throws -> AttestationResult {
      let key = try #require(key)
      counter += 1
      return AttestationResult(keyID: key.id, object: try key.assertion(over: message, counter: counter))
    }
  }

  @Test func `an app is attested once and asserts each capture`() async throws {
    let now = UnixTime(milliseconds: Int64(Date().timeIntervalSince1970 * 1000))
    let apple = try SampleAppAttest(at: now.adding(.seconds(-3600)))
    let root = FileManager.default.temporaryDirectory.appendingPathComponent("mien-root-\(UUID().uuidString).pem")
    try Data(apple.rootPEM.utf8).write(to: root)
    defer { try? FileManager.default.removeItem(at: root) }
    let program = try #require(Place.program)
    let own = try LiveServer(
      program, arguments: ["--app-attest-root", root.path, "--app-attest-app", SampleAppAttest.app])
    let client = CaptureClient(server: own.address, key: own.key)
    let (key, attestor) = (InMemoryKey(), InMemoryAttestor(apple))
    let registrar = DeviceRegistration(key: key, attestor: attestor, client: client)
    #expect(await registrar.assertion(over: [1]) == nil, "nothing is asserted before the server knows the key")
    #expect(await registrar.attestIfNeeded())
    let first = await attestor.attestedKeyID()
    // The app is restarted, and the server already has its key.
    let again = DeviceRegistration(key: key, attestor: attestor, client: client)
    #expect(await again.attestIfNeeded())
    #expect(await attestor.attestedKeyID() == first)

    let image = try Data(contentsOf: Place.package.appendingPathComponent("Web/assets/avatars/bear.png"))
    let form = CaptureUploadForm(photo: Array(image))
    for _ in 0..<2 {
      let counter = await key.nextCounter()
      let lines = form.lines(device: key.device, counter: counter, digest: Self.digest)
      let part = try form.signaturePart(
        device: key.device, counter: counter, signature: try await key.sign(lines), digest: Self.digest)
      let assertion = try #require(await again.assertion(over: lines))
      let asserted = try await storedCapture(
        of: try await client.send(form, signature: part, assertion: assertion), at: own)
      #expect(asserted.status(of: "app") == "pass" && asserted.status(of: "integrity") == "pass")
      let replayed = try await storedCapture(
        of: try await client.send(form, signature: part, assertion: assertion), at: own)
      #expect(replayed.status(of: "app") == "fail")
    }
  }

  @Test func `a server without attestation checks accepts the device`() async throws {
    let apple = try SampleAppAttest(at: UnixTime(milliseconds: 1_790_000_000_000))
    let (key, attestor) = (InMemoryKey(), InMemoryAttestor(apple))
    let client = CaptureClient(server: server.address, key: server.key)
    let registrar = DeviceRegistration(key: key, attestor: attestor, client: client)
    #expect(await !registrar.attestIfNeeded())
    #expect(await attestor.attestedKeyID() == nil, "no key is created without an owner")
    #expect(try await client.register(key).appAttest == nil)
  }
}
