import MienTestGenerators
import MienCore
import MienPlatform
import MienCaptures
import MienTestSupport
import Testing

@testable import MienAttestation

@Suite struct `App Attest attestations` {
  static let now = UnixTime(milliseconds: 1_790_000_000_000)
  private let clientData = Array("client data".utf8)
  private let apple: SampleAppAttest
  private let key = SampleAppKey()

  init() throws { apple = try SampleAppAttest(at: Self.now) }

  private func verifier(
    _ root: SampleAppAttest? = nil, apps: [String] = [SampleAppAttest.app], development: Bool = false
  ) throws -> AppAttestVerifier {
    AppAttestVerifier(
      try AppAttestSettings(
        rootPEM: (root ?? apple).rootPEM, apps: apps, allowsDevelopment: development, at: Self.now))
  }

  private func step(
    _ form: SampleAppAttest.Form, by verifier: AppAttestVerifier? = nil, days: Double = 0,
    from authority: SampleAppAttest? = nil
  ) async throws -> AttestationError.Step? {
    let object = try (authority ?? apple).attestation(of: key, over: clientData, form)
    let time = Self.now.adding(.seconds(days * 86_400))
    let (verifier, id) = (try verifier ?? self.verifier(), try #require(ContentDigest(bytes: key.id)))
    do throws(AttestationError) {
      _ = try await verifier.attestedKey(in: object, keyID: id, clientData: clientData, at: time)
      return nil
    } catch {
      return error.step
    }
  }

  @Test func `a genuine attestation returns its key`() async throws {
    let object = try apple.attestation(of: key, over: clientData)
    let id = try #require(ContentDigest(bytes: key.id))
    let attested = try await verifier().attestedKey(in: object, keyID: id, clientData: clientData, at: Self.now)
    #expect(attested.id == id && attested.key.bytes == key.point && attested.counter == 0)
    #expect(attested.environment == .production && attested.attested == Self.now)
    var form = SampleAppAttest.Form()
    form.aaguid = SampleAppAttest.development
    let trial = try apple.attestation(of: key, over: clientData, form)
    let found = try await verifier(development: true).attestedKey(
      in: trial, keyID: id, clientData: clientData, at: Self.now)
    #expect(found.environment == .development)
  }

  @Test func `the credential public key is optional and extensions are accepted`() async throws {
    var form = SampleAppAttest.Form()
    for behind in [[], key.cose + SampleCBOR.map([])] {
      form.behindCredential = behind
      #expect(try await step(form) == nil)
    }
    for behind in [SampleAppKey().cose, SampleCBOR.map([]), SampleCBOR.number(1)] {
      form.behindCredential = behind
      #expect(try await step(form) == .credential)
    }
    for behind in [key.cose + [0, 0], [0xFF], Array(key.cose.dropLast())] as [[UInt8]] {
      form.behindCredential = behind
      #expect(try await step(form) == .object)
    }
  }

  @Test func `a malformed attestation is rejected`() async throws {
    var form = SampleAppAttest.Form()
    form.format = "packed"
    #expect(try await step(form) == .object)
    form = SampleAppAttest.Form()
    form.sendsAuthority = false
    #expect(try await step(form) == .object)
    form = SampleAppAttest.Form()
    form.leaf = [0x30, 0x00]
    #expect(try await step(form) == .certificate)
    form.leaf = []
    #expect(try await step(form) == .certificate)
  }

  @Test func `an invalid certificate chain is rejected`() async throws {
    let form = SampleAppAttest.Form()
    let otherRoot = try SampleAppAttest(at: Self.now)
    #expect(try await step(form, by: verifier(otherRoot)) == .chain, "another root with the same name")
    let notAuthority = try SampleAppAttest(at: Self.now, isAuthority: false)
    #expect(try await step(form, by: verifier(notAuthority), from: notAuthority) == .chain)
    var more = form
    more.moreCertificates = [try leafOfAnother()]
    #expect(try await step(more) == .chain, "a certificate that is not part of the chain")
  }

  @Test func `an attestation outside its certificates' validity period is rejected`() async throws {
    var form = SampleAppAttest.Form()
    form.validDays = 1...2
    #expect(try await step(form, days: 0.9) == .validity)
    #expect(try await step(form, days: 1.5) == nil)
    #expect(try await step(form, days: 2.1) == .validity)
    let short = try SampleAppAttest(at: Self.now, authorityDays: 10)
    #expect(try await step(SampleAppAttest.Form(), by: verifier(short), days: 8, from: short) == nil)
    #expect(try await step(SampleAppAttest.Form(), by: verifier(short), days: 10, from: short) == .validity)
  }

  @Test func `other client data gives a nonce mismatch`() async throws {
    let object = try apple.attestation(of: key, over: Array("client date".utf8))
    let id = try #require(ContentDigest(bytes: key.id))
    let refusal = await #expect(throws: AttestationError.self) {
      _ = try await verifier().attestedKey(in: object, keyID: id, clientData: clientData, at: Self.now)
    }
    #expect(refusal?.step == .nonce)
    var form = SampleAppAttest.Form()
    form.nonce = [UInt8](repeating: 1, count: 32)
    #expect(try await step(form) == .nonce)
    let nonce = [UInt8](repeating: 1, count: 32)
    for value in [
      [], [0x30, 0x00], [0x04, 0x20] + nonce, [0x30, 0x22, 0x04, 0x20] + nonce, [0x30, 0x02, 0xA1, 0x00],
    ] {
      form.nonceExtension = value
      #expect(try await step(form) == .nonce, "an extension with another structure")
    }
  }

