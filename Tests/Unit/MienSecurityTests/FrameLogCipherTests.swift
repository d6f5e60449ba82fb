import Crypto
import Foundation
import MienCore
import MienTestSupport
import Testing

@testable import MienPlatform
@testable import MienSecurity

@Suite struct `Frame log encryption` {
  private let check: CheckID

  init() throws { check = try #require(CheckID("chk_a")) }

  /// Returns a cipher with constant randomness, so that its output can be compared.
  private func frameLogs(_ byte: UInt8) throws -> FrameLogCipher {
    FrameLogCipher(try sampleKeyring(byte)) { [UInt8](repeating: 9, count: $0) }
  }

  /// Independent implementation of Documentation/reference/formats/EncryptedFrameLog.md.
  @Test func `the written format matches the documentation`() throws {
    let (head, frames) = try frameLogs(7).begin(check)
    let frame = EncodedFrame(bytes: [1, 2, 3], at: MonotonicInstant(nanoseconds: 0x0102_0304_0506_0708))
    let record = frames.record(of: frame, at: 300)
    #expect(head.count == 72 && FrameLogCipher.head == 72 && head.prefix(12).elementsEqual("MIENFRAMES1\0".utf8))
    let wrapping = HKDF<SHA256>.deriveKey(
      inputKeyMaterial: SymmetricKey(data: [UInt8](repeating: 7, count: 32)), info: Array("mien frame logs 1".utf8),
      outputByteCount: 32)
    let key = try AES.GCM.open(
      try AES.GCM.SealedBox(combined: head.dropFirst(12)), using: wrapping, authenticating: Array("chk_a".utf8))
    #expect(Array(key) == [UInt8](repeating: 9, count: 32))
    let begin: [UInt8] = [0, 0, 0, 3, 1, 2, 3, 4, 5, 6, 7, 8]
    #expect(Array(record.prefix(12)) == begin && record.count == 43)
    let label: [UInt8] = [0, 0, 0, 0, 0, 0, 1, 44] + begin
    let plain = try AES.GCM.open(
      try AES.GCM.SealedBox(combined: record.dropFirst(12)), using: SymmetricKey(data: key), authenticating: label)
    #expect(Array(plain) == [1, 2, 3])
    let opened = frames.frame(of: record, at: 300)
    #expect(opened?.bytes == frame.bytes && opened?.at == frame.at)
    #expect(frames.frame(of: record, at: 301) == nil && frames.frame(of: record + [0], at: 300) == nil)
  }

  @Test func `a record length is read only from a valid header`() {
    func size(_ count: [UInt8]) -> Int? { FrameCipher.size(count + [UInt8](repeating: 0, count: 8)) }
    #expect(size([0, 0, 0, 1]) == 41 && size([1, 0, 0, 0]) == FrameCipher.most + 40)
    #expect(size([0, 0, 0, 0]) == nil && size([1, 0, 0, 1]) == nil && size([255, 255, 255, 255]) == nil)
    #expect(size([0, 0, 1]) == nil && size([]) == nil)
  }

  @Test func `a frame log is decrypted with its own key and check and detected as encrypted`() throws {
    let (head, _) = try frameLogs(7).begin(check)
    #expect(try frameLogs(7).frames(of: check, beginningWith: head) != nil)
    #expect(try frameLogs(7).frames(of: check, beginningWith: Array(head.dropLast())) == nil)
    #expect(try frameLogs(7).frames(of: check, beginningWith: [UInt8](repeating: 5, count: 72)) == nil)
    let other = try #require(CheckID("chk_b"))
    #expect(throws: StoreError.self) { _ = try frameLogs(7).frames(of: other, beginningWith: head) }
    #expect(throws: StoreError.self) { _ = try frameLogs(8).frames(of: check, beginningWith: head) }
    var unmarked = head
    unmarked[0] ^= 1
    #expect(throws: StoreError.self) { _ = try frameLogs(7).frames(of: check, beginningWith: unmarked) }
  }

  @Test func `frame logs are readable for two days after a key rotation`() async throws {
    var file = try #require(KeyringFile([UInt8](repeating: 7, count: 32)))
    let (head, _) = try frameLogs(7).begin(check)
    file.begin([UInt8](repeating: 8, count: 32), at: UnixTime(milliseconds: 1000), entries: 0)
    file.end()
    for (time, opens) in [(1000 + 2 * 86_400_000, true), (1001 + 2 * 86_400_000, false)] as [(Int64, Bool)] {
      try await file.remove(at: UnixTime(milliseconds: time)) { _ in 0 }
      let keyring = try #require(MasterKeyring(file: file.bytes))
      #expect((keyring.openFrameLogKey(head.dropFirst(12), of: check) != nil) == opens)
    }
  }

  @Test func `printing reveals no key`() throws {
    let (_, frames) = try frameLogs(7).begin(check)
    var dumped = ""
    dump(frames, to: &dumped)
    #expect("\(frames)" == "FrameCipher(withheld)" && !dumped.contains("9"))
  }
}
