import MienCore
internal import MienPlatform
internal import MienSecurity
public import MienAccess
import Testing

/// Conformance test for ``APIKeyLookup``.
public func checkAPIKeyLookup(_ make: () async throws -> some APIKeyLookup & APIKeyStore) async throws {
  func time(_ milliseconds: Int64) -> UnixTime { UnixTime(milliseconds: milliseconds) }
  let store = try await make()
  let old = SecretDigest(of: "mien_old")
  try await store.addKey(old, at: time(1))
  let first = try #require(try await store.key(old))
  #expect(first == APIKeyRecord(digest: old, created: time(1)), "keys that predate scopes have all permissions")

  let key = APIKeyRecord(
    digest: SecretDigest(of: "mien_new"), name: "till", scopes: [.checks, .read], created: time(2), expires: time(100))
  try await store.add(key)
  #expect(try await store.hasKey(key.digest))
  #expect(try await store.key(key.digest) == key)
  #expect(try await store.keys() == [first, key])
  let twice = await #expect(throws: StoreError.self) { try await store.add(key) }
  #expect(twice?.code == .duplicate)

  #expect(try await store.expire(key.digest, at: time(500)))
  #expect(try await store.key(key.digest)?.expires == time(100), "a key's lifetime is never extended")
  #expect(try await store.expire(key.digest, at: time(50)))
  #expect(try await store.expire(old, at: time(60)))
  #expect(try await store.keys().map(\.expires) == [time(60), time(50)])

  try await store.used([key.digest: time(30), old: time(20), SecretDigest(of: "mien_none"): time(1)])
  try await store.used([key.digest: time(10)])
  #expect(try await store.keys().map(\.lastUsed) == [time(20), time(30)], "times never decrease")

  #expect(try await store.revoke(key.digest, at: time(40)))
  #expect(try await !store.revoke(key.digest, at: time(41)))
  #expect(try await store.keys().map(\.revoked) == [nil, time(40)])
  #expect(try await store.key(SecretDigest(of: "mien_none")) == nil)
  #expect(try await !store.revoke(SecretDigest(of: "mien_none"), at: time(1)))
  #expect(try await !store.expire(SecretDigest(of: "mien_none"), at: time(1)))
}

/// Conformance test for ``AuditStore``.
public func checkAuditStore(_ make: () async throws -> some AuditStore) async throws {
  let store = try await make()
  let keyring = try #require(MasterKeyring(key: [UInt8](repeating: 7, count: 32)))
  let log = AuditLog(store: store, keyring: keyring, clock: ManualClock())
  #expect(try await log.verify() == .whole(count: 0, head: String(repeating: "0", count: 64)))
  // Concurrent entries form one sequence, without duplicates or gaps.
  try await withThrowingTaskGroup(of: Void.self) { group in
    for number in 0..<60 {
      group.addTask { try await log.add(.deletedPerson, of: "person/\(number)", by: "key_0123456789abcdef") }
    }
    try await group.waitForAll()
  }
  let records = try await log.records(after: 0, limit: 100)
  #expect(records.map(\.number) == Array(1...60))
  #expect(Set(records.map(\.entry.subject)).count == 60)
  #expect(try await log.records(after: 58, limit: 1).map(\.number) == [59])
  #expect(try await log.last(2).map(\.number) == [59, 60])
  let head = try #require(records.last)
  #expect(try await log.verify() == .whole(count: 60, head: head.linkText))
  #expect(try await log.verify(keeping: (30, records[29].linkText)) == .whole(count: 60, head: head.linkText))
  #expect(try await log.verify(keeping: (30, records[30].linkText)) == .missing(number: 30))
  #expect(try await log.verify(keeping: (61, head.linkText)) == .missing(number: 61))

  let other = try #require(MasterKeyring(key: [UInt8](repeating: 8, count: 32)))
  let forger = AuditLog(store: store, keyring: other, clock: ManualClock())
  #expect(try await forger.verify() == .broken(at: 1), "a valid chain requires the keyring")
  try await forger.add(.deletedCheck, of: "check/none", by: "anyone")
  #expect(try await log.verify() == .broken(at: 61))
}
