import Foundation
import MienScanFormat
import MienCore
import Testing

@Suite struct ScanSampleTests {
  /// Returns the bytes of the sample in Documentation/reference/formats/ScanBundle.md.
  private func sample() throws -> [UInt8] {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().appendingPathComponent("../../..")
      .standardized
    let text = try String(
      contentsOf: root.appendingPathComponent("Documentation/reference/formats/ScanBundle.md"), encoding: .utf8)
    let digits = try #require(text.components(separatedBy: "```hex").last?.components(separatedBy: "```").first)
      .filter(\.isHexDigit)
    return try stride(from: 0, to: digits.count, by: 2).map { place in
      let start = digits.index(digits.startIndex, offsetBy: place)
      return try #require(UInt8(digits[start..<digits.index(start, offsetBy: 2)], radix: 16))
    }
  }

  @Test func `the documented example is read as described and written identically`() throws {
    let bytes = try sample()
    let reader = try ScanReader(bytes)
    #expect(reader.isFinished && reader.count == 1 && reader.imageCount == 0)
    #expect(reader.header.device == "x" && reader.header.sensor == .lidar && reader.header.clock == .boot)
    #expect(reader.header.world == .yUp && reader.header.micrometersPerStep == 1000)
    let frame = try reader.frame(at: 0)
    #expect(frame.depth == [700, 0] && frame.confidence == [2, 0] && frame.pose == .identity)
    #expect(frame.intrinsics == PinholeIntrinsics(fx: 1.5, fy: 1.5, cx: 1, cy: 0.5) && frame.at.seconds == 1)
    var writer = ScanWriter(reader.header, coding: .plain)
    #expect(writer.start() + (try writer.append(frame)) + writer.finish() == bytes)
  }
}
