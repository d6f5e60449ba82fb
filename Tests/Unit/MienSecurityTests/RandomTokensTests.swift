import MienTestGenerators
import Crypto
import Foundation
import MienCore
import MienStore
import MienTestSupport
import Testing

@testable import MienChecks
@testable import MienPlatform
@testable import MienSecurity

private func newStore() throws -> SQLiteStore {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mien-secrets-\(UUID())")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  return try SQLiteStore(path: folder.appendingPathComponent("mien.sqlite").path)
}

private func seal(_ byte: UInt8 = 1) throws -> MasterKeyring {
  try #require(MasterKeyring(key: [UInt8](repeating: byte, count: 32)))
}

@Suite struct `Tokens, encryption and signatures` {
  @Test func `ciphertext is decrypted only with its own key and purpose`() throws {
    var generator = SplitMixGenerator(seed: 1)
    let secret = Array("forty characters of a secret access key!".utf8)
    let closed = try seal().close(secret, as: "one", using: &generator)
    #expect(closed.count == secret.count + 28)
    #expect(try seal().open(closed, as: "one") == secret)
    #expect(try seal().open(closed, as: "two") == nil, "a secret is bound to its label")
    #expect(try seal(2).open(closed, as: "one") == nil)
    for index in closed.indices {
      var changed = closed
      changed[index] ^= 1
      #expect(try seal().open(changed, as: "one") == nil)
    }
    #expect(try seal().open([], as: "one") == nil)
    #expect(try seal().close(secret, as: "one", using: &generator) != closed, "nonces are unique")
    #expect(MasterKeyring(key: [1, 2, 3]) == nil)
    #expect("\(try seal())" == "MasterKeyring(withheld)")
  }

