import MienTestGenerators
import Crypto
import Foundation
import MienAuthenticity
import MienBlobs
import MienImaging
import MienCore
import MienPlatform
import MienCaptures
import MienStore
import MienTestSupport
import Testing

/// Attestation in the service, with a verifier that accepts one object.
@Suite final class `App attestation service` {
  private struct Verifier: AttestationVerifier {
    var takesDevelopment = true

    func attestedKey(
      in object: [UInt8], keyID: ContentDigest, clientData: [UInt8], at time: UnixTime
    ) async throws(AttestationError) -> AttestedKey {
      guard object == [1], let key = DeviceKey(bytes: SampleAppKey().point) else {
        throw AttestationError(.nonce, "The object is not the expected one.")
      }
      return AttestedKey(id: keyID, key: key, environment: .development, attested: time)
    }
    func takes(_ environment: AttestedKey.Environment) -> Bool { takesDevelopment }
    func counter(of object: [UInt8], over data: [UInt8], by key: AttestedKey) throws(AttestationError) -> Int64 {
      guard object == [2] else { throw AttestationError(.signature, "The object is not the expected one.") }
      return 1
    }
  }

  private let clock = ManualClock()
  private let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mien-attest-\(UUID())").path
  private let key = P256.Signing.PrivateKey()
  private let store: SQLiteStore
  private var services: UInt64 = 0

  init() throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    store = try SQLiteStore(path: folder + "/mien.sqlite")
  }
  deinit { try? FileManager.default.removeItem(atPath: folder) }

  private func service(_ verifier: Verifier?) throws -> CaptureService {
    services += 1
    return CaptureService(
      store: store, blobs: try FileBlobStore(folder + "/blobs"), clock: clock, settings: CaptureSettings(),
      reader: UnreadableCaptures(),
      scheduler: AnalysisScheduler(clock: clock, places: 1, maximumWaiting: 1), verifier: verifier,
      generator: SplitMixGenerator(seed: services))
  }

  private var phone: DeviceID {
    get throws { try #require(DeviceID("phone")) }
  }
  private var point: DeviceKey {
    get throws { try #require(DeviceKey(bytes: Array(key.publicKey.x963Representation))) }
  }

  private func claim(_ challenge: String, object: [UInt8] = [1]) throws -> AttestationSubmission {
    let data = AttestationSubmission.clientData(challenge: challenge, device: try phone, key: try point)
    return AttestationSubmission(
      keyID: ContentDigest(of: [1]), challenge: challenge, object: object,
      signature: Array(try key.signature(for: Array(data.utf8)).rawRepresentation))
  }

  private func refusal(_ claim: AttestationSubmission, by service: CaptureService) async throws -> String? {
    do {
      _ = try await service.register(phone, key: point, claim: claim)
      return nil
    } catch let error as ServiceError where error.code == .attestationRejected {
      return error.reason
    }
  }

  @Test func `a challenge is valid for five minutes and can be used once`() async throws {
    let service = try service(Verifier())
    let challenges = try await (service.makeChallenge(), service.makeChallenge(), service.makeChallenge())
    #expect(challenges.0.challenge != challenges.1.challenge)
    #expect(challenges.0.expires == clock.timeOfDay().adding(.seconds(300)))
    #expect(try await refusal(claim(challenges.0.challenge, object: [9]), by: service)?.contains("\"nonce\"") == true)
    #expect(try await refusal(claim(challenges.0.challenge), by: service)?.contains("\"challenge\"") == true)
    #expect(try await store.device(phone) == nil, "nothing is registered")
    clock.advance(by: .seconds(299))
    #expect(try await refusal(claim(challenges.1.challenge), by: service) == nil)
    #expect(try await store.device(phone)?.attested?.environment == .development)
    clock.advance(by: .seconds(1))
    #expect(try await refusal(claim(challenges.2.challenge), by: service)?.contains("\"challenge\"") == true)
  }

  @Test func `a key that is no longer trusted attests nothing`() async throws {
    let service = try service(Verifier())
    #expect(try await refusal(claim(service.makeChallenge().challenge), by: service) == nil)
    let reasons = try await [
      app(at: service), app(at: self.service(Verifier(takesDevelopment: false))), app(at: self.service(nil)),
    ]
    #expect(reasons == [["key-attested", "development-app"], ["not-attested"], ["attestation-disabled"]])
    let asserted = try await app(at: service, CaptureAssertion(keyID: ContentDigest(of: [1]), object: [2]))
    #expect(asserted == ["capture-asserted", "development-app"])
  }

  @Test func `no challenges are issued without a verifier`() async throws {
    let service = try service(nil)
    let off = await #expect(throws: ServiceError.self) { _ = try await service.makeChallenge() }
    #expect(off?.code == .attestationDisabled)
    await #expect(throws: ServiceError(.attestationDisabled, "")) {
      _ = try await service.register(phone, key: point, claim: claim("chl_x"))
    }
  }

  private var counter: Int64 = 0

  /// Returns the reasons of the app's verification line for one more capture.
  private func app(at service: CaptureService, _ assertion: CaptureAssertion? = nil) async throws -> [String] {
    counter += 1
    var draft = CaptureDraft()
    var digests = CaptureDigests()
    digests[.photo] = ContentDigest(of: Array("\(counter)".utf8))
    draft.digests = digests
    let unsigned = try #require(
      CaptureSignature(device: try phone, counter: counter, signed: digests, bytes: []))
    let bytes = Array(try key.signature(for: Array(unsigned.text.utf8)).rawRepresentation)
    draft.signature = CaptureSignature(device: try phone, counter: counter, signed: digests, bytes: bytes)
    draft.assertion = assertion
    let capture = try await service.take(draft).capture
    return try #require(CaptureLines.lines(of: capture).first { $0.name == .app }).reasons
  }
}
