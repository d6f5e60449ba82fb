import MienCore
import MienPlatform
import MienCaptures
import MienTestSupport
import Testing

@testable import MienAttestation

@Suite struct `App Attest assertions` {
  private let clientData = Array("mien-capture-1\n".utf8)
  private let key = SampleAppKey()
  private let verifier: AppAttestVerifier
  private let attested: AttestedKey

  init() throws {
    let now = UnixTime(milliseconds: 1_790_000_000_000)
    verifier = AppAttestVerifier(
      try AppAttestSettings(
        rootPEM: SampleAppAttest(at: now).rootPEM, apps: [SampleAppAttest.app], allowsDevelopment: false, at: now))
    attested = AttestedKey(
      id: try #require(ContentDigest(bytes: key.id)), key: try #require(DeviceKey(bytes: key.point)),
      environment: .production, attested: now)
  }

  private func step(_ object: [UInt8], over data: [UInt8]? = nil) -> AttestationError.Step? {
    do throws(AttestationError) {
      _ = try verifier.counter(of: object, over: data ?? clientData, by: attested)
      return nil
    } catch {
      return error.step
    }
  }

  @Test(arguments: [UInt32(0), 1, 255, 65_536, .max])
  func `a valid assertion returns its counter`(counter: UInt32) throws {
    let object = try key.assertion(over: clientData, counter: counter)
    #expect(try verifier.counter(of: object, over: clientData, by: attested) == Int64(counter))
  }

  @Test func `an assertion by another key, over other data or of another app is rejected`() throws {
    let object = try key.assertion(over: clientData, counter: 1)
    #expect(step(object, over: clientData + [0]) == .signature)
    #expect(try step(SampleAppKey().assertion(over: clientData, counter: 1)) == .signature)
    #expect(try step(key.assertion(over: clientData, counter: 1, app: "TEAM123456.com.example.other")) == .app)
  }

  @Test func `extensions are accepted and trailing authenticator data is rejected`() throws {
    #expect(try step(key.assertion(over: clientData, counter: 1, behind: SampleCBOR.map([]))) == nil)
    for behind in [[0xFF], [0, 0], [0xA1]] as [[UInt8]] {
      #expect(try step(key.assertion(over: clientData, counter: 1, behind: behind)) == .object)
    }
  }

  @Test func `a truncated, extended or malformed assertion is rejected`() throws {
    let object = try key.assertion(over: clientData, counter: 1)
    for count in 0..<object.count { #expect(step(Array(object.prefix(count))) == .object) }
    #expect(step(object + [0]) == .object)
    let (signature, data) = (SampleCBOR.text("signature"), SampleCBOR.text("authenticatorData"))
    for other in [
      SampleCBOR.array([]), SampleCBOR.map([(signature, SampleCBOR.bytes([1]))]),
      SampleCBOR.map([(signature, SampleCBOR.bytes([])), (data, SampleCBOR.text("x"))]),
      SampleCBOR.map([(signature, SampleCBOR.bytes([])), (data, SampleCBOR.bytes([UInt8](repeating: 0, count: 36)))]),
      SampleCBOR.map([(signature, SampleCBOR.bytes([])), (data, SampleCBOR.bytes([])), (data, SampleCBOR.bytes([]))]),
      [UInt8](repeating: 0, count: AssertionObject.maximumBytes + 1),
    ] { #expect(step(other) == .object) }
  }

  @Test func `an assertion with one flipped bit is rejected`() throws {
    let object = try key.assertion(over: clientData, counter: 77)
    for place in object.indices {
      for bit in 0..<8 {
        var changed = object
        changed[place] ^= 1 << UInt8(bit)
        #expect(step(changed) != nil, "byte \(place), bit \(bit)")
      }
    }
  }

  @Test func `the verifier conforms to the attestation verifier contract`() async throws {
    let apple = try SampleAppAttest(at: UnixTime(milliseconds: 1_790_000_000_000))
    try await checkAttestationVerifier(apple) { pem, app in
      AppAttestVerifier(try AppAttestSettings(rootPEM: pem, apps: [app], allowsDevelopment: false, at: apple.time))
    }
  }
}
