internal import MienPlatform
public import MienCaptures
internal import MienCore
internal import Testing

/// Conformance test for ``AttestationVerifier``.
///
/// - Parameter make: creates a verifier that trusts a root certificate in PEM for an app.
public func checkAttestationVerifier(
  _ apple: SampleAppAttest, _ make: (_ rootPEM: String, _ app: String) throws -> some AttestationVerifier
) async throws {
  let verifier = try make(apple.rootPEM, SampleAppAttest.app)
  let (key, data) = (SampleAppKey(), Array("data".utf8))
  let id = try #require(ContentDigest(bytes: key.id))
  let object = try apple.attestation(of: key, over: data)
  let attested = try await verifier.attestedKey(in: object, keyID: id, clientData: data, at: apple.time)
  #expect(attested.id == id && attested.key.bytes == key.point && attested.counter == 0)
  for wrong in [[], Array(object.dropLast()), object + [0]] {
    await #expect(throws: AttestationError(.object, "")) {
      _ = try await verifier.attestedKey(in: wrong, keyID: id, clientData: data, at: apple.time)
    }
  }
  await #expect(throws: AttestationError(.nonce, "")) {
    _ = try await verifier.attestedKey(in: object, keyID: id, clientData: data + [0], at: apple.time)
  }
  #expect(verifier.takes(.production), "the production environment is accepted")
  let assertion = try key.assertion(over: data, counter: 4)
  #expect(try verifier.counter(of: assertion, over: data, by: attested) == 4)
  #expect(throws: AttestationError(.signature, "")) {
    _ = try verifier.counter(of: assertion, over: [], by: attested)
  }
  #expect(throws: AttestationError(.object, "")) { _ = try verifier.counter(of: [], over: data, by: attested) }
}

/// Conformance test for ``CaptureStore``: attested keys and challenges.
func checkAttestation(_ store: some CaptureStore) async throws {
  try await checkChallenges(store)
  let id = try #require(DeviceID("attested"))
  let (own, other) = (try sampleKey(), try #require(DeviceKey(bytes: SampleAppKey().point)))
  #expect(try await store.attest(id, key: own, sampleAttested(1)) == nil, "the device does not exist")
  try await store.save(CaptureDevice(id: id, key: own, counter: 0, created: UnixTime(milliseconds: 5)))
  #expect(try await store.attest(id, key: other, sampleAttested(1)) == nil, "the device has another key")
  #expect(try await store.device(id)?.attested == nil)
  let attested = try sampleAttested(1)
  #expect(try await store.attest(id, key: own, attested)?.attested == attested)
  #expect(try await store.device(id)?.attested == attested)

  // Assertion's counter, key, changed parts; counter before and after.
  let rows: [(Int64, AttestedKey, [CapturePart], before: Int64?, after: Int64)] = [
    (3, attested, [], 0, 3), (3, attested, [], 3, 3), (2, attested, [], 3, 3), (9, attested, [.photo], 3, 3),
    (9, try sampleAttested(2), [], nil, 3), (4_294_967_295, attested, [], 3, 4_294_967_295),
  ]
  for (number, row) in rows.enumerated() {
    let facts = SignatureOutcome(
      device: id, counter: Int64(number + 1), standing: .valid, changed: row.2,
      attestation: AttestationOutcome(environment: .production, standing: .valid, counter: row.0, keyID: row.1.id))
    let kept = try await store.save(sampleCapture(200 + UInt64(number), photo: 200 + UInt8(number), signature: facts))
    #expect(kept.history.assertion == row.before, "row \(number)")
    #expect(try await store.device(id)?.attested?.counter == row.after, "row \(number)")
    #expect(try await store.capture(kept.id) == kept, "all values are restored unchanged")
    _ = try await store.deleteCapture(kept.id)
  }
  let same = try await store.attest(id, key: own, attested)
  #expect(same?.attested?.counter == 4_294_967_295, "the counter of the same key does not go back")
  let next = try await store.attest(id, key: own, sampleAttested(3, .development))
  #expect(next?.attested == (try sampleAttested(3, .development)), "another key starts over")

  let whole = CaptureDevice(
    id: try #require(DeviceID("whole")), key: own, counter: 4, created: UnixTime(milliseconds: 5), attested: attested)
  try await store.save(whole)
  #expect(try await store.device(whole.id) == whole)
  for device in [id, whole.id] { #expect(try await store.deleteDevice(device)) }
}

private func checkChallenges(_ store: some CaptureStore) async throws {
  let at = { (seconds: Int64) in UnixTime(milliseconds: 1_790_000_000_000 + seconds * 1000) }
  let digests = (0..<4).map { SecretDigest(of: "challenge \($0)") }
  #expect(try await !store.takeChallenge(digests[0], at: at(0)))
  for digest in digests[..<3] { try await store.saveChallenge(digest, until: at(10), at: at(0)) }
  #expect(try await store.takeChallenge(digests[0], at: at(9)))
  #expect(try await !store.takeChallenge(digests[0], at: at(9)), "once")
  #expect(try await !store.takeChallenge(digests[1], at: at(10)), "it has expired")
  try await store.saveChallenge(digests[3], until: at(20), at: at(10))
  #expect(try await !store.takeChallenge(digests[2], at: at(0)), "it was deleted after it expired")
  let (last, time) = (digests[3], at(11))
  let taken = try await withThrowingTaskGroup(of: Bool.self) { group in
    for _ in 0..<4 { group.addTask { try await store.takeChallenge(last, at: time) } }
    return try await group.reduce(0) { $0 + ($1 ? 1 : 0) }
  }
  #expect(taken == 1, "of concurrent callers, one acquires it")
}

private func sampleAttested(
  _ seed: UInt8, _ environment: AttestedKey.Environment = .production
) throws -> AttestedKey {
  AttestedKey(
    id: try #require(ContentDigest(bytes: [UInt8](repeating: seed, count: 32))), key: try sampleKey(),
    environment: environment, attested: UnixTime(milliseconds: 7))
}
