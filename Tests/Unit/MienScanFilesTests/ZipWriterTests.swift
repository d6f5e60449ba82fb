import Foundation
import MienScanFormat
import Testing

@testable import MienScanFiles

@Suite struct `ZIP writer` {
  private static let text = (0..<3000).map { UInt8(truncatingIfNeeded: $0 / 7 % 40 + 60) }
  private static let image: [UInt8] = [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: 1, count: 500)
  private static let noise: [UInt8] = {
    var state: UInt32 = 1
    return (0..<1000).map { _ in
      state = state &* 1_664_525 &+ 1_013_904_223
      return UInt8(truncatingIfNeeded: state >> 24)
    }
  }()
  private static let files: [(name: String, bytes: [UInt8])] = [
    ("metadata", text), ("rgbd/0.jpg", image), ("rgbd/0.depth", noise), ("leer", []), ("größe/ß.txt", [1, 2, 3]),
  ]

  private func archive(_ files: [(name: String, bytes: [UInt8])]) throws -> [UInt8] {
    var writer = ZipWriter()
    var bytes: [UInt8] = []
    for file in files { bytes += try writer.add(file.bytes, as: file.name) }
    return bytes + writer.finish()
  }

  @Test func `files are read back unchanged and compressed where it helps`() throws {
    let bytes = try archive(Self.files)
    let whole = try ZipArchive(bytes, name: "a")
    #expect(whole.names == Self.files.map(\.name).sorted())
    for file in Self.files { #expect(try whole.bytes(file.name, limit: 10_000) == file.bytes) }
    #expect(bytes.count < Self.text.count / 2 + Self.image.count + Self.noise.count + 1000)
    // JPEG images are stored uncompressed.
    #expect(bytes.indices.contains { bytes[$0...].starts(with: Self.image) })
    #expect(try archive(Self.files) == bytes)
  }

  @Test func `an archive without files is valid`() throws {
    #expect(try ZipArchive(try archive([]), name: "a").names.isEmpty)
  }

  @Test func `an archive truncated before its end is invalid`() throws {
    let bytes = try archive(Self.files)
    for cut in 0..<bytes.count { #expect(throws: ScanError.self) { try ZipArchive(Array(bytes[..<cut]), name: "a") } }
  }

  @Test(arguments: ["", "/a", "../a", "a/../../b", "a/.", "a\\b", "C:a", "a\0b", "a/", "twice"])
  func `unsafe and duplicate names are rejected and writing continues`(name: String) throws {
    var writer = ZipWriter()
    var bytes = try writer.add([1], as: "twice")
    let error = #expect(throws: ScanError.self) { try writer.add([2], as: name) }
    #expect(error?.code == .refused)
    bytes += try writer.add([3], as: "next")
    bytes += writer.finish()
    let whole = try ZipArchive(bytes, name: "a")
    #expect(whole.names == ["next", "twice"])
    #expect(try whole.bytes("next", limit: 9) == [3] && whole.bytes("twice", limit: 9) == [1])
  }

  @Test func `a name of 512 bytes is accepted and a longer one is rejected`() throws {
    var writer = ZipWriter()
    let name = String(repeating: "a", count: 512)
    var bytes = try writer.add([1], as: name)
    #expect(throws: ScanError(.refused, "")) { try writer.add([1], as: name + "a") }
    bytes += writer.finish()
    #expect(try ZipArchive(bytes, name: "a").names == [name])
  }

  @Test func `65,534 files are accepted and more are rejected`() throws {
    var writer = ZipWriter()
    var bytes: [UInt8] = []
    for number in 0..<65_534 { bytes += try writer.add([], as: "rgbd/\(number).depth") }
    let error = #expect(throws: ScanError.self) { try writer.add([], as: "metadata") }
    #expect(error?.code == .tooMuch && error?.reason.contains("folder") == true)
    bytes += writer.finish()
    #expect(try ZipArchive(bytes, name: "a").names.count == 65_534)
  }

  @Test func `a file that would exceed the compressed or uncompressed limit is rejected`() throws {
    var writer = ZipWriter(mostBytes: 2000)
    var bytes = try writer.add(Self.noise, as: "noise")
    let packed = #expect(throws: ScanError.self) { try writer.add(Self.noise, as: "more") }
    #expect(packed?.code == .tooMuch && packed?.reason.contains("4 GB") == true)
    // Zeros need few bytes in the archive, but count with their uncompressed size.
    let zeros = #expect(throws: ScanError.self) { try writer.add([UInt8](repeating: 0, count: 1001), as: "zeros") }
    #expect(zeros?.code == .tooMuch)
    bytes += try writer.add([UInt8](repeating: 0, count: 900), as: "zeros")
    bytes += writer.finish()
    #expect(bytes.count <= 2000)
    let whole = try ZipArchive(bytes, name: "a")
    #expect(try whole.names == ["noise", "zeros"] && whole.bytes("noise", limit: 2000) == Self.noise)
  }

  @Test func `the last byte that fits is accepted`() throws {
    // Local header, data, directory entry and end record: 30 + 1, 7, 46 + 1, 22.
    for (most, fits) in [(107, true), (106, false)] {
      var writer = ZipWriter(mostBytes: most)
      let file: [UInt8] = [1, 2, 3, 4, 5, 6, 7]
      if fits {
        let bytes = try writer.add(file, as: "a")
        let end = writer.finish()
        #expect(bytes.count + end.count == most)
      } else {
        #expect(throws: ScanError.self) { try writer.add(file, as: "a") }
      }
    }
  }

  @Test func `blank maps are stored uncompressed before the ratio looks like a ZIP bomb`() throws {
    let blank = [UInt8](repeating: 0, count: 1 << 20)
    var writer = ZipWriter()
    var bytes: [UInt8] = []
    for number in 0..<80 { bytes += try writer.add(blank, as: "rgbd/\(number).depth") }
    bytes += writer.finish()
    // Compressed, they would be 64 MB in less than a hundredth of that, which readers reject.
    #expect(bytes.count < 8 << 20)
    let whole = try ZipArchive(bytes, name: "a")
    #expect(try whole.names.count == 80 && whole.bytes("rgbd/79.depth", limit: 1 << 20) == blank)
  }
}
