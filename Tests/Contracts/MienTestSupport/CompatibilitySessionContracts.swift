internal import MienCore
internal import MienPlatform
public import MienSecurity
public import MienChecks
internal import Testing

/// Conformance test for ``EncryptedSecretStore``.
public func checkEncryptedSecretStore(_ make: () async throws -> some EncryptedSecretStore) async throws {
  let store = try await make()
  func secret(_ name: String, _ byte: UInt8, at time: Int64) -> EncryptedSecret {
    EncryptedSecret(
      kind: .awsAccessKey, name: name, sealed: [UInt8](repeating: byte, count: 68),
      created: UnixTime(milliseconds: time))
  }
  #expect(try await store.secret(.awsAccessKey, "one") == nil)
  #expect(try await store.secrets(.awsAccessKey) == [])
  let (one, two) = (secret("one", 1, at: 20), secret("two", 2, at: 10))
  try await store.save(one)
  try await store.save(two)
  #expect(try await store.secret(.awsAccessKey, "one") == one)
  #expect(try await store.secret(.signingKey, "one") == nil, "kinds are separate")
  #expect(try await store.secrets(.awsAccessKey) == [two, one], "oldest first")
  let twice = await #expect(throws: StoreError.self) { try await store.save(secret("one", 9, at: 30)) }
  #expect(twice?.code == .duplicate)
  #expect(try await store.secret(.awsAccessKey, "one") == one, "the first one is kept")
  #expect(try await store.removeSecret(.awsAccessKey, "one"))
  #expect(try await !store.removeSecret(.awsAccessKey, "one"))
  #expect(try await store.secrets(.awsAccessKey) == [two])
}

/// Conformance test for ``CompatibilitySessionStore``.
public func checkCompatibilitySessionStore(_ make: () async throws -> some CompatibilitySessionStore & CheckStore)
  async throws
{
  let store = try await make()
  func session(_ token: String?, owner: String = "MIEN1", parameters: UInt8 = 7) -> CompatibilitySession {
    CompatibilitySession(
      api: .aws, owner: owner, requestToken: token, parameters: [UInt8](repeating: parameters, count: 32),
      auditImages: 2)
  }
  let first = try sampleCheck("one", created: 1000, expires: 5000)
  #expect(try await store.create(first, session("order")) == nil)
  #expect(try await store.check(first.id)?.record == first)
  #expect(try await store.compatibilitySession(of: first.id) == session("order"))

  let again = try sampleCheck("two", created: 4999, expires: 9000)
  let earlier = try await store.create(again, session("order", parameters: 8))
  #expect(earlier?.0 == first.id && earlier?.1 == session("order"), "the first request determines the result")
  #expect(try await store.check(again.id) == nil, "the second was not stored")

  #expect(try await store.create(again, session("order", owner: "MIEN2")) == nil, "owners do not share tokens")
  let later = try sampleCheck("three", created: 5000, expires: 9000)
  #expect(try await store.create(later, session("order")) == nil, "the token of an expired session can be reused")
  #expect(try await store.compatibilitySession(of: first.id) == session(nil))
  for id in ["four", "five"] { #expect(try await store.create(try sampleCheck(id), session(nil)) == nil) }

  let twice = await #expect(throws: StoreError.self) { _ = try await store.create(first, session("other")) }
  #expect(twice?.code == .duplicate)
  let plain = try sampleCheck("chk_plain")
  try await store.create(plain)
  #expect(try await store.compatibilitySession(of: plain.id) == nil)
  #expect(try await !store.delete(first.id).isEmpty)
  #expect(try await store.compatibilitySession(of: first.id) == nil)

  let made = try await withThrowingTaskGroup(of: Bool.self) { group in
    for number in 0..<20 {
      group.addTask { try await store.create(try sampleCheck("race\(number)"), session("race")) == nil }
    }
    var made = 0
    for try await kept in group where kept { made += 1 }
    return made
  }
  #expect(made == 1, "of many concurrent requests with one token, one creates a session")
}

/// Conformance test for ``ImageStore``.
public func checkImageStore(_ make: () async throws -> some ImageStore & CheckStore) async throws {
  let store = try await make()
  let box = FaceBox(x: 0.25, y: 0.125, width: 0.5, height: 0.75)
  let images = [
    StoredImage(kind: .reference, bytes: [UInt8](repeating: 1, count: StoredImage.maximumBytes), box: box),
    StoredImage(kind: .audit, bytes: [2, 3], box: box), StoredImage(kind: .audit, bytes: [4], box: box),
  ]
  let check = try sampleCheck()
  try await store.create(check)
  #expect(try await store.images(of: check.id) == [])
  try await store.decide(check.id, try sampleResult(), keeping: images)
  #expect(try await store.images(of: check.id) == images)
  let twice = await #expect(throws: StoreError.self) {
    try await store.decide(check.id, try sampleResult(), keeping: Array(images.dropLast()))
  }
  #expect(twice?.code == .duplicate)
  #expect(try await store.images(of: check.id) == images, "the images of a rejected verdict are not stored")

  let unfit = try sampleCheck("chk_unfit")
  try await store.create(unfit)
  let large = StoredImage(kind: .audit, bytes: [UInt8](repeating: 1, count: StoredImage.maximumBytes + 1), box: box)
  await #expect(throws: StoreError.self) { try await store.decide(unfit.id, try sampleResult(), keeping: [large]) }
  #expect(try await store.check(unfit.id)?.result == nil, "either all or nothing is stored")

  // The sample was decided at 5000 ms.
  #expect(try await store.deletePictures(decidedBefore: UnixTime(milliseconds: 5000)) == 0)
  #expect(try await store.deletePictures(decidedBefore: UnixTime(milliseconds: 5001)) == 1)
  #expect(try await store.images(of: check.id) == [])
  #expect(try await store.check(check.id)?.result == (try sampleResult()), "the verdict remains")

  try await store.decide(unfit.id, try sampleResult(), keeping: images)
  #expect(try await !store.delete(unfit.id).isEmpty)
  #expect(try await store.images(of: unfit.id) == [])
}
