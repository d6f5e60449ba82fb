import Crypto
import Foundation
import MienModel
import MienService
import Testing

@Suite struct `The signature of a capture` {
  private func signature(counter: Int64 = 7) throws -> CaptureSignature {
    var digests = CaptureDigests()
    digests[.photo] = ContentDigest(of: Array("photo".utf8))
    digests[.metadata] = ContentDigest(of: [])
    let device = try #require(DeviceID("phone-1"))
    return try #require(CaptureSignature(device: device, counter: counter, signed: digests, bytes: []))
  }

  @Test func `covers the text of the document's sample`() throws {
    let document = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Documentation/Formats/CaptureDigest.md")
    let text = try String(contentsOf: document, encoding: .utf8)
    let sample = try #require(text.split(separator: "```text\n").last?.split(separator: "```").first)
    #expect(try signature().text == String(sample))
  }

  @Test func `counters begin at 1`() throws {
    let device = try #require(DeviceID("phone-1"))
    #expect(CaptureSignature(device: device, counter: 0, signed: CaptureDigests(), bytes: []) == nil)
  }

  @Test func `differences are told by part, also for parts that are missing or added`() {
    let (one, two) = (ContentDigest(of: [1]), ContentDigest(of: [2]))
    var (left, right) = (CaptureDigests(), CaptureDigests())
    left[.photo] = one
    right[.photo] = one
    #expect(left.differences(to: right) == [])
    left[.depth] = one
    right[.detection] = two
    right[.photo] = two
    #expect(left.differences(to: right) == [.photo, .depth, .detection])
  }

  @Test func `digests and keys that are none are refused`() {
    #expect(ContentDigest(hexadecimal: String(repeating: "0", count: 63)) == nil)
    #expect(ContentDigest(hexadecimal: String(repeating: "A", count: 64)) == nil)
    #expect(ContentDigest(hexadecimal: String(repeating: "a", count: 64))?.bytes.count == 32)
    #expect(DeviceKey(bytes: [UInt8](repeating: 4, count: 65)) == nil, "no point of the curve")
    #expect(DeviceKey(x: "AA", y: "AA") == nil)
  }
}