  @Test func `an attestation of another key is rejected`() async throws {
    let object = try apple.attestation(of: key, over: clientData)
    let other = try #require(ContentDigest(bytes: SampleAppKey().id))
    let refusal = await #expect(throws: AttestationError.self) {
      _ = try await verifier().attestedKey(in: object, keyID: other, clientData: clientData, at: Self.now)
    }
    #expect(refusal?.step == .key)
    var form = SampleAppAttest.Form()
    for credential in [SampleAppKey().id, [], Array(key.id.dropLast()), key.id + [0]] {
      form.credential = credential
      #expect(try await step(form) == .credential)
    }
  }

  @Test func `another app, a nonzero counter or another environment is rejected`() async throws {
    var form = SampleAppAttest.Form()
    form.app = "TEAM123456.com.example.other"
    #expect(try await step(form) == .app)
    #expect(try await step(form, by: verifier(apps: ["TEAM123456.a", form.app])) == nil, "one of several")
    form = SampleAppAttest.Form()
    form.counter = 1
    #expect(try await step(form) == .counter)
    form = SampleAppAttest.Form()
    form.aaguid = SampleAppAttest.development
    #expect(try await step(form) == .environment)
    form.aaguid = [UInt8](repeating: 0, count: 16)
    #expect(try await step(form, by: verifier(development: true)) == .environment)
  }

  @Test func `an attestation truncated anywhere is rejected`() async throws {
    let object = try apple.attestation(of: key, over: clientData)
    for count in 0..<object.count {
      #expect(throws: AttestationFormatError.self) { try AttestationObject(Array(object.prefix(count))) }
    }
    for tail in [[0], [0xFF], object] {
      #expect(throws: AttestationFormatError.self) { try AttestationObject(object + tail as [UInt8]) }
    }
    #expect(throws: AttestationFormatError.tooLarge(AttestationObject.maximumBytes)) {
      try AttestationObject([UInt8](repeating: 0, count: AttestationObject.maximumBytes + 1))
    }
  }

  /// Verifying the complete chain for each of the object's thousand bytes would take long: the beginning and the end
  /// are tested completely, and every eighth byte in between. Those bytes differ in each run, because the keys are new.
  @Test func `an attestation with one flipped bit is rejected or gives the same result`() async throws {
    let object = try apple.attestation(of: key, over: clientData)
    let id = try #require(ContentDigest(bytes: key.id))
    let verifier = try verifier()
    let good = try await verifier.attestedKey(in: object, keyID: id, clientData: clientData, at: Self.now)
    let (receipt, certificates) = (try AttestationObject(object).receipt, try AttestationObject(object).certificates)
    var generator = SplitMixGenerator(seed: 7)
    var held = 0
    for place in object.indices where place < 40 || place > object.count - 200 || place % 8 == 3 {
      var changed = object
      changed[place] ^= 1 << UInt8.random(in: 0..<8, using: &generator)
      guard let found = try? await verifier.attestedKey(in: changed, keyID: id, clientData: clientData, at: Self.now)
      else { continue }
      #expect(found == good, "byte \(place)")
      let read = try AttestationObject(changed)
      #expect(read.receipt != receipt || read.certificates != certificates)
      held += 1
    }
    #expect(held <= 20 + receipt.count, "only unread data may be changed")
  }

  private func leafOfAnother() throws -> [UInt8] {
    try #require(AttestationObject(try apple.attestation(of: SampleAppKey(), over: clientData)).certificates.first)
  }
}

@Suite struct `App Attest configuration` {
  private func code(_ pem: String, _ apps: [String] = [SampleAppAttest.app], days: Double = 0) -> AppAttestSettingsError
    .Code?
  {
    do {
      _ = try AppAttestSettings(
        rootPEM: pem, apps: apps, allowsDevelopment: false,
        at: `App Attest attestations`.now.adding(.seconds(days * 86_400)))
      return nil
    } catch {
      return (error as? AppAttestSettingsError)?.code
    }
  }

  @Test func `a valid root and an app id are required`() throws {
    let apple = try SampleAppAttest(at: `App Attest attestations`.now)
    let pem = try apple.rootPEM
    #expect(code(pem) == nil && code(pem + pem) == nil)
    for text in ["", "no certificate", pem.replacing("CERTIFICATE", with: "PUBLIC KEY"), String(pem.dropLast(40))] {
      #expect(code(text) == .badRoot)
    }
    let leaf = try AttestationObject(apple.attestation(of: SampleAppKey(), over: [])).certificates[0]
    let lines = stride(from: 0, to: leaf.count, by: 48).map { Base64.encode(leaf[$0..<min($0 + 48, leaf.count)]) }
    #expect(
      code("-----BEGIN CERTIFICATE-----\n\(lines.joined(separator: "\n"))\n-----END CERTIFICATE-----\n") == .badRoot)
    #expect(code(pem, days: -2) == .badTime && code(pem, days: 4000) == .badTime)
    for apps in [
      [], ["com.example.app"], ["TEAM123456"], ["TEAM123456."], ["TEAM12345ü.a"], [SampleAppAttest.app, "x"],
    ] {
      #expect(code(pem, apps) == .badApp)
    }
  }

  private enum Base64 {
    static func encode(_ bytes: ArraySlice<UInt8>) -> String {
      let text = Base64URL.encode(Array(bytes)).map { $0 == "-" ? "+" : $0 == "_" ? "/" : $0 }
      return String(text) + String(repeating: "=", count: (3 - bytes.count % 3) % 3)
    }
  }
}
