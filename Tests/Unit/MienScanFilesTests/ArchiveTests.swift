import Foundation
import MienScanFormat
import Synchronization
import Testing

@testable import MienScanFiles
import MienArchive

/// Byte source that records the largest read.
private final class WatchedArchive: ByteSource {
  private let all: [UInt8]
  private let most = Mutex(0)

  init(_ bytes: [UInt8]) { all = bytes }

  var count: Int { all.count }
  var largest: Int { most.withLock { $0 } }

  func bytes(_ range: Range<Int>) -> [UInt8] {
    most.withLock { $0 = max($0, range.count) }
    return Array(all[range])
  }
}

@Suite struct ArchiveTests {
  private static let examples = [
    (LZFSEExamples.repeating, LZFSEExamples.repeatingBytes), (LZFSEExamples.steps, LZFSEExamples.stepsBytes),
  ]

  private func packed(_ text: String) throws -> [UInt8] {
    [UInt8](try #require(Data(base64Encoded: text, options: .ignoreUnknownCharacters)))
  }

  @Test(arguments: [0, 1]) func `LZFSE is decompressed`(example: Int) throws {
    let (text, bytes) = Self.examples[example]
    #expect(try LZFSE.unpack(try packed(text), limit: 10_000) == bytes)
    #expect(throws: LZFSE.FormatError.tooLarge) { try LZFSE.unpack(try packed(text), limit: bytes.count - 1) }
  }

  @Test(arguments: [0, 1]) func `LZFSE truncated anywhere is an error`(example: Int) throws {
    let whole = try packed(Self.examples[example].0)
    for cut in 0..<whole.count {
      #expect(throws: LZFSE.FormatError.self) { try LZFSE.unpack(Array(whole[..<cut]), limit: 10_000) }
    }
  }

  @Test(arguments: [0, 1]) func `LZFSE with any byte changed terminates`(example: Int) throws {
    let whole = try packed(Self.examples[example].0)
    for place in stride(from: 0, to: whole.count, by: whole.count > 1000 ? 5 : 1) {
      var damaged = whole
      damaged[place] ^= UInt8(truncatingIfNeeded: place * 37 + 1) | 1
      if let bytes = try? LZFSE.unpack(damaged, limit: 10_000) { #expect(bytes.count <= 10_000) }
    }
  }

  /// Returns a block that decompresses to nothing, with tables of one symbol each, which need no bits.
  private func emptyBlock(literals: Int = 0, triples: Int = 0) -> [UInt8] {
    var frequencies = [Int](repeating: 0, count: 360)
    for (symbol, states) in [(0, 64), (20, 64), (40, 256), (104, 1024)] { frequencies[symbol] = states }
    let counts = Zip.little(literals, 4) + Zip.little(triples, 4)
    return Array("bvx1".utf8) + Zip.little(0, 8) + counts + Zip.little(0, 30)
      + frequencies.flatMap { Zip.little($0, 2) } + [0, 0]
  }

  @Test func `LZFSE blocks with much work and no output are an error`() throws {
    let end = Array("bvx$".utf8)
    #expect(try LZFSE.unpack(emptyBlock() + end, limit: 100) == [])
    let many = (0..<17).flatMap { _ in emptyBlock() }
    for blocks in [emptyBlock(literals: 40_000), emptyBlock(triples: 10_000), many] {
      #expect(throws: LZFSE.FormatError.damaged) { try LZFSE.unpack(blocks + end, limit: 100) }
    }
  }

  @Test func `a Record3D archive is read`() throws {
    let meters = floats(depthSamples.map { Float($0) / 1000 })
    let plain: [UInt8] = Array("bvx-".utf8) + Zip.little(96, 4) + meters + Array("bvx$".utf8)
    let metadata = Array(#"{"w":6,"h":4,"dw":6,"dh":4,"K":[5,0,0,0,5,0,3,2,1]}"#.utf8)
    let place = try Place()
    defer { place.remove() }
    try place.write(
      Zip.archive([
        .init(name: "metadata", bytes: metadata), .init(name: "rgbd/10.depth", bytes: plain),
        .init(name: "rgbd/9.depth", bytes: meters),
      ]), "a.r3d")
    // The first map by number is not compressed.
    #expect(try ScanImporter(path: place.path + "/a.r3d").frame(at: 0).depth == depthSamples)
    try place.write(
      Zip.archive([
        .init(name: "metadata", bytes: metadata), .init(name: "rgbd/10.depth", bytes: meters),
        .init(name: "rgbd/9.depth", bytes: plain),
      ]), "b.r3d")
    let scan = try ScanImporter(path: place.path + "/b.r3d")
    #expect(scan.format == .record3D && scan.frameCount == 2 && scan.header.sensor == .trueDepth)
    for number in 0..<2 { #expect(try scan.frame(at: number).depth == depthSamples) }
    #expect(try scan.frame(at: 0).pose == nil && scan.notes.contains { $0.contains("no poses") })
  }

  @Test(arguments: [
    "../metadata", "/metadata", "a/../../metadata", "C:metadata", "\\metadata", "a\\..\\..\\b", "rgbd/./metadata",
    "a\0b",
  ])
  func `names that leave the archive are rejected`(name: String) {
    let archive = Zip.archive([.init(name: name, bytes: [1])])
    #expect(throws: ScanError.self) { try ZipArchive(archive, name: "a") }
  }

  @Test func `an archive with an extreme compression ratio is rejected before decompression`() {
    let bomb = Zip.archive([.init(name: "metadata", bytes: [1, 2, 3], size: 3_000_000_000, method: 8)])
    let error = #expect(throws: ScanError.self) { try ZipArchive(bomb, name: "a") }
    #expect(error?.code == .tooMuch)
    let many = Zip.archive(
      (0..<5).map { .init(name: "\($0)", bytes: [UInt8](repeating: 0, count: 1000), size: 1_000_000, method: 8) })
    #expect(throws: Never.self) { try ZipArchive(many, name: "a") }
  }

  @Test func `many files with a high compression ratio are rejected by their total size`() throws {
    let zeros = [UInt8](repeating: 0, count: 1000)
    func entries(_ count: Int) -> [Zip.Entry] {
      (0..<count).map { .init(name: "rgbd/\($0).depth", bytes: zeros, size: 1_000_000, method: 8) }
    }
    #expect(throws: Never.self) { try ZipArchive(Zip.archive(entries(60)), name: "a") }
    let error = #expect(throws: ScanError.self) { try ZipArchive(Zip.archive(entries(120)), name: "a") }
    #expect(error?.code == .tooMuch)
    // Larger archives may contain more: a hundred times their size.
    let filled = entries(120) + [.init(name: "photo.jpg", bytes: [UInt8](repeating: 7, count: 1_200_000))]
    #expect(throws: Never.self) { try ZipArchive(Zip.archive(filled), name: "a") }
  }

  @Test func `a map larger than the metadata declares is not decompressed`() throws {
    let metadata = Array(#"{"w":6,"h":4,"dw":6,"dh":4,"K":[5,0,0,0,5,0,3,2,1]}"#.utf8)
    let place = try Place()
    defer { place.remove() }
    try place.write(
      Zip.archive([
        .init(name: "metadata", bytes: metadata),
        .init(name: "rgbd/0.depth", bytes: Array(0..<250), size: 250_000, method: 8),
      ]), "a.r3d")
    let large = #expect(throws: ScanError.self) { try ScanImporter(path: place.path + "/a.r3d") }
    #expect(large?.code == .tooMuch && large.map { "\($0)" }?.contains("rgbd/0.depth") == true)
    // The same according to LZFSE's header: an uncompressed block of 97 bytes for a map of 96.
    let packed = Array("bvx-".utf8) + Zip.little(97, 4) + [UInt8](repeating: 0, count: 97) + Array("bvx$".utf8)
    try place.write(
      Zip.archive([.init(name: "metadata", bytes: metadata), .init(name: "rgbd/0.depth", bytes: packed)]), "b.r3d")
    let unpacked = #expect(throws: ScanError.self) { try ScanImporter(path: place.path + "/b.r3d") }
    #expect(unpacked.map { "\($0)" }?.contains("exceeds its limit") == true)
  }

  @Test func `a stored file is read in place if its checksum matches`() throws {
    let bytes = (0..<3_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7 &+ $0 >> 9) }
    let archive = try ZipArchive(
      Zip.archive([
        .init(name: "before", bytes: [1, 2]), .init(name: "a", bytes: bytes), .init(name: "b", bytes: bytes, sum: 1),
        .init(name: "c", bytes: [1, 2, 3], size: 4),
      ]), name: "a")
    let pieces = try archive.pieces("a", limit: 1 << 30)
    #expect(pieces.count == bytes.count && pieces.bytes(2_999_990..<3_000_000) == Array(bytes[2_999_990...]))
    #expect(throws: ScanError(.tooMuch, "")) { try archive.pieces("a", limit: 1000) }
    for name in ["b", "c"] {
      let error = #expect(throws: ScanError.self) { try archive.pieces(name, limit: 1 << 30) }
      #expect(error?.code == .damaged)
    }
    #expect(throws: ScanError(.missing, "")) { try archive.pieces("d", limit: 1 << 30) }
  }

  @Test func `a file with an unexpected size or checksum is rejected`() throws {
    for entry in [
      Zip.Entry(name: "a", bytes: [1, 2, 3], sum: 7), .init(name: "a", bytes: [1, 2, 3], size: 4),
      .init(name: "a", bytes: [1, 2, 3], method: 8), .init(name: "a", bytes: [1, 2, 3], method: 99),
    ] {
      let archive = try ZipArchive(Zip.archive([entry]), name: "a")
      #expect(throws: ScanError.self) { try archive.bytes("a", limit: 100) }
    }
    let good = try ZipArchive(Zip.archive([.init(name: "a", bytes: [1, 2, 3])]), name: "a")
    #expect(try good.bytes("a", limit: 3) == [1, 2, 3])
    #expect(throws: ScanError(.tooMuch, "")) { try good.bytes("a", limit: 2) }
    #expect(throws: ScanError(.missing, "")) { try good.bytes("b", limit: 2) }
    #expect(throws: ScanError.self) { try ZipArchive(Zip.archive([.init(name: "a", bytes: [], flags: 1)]), name: "a") }
    #expect(throws: ScanError.self) {
      try ZipArchive(Zip.archive([.init(name: "a", bytes: [1]), .init(name: "a", bytes: [2])]), name: "a")
    }
  }

  @Test func `a file whose compressed size is excessive is not read`() throws {
    // Stored Deflate block of three bytes.
    let plain: [UInt8] = [1, 3, 0, 0xFC, 0xFF, 1, 2, 3]
    let sum = CRC32.of([1, 2, 3])
    let good = try ZipArchive(Zip.archive([.init(name: "a", bytes: plain, size: 3, sum: sum, method: 8)]), name: "a")
    #expect(try good.bytes("a", limit: 3) == [1, 2, 3])
    let padded = plain + [UInt8](repeating: 0, count: 1_000_000)
    let watched = WatchedArchive(Zip.archive([.init(name: "a", bytes: padded, size: 3, sum: sum, method: 8)]))
    let archive = try ZipArchive(watched, name: "a")
    let error = #expect(throws: ScanError.self) { try archive.bytes("a", limit: 3) }
    #expect(error?.code == .damaged && watched.largest < 100_000)
  }

  @Test func `an archive truncated or changed anywhere gives an error or a file`() throws {
    let whole = Zip.archive([.init(name: "rgbd/0.depth", bytes: [1, 2, 3, 4]), .init(name: "metadata", bytes: [5])])
    for cut in 0..<whole.count { #expect(throws: ScanError.self) { try ZipArchive(Array(whole[..<cut]), name: "a") } }
    for place in whole.indices {
      var damaged = whole
      damaged[place] ^= 0x55
      guard let archive = try? ZipArchive(damaged, name: "a") else { continue }
      for name in archive.names { _ = try? archive.bytes(name, limit: 100) }
    }
  }
}
