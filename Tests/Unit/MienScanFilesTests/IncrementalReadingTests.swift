import Foundation
import MienScanFormat
import Testing

@testable import MienScanFiles

@Suite struct `Incremental file reading` {
  @Test func `a file that shrinks while being read loses only the missing bytes`() throws {
    let place = try Place()
    defer { place.remove() }
    var hints = ScanImporter.Hints()
    hints.size = (16, 8)
    hints.samples = .whole16
    try place.write((0..<16 * 8 * 2 * 5).map { UInt8(truncatingIfNeeded: $0 / 256) }, "depth_scan.bin")
    let raw = try ScanImporter(path: place.path, hints: hints)
    let bundle = try raw.bundle()
    try place.write(bundle, "scan.mienscan")
    let scan = try ScanImporter(path: place.path + "/scan.mienscan")
    #expect(try scan.frame(at: 4).depth == raw.frame(at: 4).depth)
    let handle = try FileHandle(forWritingTo: URL(fileURLWithPath: place.path + "/scan.mienscan"))
    try handle.truncate(atOffset: UInt64(bundle.count * 2 / 3))
    try handle.close()
    #expect(try scan.frame(at: 0).depth == raw.frame(at: 0).depth)
    let error = #expect(throws: ScanError.self) { try scan.frame(at: 4) }
    #expect(error?.code == .damaged && error?.frame == 4)
  }

  @Test func `the bytes match the file`() throws {
    let place = try Place()
    defer { place.remove() }
    let content = (0..<1000).map { UInt8(truncatingIfNeeded: $0 * 7) }
    try place.write(content, "a")
    let file = try FileByteSource(place.path + "/a")
    #expect(file.count == 1000)
    #expect(file.bytes(0..<1000) == content)
    #expect(file.bytes(998..<1000) == [content[998], content[999]])
    #expect(file.bytes(at: 990, count: 50) == Array(content[990...]))
    #expect(file.bytes(at: 1000, count: 1).isEmpty && file.bytes(at: -1, count: 1).isEmpty)
    #expect(throws: ScanError.self) { try FileByteSource(place.path + "/nowhere") }
  }
}
