import MienTestGenerators
import Crypto
import Foundation
import MienCore
import MienTestSupport
import Testing

@testable import MienChecks
@testable import MienPlatform
@testable import MienSecurity

@Suite struct `Encrypted columns` {
  @Test func `a value is decrypted in its own column and row only`() throws {
    let keyring = ColumnCipher(try sampleKeyring(1))
    let face = Array("a face".utf8)
    let closed = keyring.close(face, .image, of: "chk_a", "1")
    #expect(closed.count == face.count + 40 && Data(closed).range(of: Data(face)) == nil)
    #expect(try keyring.open(closed, .image, of: "chk_a", "1") == face)
    #expect(keyring.close(face, .image, of: "chk_a", "1") != closed, "nonces are unique")
    let wrong: [(EncryptedColumn, String, String)] = [
      (.image, "chk_a", "2"), (.image, "chk_b", "1"), (.image, "chk_", "a1"), (.thresholds, "chk_a", "1"),
      (.visualization, "chk_a", "1"),
    ]
    for (column, one, two) in wrong {
      #expect(throws: StoreError.self) { _ = try keyring.open(closed, column, of: one, two) }
    }
    #expect(throws: StoreError.self) { _ = try ColumnCipher(sampleKeyring(2)).open(closed, .image, of: "chk_a", "1") }
    #expect(throws: StoreError.self) { _ = try ColumnCipher(nil).open(closed, .image, of: "chk_a", "1") }
    for index in closed.indices {
      var changed = closed
      changed[index] ^= 1
      #expect((try? keyring.open(changed, .image, of: "chk_a", "1")) == nil)
      #expect((try? keyring.open(Array(closed[..<index]), .image, of: "chk_a", "1")) == nil)
    }
  }

