import Foundation
import MienApple
import MienScanFormat
import MienViewModels
import MienCore
import Testing

/// Scan files on a phone's disk.
@Suite struct `Scan recordings on disk` {
  static let header = ScanHeader(
    device: "iPhone14,2", sensor: .lidar, width: 8, height: 6, micrometersPerStep: 1000, world: .yUp, clock: .boot)

  static func frame(_ number: Int, width: Int = 8) throws -> ScanFrame {
    try #require(
      ScanFrame(
        width: width, height: 6, depth: (0..<width * 6).map { UInt16(500 + ($0 * 7 + number * 13) % 90) },
        confidence: nil, pose: .identity, intrinsics: PinholeIntrinsics(fx: 8, fy: 8, cx: 4, cy: 3),
        at: .zero + .milliseconds(Double(number) * 33)))
  }

  static func scan(_ frames: Int, in folder: URL) throws -> ScanFileRecorder {
    let coder = try ScanFileRecorder(file: folder.appendingPathComponent("scan.mienscan"), header: try #require(header))
    for number in 0..<frames { try coder.append(try frame(number)) }
    return coder
  }

  @Test func `a recorded scan is read back frame by frame`() throws {
    try withFolder { folder in
      let coder = try Self.scan(31, in: folder)
      let take = try #require(coder.finish())
      let bytes = Array(try Data(contentsOf: coder.file))
      #expect(take.path == "scan.mienscan" && take.frames == 31 && take.bytes == bytes.count && !take.isCut)
      #expect(abs(take.seconds - 0.99) < 1e-6)
      let reader = try ScanReader(bytes)
      #expect(reader.isFinished && reader.count == 31 && Optional(reader.header) == Self.header)
      for number in [0, 14, 15, 30] {
        #expect(try reader.frame(at: number).depth == Self.frame(number).depth)
      }
    }
  }

  @Test func `a frame with another size or an older timestamp is skipped`() throws {
    try withFolder { folder in
      let coder = try Self.scan(2, in: folder)
      try coder.append(try Self.frame(1))
      try coder.append(try Self.frame(0))
      try coder.append(try Self.frame(2, width: 9))
      try coder.append(try Self.frame(3))
      #expect(coder.finish()?.frames == 3)
    }
  }

  @Test func `a scan without frames leaves no file`() throws {
    try withFolder { folder in
      let coder = try Self.scan(0, in: folder)
      #expect(coder.finish() == nil && !FileManager.default.fileExists(atPath: coder.file.path))
    }
  }

  @Test(
    "a killed app's scan is read to the cut",
    arguments: [0, 1, 2, 7, 15, 16, 17, 40, 100])
  func killed(lost: Int) throws {
    try withFolder { folder in
      // Unfinished, as after termination of the app, and without the last bytes.
      let coder = try Self.scan(20, in: folder)
      let whole = try Data(contentsOf: coder.file)
      try whole.dropLast(lost).write(to: coder.file)
      let take = try #require(ScanFileRecorder.rescued(coder.file))
      #expect(take.isCut && (lost == 0 ? take.frames == 20 : (10..<20).contains(take.frames)))
      let bytes = Array(try Data(contentsOf: coder.file))
      let reader = try ScanReader(bytes)
      #expect(reader.isFinished && reader.count == take.frames && take.bytes == bytes.count && reader.faults.isEmpty)
      let last = take.frames - 1
      #expect(try reader.frame(at: last).depth == Self.frame(last).depth)
      #expect(abs(take.seconds - Double(last) * 0.033) < 1e-6)
      // Terminated again before the recovery was used: the result is the same.
      #expect(ScanFileRecorder.rescued(coder.file) == take)
    }
  }

  @Test func `an invalid recording is not recovered`() throws {
    try withFolder { folder in
      let file = folder.appendingPathComponent("scan.mienscan")
      #expect(ScanFileRecorder.rescued(file) == nil)
      for bytes in [Data(), Data("MSCAN".utf8), Data(repeating: 0, count: 4096)] {
        try bytes.write(to: file)
        #expect(ScanFileRecorder.rescued(file) == nil)
      }
      let coder = try Self.scan(0, in: folder)
      #expect(ScanFileRecorder.rescued(coder.file) == nil)
    }
  }

  @Test func `a disk write failure is reported`() throws {
    try withFolder { folder in
      let place = folder.appendingPathComponent("file")
      try Data().write(to: place)
      let header = try #require(Self.header)
      #expect(throws: ViewError.lowStorage) {
        try ScanFileRecorder(file: place.appendingPathComponent("scan.mienscan"), header: header)
      }
    }
  }
}

@Suite struct `Folder store` {
  @Test func `values persist until they are removed`() throws {
    try withFolder { folder in
      let store = FolderStore(folder.appendingPathComponent("settings"))
      #expect(store.read("draft") == nil)
      try store.write("draft", [1, 2])
      try store.write("draft", [3])
      #expect(FolderStore(folder.appendingPathComponent("settings")).read("draft") == [3])
      try store.write("draft", nil)
      try store.write("draft", nil)
      #expect(store.read("draft") == nil)
    }
  }

  @Test(arguments: ["", "..", "../secret", "a/b", "ä", String(repeating: "a", count: 65), "a\u{0}"])
  func `an invalid name is rejected and creates no file`(name: String) throws {
    try withFolder { folder in
      let store = FolderStore(folder)
      #expect(store.read(name) == nil)
      #expect(throws: ViewError.self) { try store.write(name, [1]) }
      let left = try FileManager.default.contentsOfDirectory(atPath: folder.path)
      #expect(left.isEmpty)
    }
  }

  @Test func `a failed write is reported as low storage`() throws {
    try withFolder { folder in
      let place = folder.appendingPathComponent("file")
      try Data().write(to: place)
      #expect(throws: ViewError.lowStorage) { try FolderStore(place).write("draft", [1]) }
    }
  }
}

/// Runs a closure with a temporary folder that is deleted afterward.
func withFolder(_ work: (URL) throws -> Void) throws {
  let folder = FileManager.default.temporaryDirectory.appendingPathComponent("mien-apple-\(UUID().uuidString)")
  try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
  defer { try? FileManager.default.removeItem(at: folder) }
  try work(folder)
}
