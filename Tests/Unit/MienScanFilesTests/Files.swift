import Foundation
import MienScanFormat
import MienScanFiles
import Testing
import MienArchive

/// Temporary folder for a test.
struct Place {
  let path: String

  init(_ name: String = "scan") throws {
    path = NSTemporaryDirectory() + "mien-scan-\(UUID().uuidString)/" + name
    try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
  }

  func remove() { try? FileManager.default.removeItem(at: URL(fileURLWithPath: path).deletingLastPathComponent()) }

  func write(_ bytes: [UInt8], _ name: String) throws {
    let file = URL(fileURLWithPath: path + "/" + name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(bytes).write(to: file)
  }

  func write(_ text: String, _ name: String) throws { try write(Array(text.utf8), name) }
}

extension ScanImporter {
  /// Returns the scan as a bundle in memory.
  func bundle(coding: ScanWriter.Coding = .dense) throws -> [UInt8] {
    var writer = ScanWriter(header, coding: coding)
    var bytes = writer.start()
    var frames = cursor()
    for number in 0..<frameCount { bytes += try writer.append(try frames.frame(at: number)) }
    for number in 0..<imageCount { bytes += try writer.append(try image(at: number)) }
    return bytes + writer.finish()
  }
}

/// Uncompressed grayscale PNG images.
enum GrayPNG {
  static func depth(_ samples: [UInt16], width: Int) -> [UInt8] {
    file(samples.flatMap { [UInt8($0 >> 8), UInt8($0 & 255)] }, rowBytes: width * 2, width: width, bits: 16)
  }

  static func levels(_ samples: [UInt8], width: Int) -> [UInt8] {
    file(samples, rowBytes: width, width: width, bits: 8)
  }

  private static func file(_ bytes: [UInt8], rowBytes: Int, width: Int, bits: UInt8) -> [UInt8] {
    let height = bytes.count / rowBytes
    var raw: [UInt8] = []
    for row in 0..<height { raw += [0] + bytes[row * rowBytes..<(row + 1) * rowBytes] }
    var (a, b) = (1, 0)
    for byte in raw {
      a = (a + Int(byte)) % 65_521
      b = (b + a) % 65_521
    }
    let (low, high) = (UInt8(raw.count & 255), UInt8(raw.count >> 8))
    let packed = [0x78, 0x01, 1, low, high, ~low, ~high] + raw + big(b << 16 | a)
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]
      + chunk("IHDR", big(width) + big(height) + [bits, 0, 0, 0, 0]) + chunk("IDAT", packed) + chunk("IEND", [])
  }

  private static func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
    let body = Array(name.utf8) + content
    return big(content.count) + body + big(Int(CRC32.of(body[...])))
  }

  private static func big(_ value: Int) -> [UInt8] { [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) } }
}

/// ZIP archives of stored files.
enum Zip {
  struct Entry {
    var name: String
    var bytes: [UInt8]
    var size: Int?
    var sum: UInt32?
    var flags = 0
    var method = 0
  }

  static func archive(_ entries: [Entry]) -> [UInt8] {
    var file: [UInt8] = []
    var directory: [UInt8] = []
    for entry in entries {
      let sum = Int(entry.sum ?? CRC32.of(entry.bytes[...]))
      let sizes = little(sum, 4) + little(entry.bytes.count, 4) + little(entry.size ?? entry.bytes.count, 4)
      let common = little(20, 2) + little(entry.flags, 2) + little(entry.method, 2) + little(0, 4) + sizes
      let name = Array(entry.name.utf8)
      directory += little(0x0201_4B50, 4) + little(20, 2) + common + little(name.count, 2) + little(0, 12)
      directory += little(file.count, 4) + name
      file += little(0x0403_4B50, 4) + common + little(name.count, 2) + little(0, 2) + name + entry.bytes
    }
    let place = file.count
    file += directory + little(0x0605_4B50, 4) + little(0, 4) + little(entries.count, 2) + little(entries.count, 2)
    return file + little(directory.count, 4) + little(place, 4) + little(0, 2)
  }

  /// Encodes the archive as ZIP64: all sizes and offsets of entries and of the directory use the 64-bit fields.
  static func longArchive(_ entries: [Entry]) -> [UInt8] {
    var file: [UInt8] = []
    var directory: [UInt8] = []
    for entry in entries {
      let sum = little(Int(CRC32.of(entry.bytes[...])), 4)
      let common = little(45, 2) + little(0, 8) + sum
      let name = Array(entry.name.utf8)
      let size = little(entry.bytes.count, 8)
      let none = [UInt8](repeating: 0xFF, count: 4)
      directory += little(0x0201_4B50, 4) + little(45, 2) + common + none + none + little(name.count, 2) + little(28, 2)
      directory += little(0, 10) + none + name + little(1, 2) + little(24, 2) + size + size + little(file.count, 8)
      file += little(0x0403_4B50, 4) + common + none + none + little(name.count, 2) + little(20, 2) + name
      file += little(1, 2) + little(16, 2) + size + size + entry.bytes
    }
    let place = file.count
    file += directory
    let record = file.count
    file += little(0x0606_4B50, 4) + little(44, 8) + little(45, 2) + little(45, 2) + little(0, 8)
    file += little(entries.count, 8) + little(entries.count, 8) + little(directory.count, 8) + little(place, 8)
    file += little(0x0706_4B50, 4) + little(0, 4) + little(record, 8) + little(1, 4)
    return file + little(0x0605_4B50, 4) + [UInt8](repeating: 0, count: 4) + [UInt8](repeating: 0xFF, count: 12)
      + little(0, 2)
  }

  static func little(_ value: Int, _ count: Int) -> [UInt8] {
    (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
  }
}

/// Depth of the test maps: 6×4, with distinct samples.
let depthSamples: [UInt16] = (0..<24).map { 900 + $0 * 7 }
let confidenceLevels: [UInt8] = (0..<24).map { UInt8($0 % 3) }

func floats(_ values: [Float]) -> [UInt8] { values.flatMap { Zip.little(Int($0.bitPattern), 4) } }
