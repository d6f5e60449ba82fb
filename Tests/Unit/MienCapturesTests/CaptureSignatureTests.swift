import Crypto
import Foundation
import MienCore
import MienPlatform
import MienCaptures
import Testing

@Suite struct `Capture signature` {
  private func signature(counter: Int64 = 7) throws -> CaptureSignature {
    var digests = CaptureDigests()
    digests[.photo] = ContentDigest(of: Array("photo".utf8))
    digests[.metadata] = ContentDigest(of: [])
    let device = try #require(DeviceID("phone-1"))
    return try #require(CaptureSignature(device: device, counter: counter, signed: digests, bytes: []))
  }

  @Test func `the signed text matches the documented example`() throws {
    let document = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Documentation/reference/formats/CaptureDigest.md")
    let text = try String(contentsOf: document, encoding: .utf8)
    let sample = try #require(text.split(separator: "```text\n").last?.split(separator: "```").first)
    #expect(try signature().text == String(sample))
  }

  @Test func `the signed text covers a burst and a clip`() throws {
    for part in [CapturePart.burst, .clip] {
      var digests = try signature().signed
      digests[part] = ContentDigest(of: [7])
      let device = try #require(DeviceID("phone-1"))
      let signed = try #require(CaptureSignature(device: device, counter: 7, signed: digests, bytes: []))
      let line = "\(part.rawValue)="
      #expect(signed.text == (try signature().text.replacing("\(line)-", with: "\(line)\(ContentDigest(of: [7]))")))
    }
  }

  @Test func `the digest of a burst depends on image boundaries`() throws {
    func digest(_ images: [[UInt8]]) -> ContentDigest {
      CaptureMotionMedia.digest(
        of: images.map { CaptureMotionMedia.Frame(size: $0.count, digest: ContentDigest(of: $0)) })
    }
    #expect(digest([[1, 2], [3]]) != digest([[1], [2, 3]]))
    #expect(digest([[1], [2]]) != digest([[2], [1]]))
    let lines = "\(ContentDigest(of: [1]))\n\(ContentDigest(of: [2]))\n"
    #expect(digest([[1], [2]]) == ContentDigest(of: Array(lines.utf8)))
    var running = ContentDigest.Running()
    running.take([9, 1, 2, 9][1...2])
    running.take([3])
    #expect(running.digest == ContentDigest(of: [1, 2, 3]))
  }

  @Test func `a frame's byte range in a burst is found and an invalid index has none`() {
    let digest = ContentDigest(of: [])
    let burst = CaptureMotionMedia(
      kind: .burst, digest: digest, size: 9, blob: BlobID("b"),
      frames: [4, 5].map { CaptureMotionMedia.Frame(size: $0, digest: digest) })
    #expect([-1, 0, 1, 2].map(burst.place) == [nil, 0..<4, 4..<9, nil])
  }

  @Test func `the attested text matches the documented example`() throws {
    let document = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
      .deletingLastPathComponent().appendingPathComponent("Documentation/reference/formats/DeviceAttestation.md")
    let text = try String(contentsOf: document, encoding: .utf8)
    let sample = try #require(text.split(separator: "```text\n").last?.split(separator: "```").first)
    // The generator point of P-256.
    let key = try #require(
      DeviceKey(
        x: "axfR8uEsQkf4vOblY6RA8ncDfYEt6zOg9KE5RdiYwpY", y: "T-NC4v4af5uO5-tKfA-eFivOM1drMV7Oy7ZAaDe_UfU"))
    let device = try #require(DeviceID("phone-1"))
    let challenge = "chl_" + String(repeating: "0", count: 43)
    #expect(AttestationSubmission.clientData(challenge: challenge, device: device, key: key) == String(sample))
  }

  @Test func `counters start at 1`() throws {
    let device = try #require(DeviceID("phone-1"))
    #expect(CaptureSignature(device: device, counter: 0, signed: CaptureDigests(), bytes: []) == nil)
  }

  @Test func `differences are reported by part, including missing and added parts`() {
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

  @Test func `invalid digests and keys are rejected`() {
    #expect(ContentDigest(hexadecimal: String(repeating: "0", count: 63)) == nil)
    #expect(ContentDigest(hexadecimal: String(repeating: "A", count: 64)) == nil)
    #expect(ContentDigest(hexadecimal: String(repeating: "a", count: 64))?.bytes.count == 32)
    #expect(DeviceKey(bytes: [UInt8](repeating: 4, count: 65)) == nil, "not a point on the curve")
    #expect(DeviceKey(x: "AA", y: "AA") == nil)
  }
}