  @Test func `an encrypted JSON column remains JSON`() throws {
    let keyring = ColumnCipher(try sampleKeyring(1))
    let angles: [Float] = [1.5, -26.125]
    let text = try keyring.json(angles, .outboundPath, of: "chk_a")
    #expect(text.hasPrefix(#""sealed:"#) && !text.contains("-26.125"))
    #expect(try JSONDecoder().decode(String.self, from: Data(text.utf8)).utf8.count == text.utf8.count - 2)
    #expect(try keyring.value(text, .outboundPath, of: "chk_a") as [Float] == angles)
    #expect(throws: StoreError.self) { _ = try keyring.value(text, .returnPath, of: "chk_a") as [Float] }
    #expect(throws: StoreError.self) { _ = try keyring.value("[1.5,-26.125]", .outboundPath, of: "chk_a") as [Float] }
    let other = keyring.close(#"{"secret":7}"#, .outboundPath, of: "x")
    let odd = #expect(throws: StoreError.self) { _ = try keyring.value(other, .outboundPath, of: "x") as [Float] }
    #expect(odd?.reason.contains("verdict.outbound_path") == true && odd?.reason.contains("secret") == false)
    #expect(throws: StoreError.self) { _ = try keyring.json([Double.nan], .outboundPath, of: "chk_a") }
  }

  @Test func `findings round-trip exactly`() throws {
    let least = Double.leastNonzeroMagnitude
    let rows: [(Double, Double)] = [(0.1, 0.30000000000000004), (-Double.infinity, 0), (-0.0, least), (1.0 / 3, 1)]
    for (native, score) in rows {
      let measure = Finding.Measure(native: native, score: try #require(Score(score)), calibration: "c")
      for finding in [
        Finding(check: "a", result: .genuine(measure)), Finding(check: "b", result: .suspect(measure, because: "r")),
        Finding(check: "c", result: .notAssessed(.severalFaces(2))),
      ] {
        let text = try JSONEncoder().encode(StoredFinding(finding))
        #expect(try JSONDecoder().decode(StoredFinding.self, from: text).finding == finding)
      }
    }
    for odd in [#"{"name":"a","result":"genuine"}"#, #"{"name":"a","result":"not-assessed"}"#] {
      #expect(try JSONDecoder().decode(StoredFinding.self, from: Data(odd.utf8)).finding == nil)
    }
  }

  @Test func `key derivation is stable`() throws {
    let key = [UInt8](0..<32)
    let root = SymmetricKey(data: key)
    func derived(_ use: String) -> SymmetricKey {
      HKDF<SHA256>.deriveKey(inputKeyMaterial: root, info: Array("mien \(use) 1".utf8), outputByteCount: 32)
    }
    let found = try #require(MasterKey(key: key))
    #expect(found.secrets == derived("sealed secrets") && found.tokens == derived("session tokens"))
    #expect(found.audit == derived("audit") && found.blobs == derived("blobs"))
    let message = HMAC<SHA256>.authenticationCode(for: Array("mien message texts 1".utf8), using: derived("messages"))
    #expect(found.messageSecret == Array(message))
    let id = try #require(CheckID("chk_a"))
    let state = HMAC<SHA256>.authenticationCode(for: Array("chk_a".utf8), using: derived("live checks"))
    #expect(found.stateKey(of: id) == SymmetricKey(data: Array(state)))
  }
}

@Suite struct `Keyring files` {
  private let first = [UInt8](repeating: 1, count: 32)
  private let second = [UInt8](repeating: 2, count: 32)

  @Test func `a single key is stored as 32 bytes and a rotated keyring as lines`() throws {
    var file = try #require(KeyringFile(first))
    #expect(file.bytes == first && !file.isRotating && !file.hasRemains)
    file.begin(second, at: UnixTime(milliseconds: 1000), entries: 7)
    #expect(file.isRotating && file.hasRemains)
    let read = try #require(KeyringFile(file.bytes))
    #expect(read.bytes == file.bytes && read.isRotating && read.keys == [second, first])
    file.end()
    #expect(!file.isRotating && file.keys == [second])
    let text = String(decoding: file.bytes, as: UTF8.self)
    #expect(text.hasPrefix("mien-keyring 1\nkey \(Data(second).base64EncodedString())\naudit "))
    #expect(!text.contains(Data(first).base64EncodedString()))
    #expect("\(file)" == "KeyringFile(withheld)")
    for odd in [
      "", "mien-keyring 1\n", text + "x\n", String(text.dropLast()), text.replacing("audit", with: "else"),
      text.replacing("mien-keyring 1", with: "mien-keyring 3"), text.replacing("key ", with: "key  "),
      text + "key AAAA\n",
      text + "tokens \(Data(first).base64EncodedString())\n",
    ] {
      #expect(KeyringFile(Array(odd.utf8)) == nil, "\(odd.count) bytes")
      #expect(MasterKeyring(file: Array(odd.utf8)) == nil)
    }
  }

  @Test func `unneeded parts of old keys are deleted except those of the audit log`() async throws {
    var file = try #require(KeyringFile(first))
    file.begin(second, at: UnixTime(milliseconds: 1000), entries: 7)
    file.end()
    func words() -> [Substring] {
      let lines = String(decoding: file.bytes, as: UTF8.self).split(separator: "\n")
      return lines.dropFirst().compactMap { $0.split(separator: " ").first }
    }
    func remove(at time: Int64, messages: Int) async throws {
      try await file.remove(at: UnixTime(milliseconds: time)) { until in
        #expect(until.milliseconds == 1000)
        return messages
      }
    }
    try await remove(at: 2000, messages: 3)
    #expect(words() == ["key", "audit", "messages", "tokens", "frame-logs"])
    try await remove(at: 1001 + 2 * 86_400_000, messages: 3)
    #expect(words() == ["key", "audit", "messages"] && file.hasRemains)
    try await remove(at: 2000, messages: 0)
    #expect(words() == ["key", "audit"] && !file.hasRemains)
  }

  @Test func `older keys decrypt, the newest encrypts and remaining key parts have no other use`() throws {
    var generator = SplitMixGenerator(seed: 4)
    var file = try #require(KeyringFile(first))
    let old = try #require(MasterKeyring(key: first))
    let (id, blob) = (try #require(CheckID("chk_a")), try #require(BlobID("b-a")))
    let secret = old.close([1, 2, 3], as: "webhook-key/w", using: &generator)
    let state = old.closeState([4, 5], of: id, using: &generator)
    let wrapped = old.closeBlobKey(first, of: blob, nonce: [UInt8](repeating: 0, count: 12))
    let token = old.secret(of: id)
    let columns = ColumnCipher(old).close([7], .clip, of: "chk_a")
    let link = old.auditLink([9])

    file.begin(second, at: UnixTime(milliseconds: 1000), entries: 7)
    let both = try #require(MasterKeyring(file: file.bytes))
    #expect(both.open(secret, as: "webhook-key/w") == [1, 2, 3] && both.openState(state, of: id) == [4, 5])
    #expect(both.openBlobKey(wrapped, of: blob) == first && !both.isNewest(wrapped, of: blob))
    #expect(try ColumnCipher(both).open(columns, .clip, of: "chk_a") == [7])
    let keys = try #require(EncryptedColumn.secrets.first { $0.name == "signing_key" })
    let renewed = try #require(try both.renewed(secret, secret: keys, of: ["w"]))
    let renewedState = try #require(try both.renewed(state, secret: .liveState, of: ["chk_a"]))
    #expect(try both.renewed(renewed, secret: keys, of: ["w"]) == nil, "it is already under the newest key")
    #expect(throws: StoreError.self) { _ = try both.renewed(secret, secret: keys, of: ["other"]) }

    file.end()
    let new = try #require(MasterKeyring(file: file.bytes))
    #expect(new.open(secret, as: "webhook-key/w") == nil && new.openState(state, of: id) == nil)
    #expect(new.openBlobKey(wrapped, of: blob) == nil)
    #expect(throws: StoreError.self) { _ = try ColumnCipher(new).open(columns, .clip, of: "chk_a") }
    #expect(new.open(renewed, as: "webhook-key/w") == [1, 2, 3] && new.openState(renewedState, of: id) == [4, 5])

    // Session tokens and message secrets of the previous key, newest first; audit links only for earlier entries.
    #expect(new.secret(of: id) != token)
    #expect(new.secret(of: id, keptAs: SecretDigest(of: token)) == token)
    #expect(new.secret(of: id, keptAs: SecretDigest(of: "another")) == nil)
    #expect(new.messageSecrets.count == 2 && new.messageSecrets.last == old.messageSecrets.first)
    #expect(new.ties(link, [9], number: 7) && !new.ties(link, [9], number: 8))
    #expect(new.ties(new.auditLink([9]), [9], number: 8) && !new.ties(link, [8], number: 7))
  }
}