  @Test func `identifiers with a time prefix sort by time`() throws {
    var generator = SplitMixGenerator(seed: 3)
    func name(_ milliseconds: Int64) -> String {
      RandomTokens.ordered(prefix: "chk_", count: 18, at: UnixTime(milliseconds: milliseconds), using: &generator)
    }
    let times: [Int64] = [
      0, 1, 63, 64, 4095, 4096, 1_795_000_000_000, 1_795_000_000_001, 1_795_000_000_064, (1 << 42) - 1,
    ]
    let names = times.map(name)
    #expect(names.map { Array($0.utf8) } == names.map { Array($0.utf8) }.sorted { $0.lexicographicallyPrecedes($1) })
    #expect(names.allSatisfy { $0.utf8.count == 29 && CheckID($0) != nil })
    #expect(Set(names.map { $0.prefix(11) }).count == times.count)
    let same = Set((0..<1000).map { _ in name(7) })
    #expect(same.count == 1000, "simultaneous requests are distinguished by random IDs")
    #expect(Set(same.map { $0.prefix(11) }).count == 1)
    // Invalid clock values still yield valid IDs.
    for odd in [Int64.min, -1, 1 << 42, .max] { #expect(CheckID(name(odd)) != nil) }
  }

  @Test func `session tokens depend on session and key and are reproducible`() throws {
    let (one, two) = (try #require(CheckID("one")), try #require(CheckID("two")))
    #expect(try seal().secret(of: one) == seal().secret(of: one))
    #expect(try seal().secret(of: one) != seal().secret(of: two))
    #expect(try seal().secret(of: one) != seal(2).secret(of: one))
    #expect(try seal().secret(of: one).utf8.count == 43)
  }

  @Test func `access keys are decrypted with their key and a lost key is an error`() async throws {
    let store = try newStore()
    var generator = SplitMixGenerator(seed: 2)
    let keys = AccessKeys(store: store, keyring: try seal(), realm: .live)
    let key = try await keys.make(at: UnixTime(milliseconds: 5), using: &generator)
    #expect(key.id.utf8.count == 20 && key.secret.utf8.count == 40 && !"\(key)".contains(key.secret))
    #expect(try await keys.secret(of: key.id) == Array(key.secret.utf8))
    #expect(try await keys.secret(of: "MIENAAAAAAAAAAAAAAAA") == nil)
    #expect(try await keys.list().map(\.id) == [key.id])
    let error = await #expect(throws: StoreError.self) {
      _ = try await AccessKeys(store: store, keyring: try seal(2), realm: .live).secret(of: key.id)
    }
    #expect(error?.code == .unavailable)
    #expect(try await keys.remove(key.id))
    #expect(try await keys.secret(of: key.id) == nil)
  }

  @Test func `a signature verifies with the published public key`() async throws {
    let store = try newStore()
    var generator = SplitMixGenerator(seed: 3)
    let now = UnixTime(milliseconds: 5)
    let signer = try await ResultSigner(store: store, keyring: try seal(), at: now, using: &generator)
    let again = try await ResultSigner(store: store, keyring: try seal(), at: now, using: &generator)
    #expect(signer.keyID == again.keyID && signer.x == again.x)
    let parts = again.sign(Array(#"{"sub":"one"}"#.utf8)).split(separator: ".").map(String.init)
    func data(_ text: String) throws -> Data {
      let plain = text.replacingOccurrences(of: "-", with: "+").replacingOccurrences(of: "_", with: "/")
      return try #require(
        Data(base64Encoded: plain.padding(toLength: (plain.count + 3) / 4 * 4, withPad: "=", startingAt: 0)))
    }
    #expect(parts.count == 3)
    #expect(String(decoding: try data(parts[1]), as: UTF8.self) == #"{"sub":"one"}"#)
    let point = try P256.Signing.PublicKey(rawRepresentation: data(signer.x) + data(signer.y))
    let signature = try P256.Signing.ECDSASignature(rawRepresentation: data(parts[2]))
    #expect(point.isValidSignature(signature, for: Data("\(parts[0]).\(parts[1])".utf8)))
    #expect(!point.isValidSignature(signature, for: Data("\(parts[0]).\(parts[1])A".utf8)))
    await #expect(throws: StoreError.self) {
      _ = try await ResultSigner(store: store, keyring: try seal(2), at: now, using: &generator)
    }
  }

  @Test func `base64url matches Foundation without padding`() {
    var generator = SplitMixGenerator(seed: 4)
    for count in 0..<70 {
      let bytes = (0..<count).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
      let wanted = Data(bytes).base64EncodedString().replacingOccurrences(of: "+", with: "-")
        .replacingOccurrences(of: "/", with: "_").replacingOccurrences(of: "=", with: "")
      #expect(Base64URL.encode(bytes) == wanted)
      #expect(Hexadecimal.decode(Hexadecimal.encode(bytes)) == bytes)
    }
    #expect(Hexadecimal.decode("AB") == nil && Hexadecimal.decode("abc") == nil && Hexadecimal.decode("g0") == nil)
  }

  @Test func `a frame chain detects changed, moved, added and omitted frames`() throws {
    let id = try #require(CheckID("one"))
    let digests = (0..<4).map { [UInt8](repeating: UInt8($0), count: 32) }
    func chain(_ digests: [[UInt8]], of id: CheckID) -> FrameHashChain {
      digests.reduce(into: FrameHashChain(of: id)) { $0.append($1) }
    }
    let whole = chain(digests, of: id)
    #expect(whole.count == 4 && whole.text.utf8.count == 64)
    let others = [
      chain(digests.reversed(), of: id), chain(digests.dropLast(), of: id), chain(digests + [digests[0]], of: id),
      chain(digests, of: try #require(CheckID("two"))),
    ]
    #expect(!others.map(\.head).contains(whole.head))
  }

  @Test func `UUIDs are version 4`() {
    var generator = SplitMixGenerator(seed: 6)
    var seen: Set<String> = []
    for _ in 0..<100 {
      let text = RandomTokens.uuid(version: 4, using: &generator)
      #expect(UUID(uuidString: text)?.uuidString.lowercased() == text && seen.insert(text).inserted)
      let characters = Array(text)
      #expect(characters[14] == "4" && "89ab".contains(characters[19]))
    }
  }
}
