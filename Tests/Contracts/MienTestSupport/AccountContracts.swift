internal import MienCore
internal import MienPlatform
public import MienAccess
internal import Testing

/// Conformance test for ``AccountStore``.
public func checkAccountStore(_ make: () async throws -> some AccountStore) async throws {
  func time(_ milliseconds: Int64) -> UnixTime { UnixTime(milliseconds: milliseconds) }
  let store = try await make()
  let cheap = try #require(ScryptParameters(logRounds: 1, blockSize: 1, parallelism: 1))
  func hash(_ password: String) -> PasswordHash {
    PasswordHash(of: password, salt: [UInt8](repeating: 1, count: 16), cost: cheap)
  }
  let (anna, bert) = (try #require(AccountName("Anna")), try #require(AccountName("bert.2")))
  #expect(try await store.accounts() == [])
  #expect(try await store.account(anna) == nil)
  let second = Account(name: bert, role: .verifier, password: hash("b"), created: time(1), changed: time(1))
  let first = Account(name: anna, role: .operator, password: hash("a"), created: time(2), changed: time(3))
  try await store.addAccount(second)
  try await store.addAccount(first)
  #expect(try await store.account(anna) == first)
  #expect(try await store.accounts() == [first, second], "sorted by name")
  let twice = await #expect(throws: StoreError.self) { try await store.addAccount(first) }
  #expect(twice?.code == .duplicate)

  func session(_ secret: String, of name: AccountName, seen: Int64 = 10, expires: Int64 = 100) -> AccountSession {
    AccountSession(
      digest: SecretDigest(of: secret), account: name, created: time(10), seen: time(seen), expires: time(expires))
  }
  let one = session("one", of: anna)
  try await store.addSession(one, whileItsPasswordIs: first.password)
  try await store.addSession(session("two", of: anna), whileItsPasswordIs: first.password)
  try await store.addSession(session("three", of: bert), whileItsPasswordIs: second.password)
  let late = await #expect(throws: StoreError.self) {
    try await store.addSession(session("late", of: anna), whileItsPasswordIs: hash("before"))
  }
  #expect(late?.code == .missing, "a sign-in with the old password during its change is rejected")
  let found = try #require(await store.session(one.digest))
  #expect(found.session == one && found.account == first)
  try await store.touchSession(one.digest, at: time(50))
  try await store.touchSession(one.digest, at: time(20))
  #expect(try await store.session(one.digest)?.session.seen == time(50), "times never decrease")
  #expect(try await store.session(SecretDigest(of: "none")) == nil)
  try await store.touchSession(SecretDigest(of: "none"), at: time(50))

  #expect(try await store.endSession(SecretDigest(of: "two")))
  #expect(try await !store.endSession(SecretDigest(of: "two")))
  #expect(try await store.session(SecretDigest(of: "two")) == nil)

  #expect(try await store.changePassword(of: anna, to: hash("new"), at: time(60)))
  #expect(try await store.session(one.digest) == nil, "a new password ends its account's sessions")
  #expect(try await store.session(SecretDigest(of: "three")) != nil, "sessions of other accounts remain")
  #expect(try await store.account(anna)?.password == hash("new"))
  #expect(try await store.account(anna)?.changed == time(60))
  #expect(try await store.account(anna)?.created == time(2))
  #expect(try await !store.changePassword(of: try #require(AccountName("nobody")), to: hash("x"), at: time(1)))

  try await store.addSession(session("old", of: anna, seen: 30, expires: 90), whileItsPasswordIs: hash("new"))
  try await store.addSession(session("idle", of: anna, seen: 20), whileItsPasswordIs: hash("new"))
  try await store.addSession(session("good", of: anna, seen: 30), whileItsPasswordIs: hash("new"))
  #expect(try await store.purgeSessions(expiredBy: time(90), idleSince: time(30)) == 3, "bert's was idle too")
  #expect(try await store.session(SecretDigest(of: "good")) != nil)
  #expect(try await store.removeAccount(anna))
  #expect(try await store.session(SecretDigest(of: "good")) == nil, "sessions end when their account is deleted")
  #expect(try await !store.removeAccount(anna))
  #expect(try await store.accounts() == [second])
}
