import MienCore
import MienReconstruction
import MienScanFiles
import MienScanFormat
import Testing

/// Record3D recordings that were cut, renamed or written by other programs.
@Suite struct `Record3D variants` {
  private static let map = depthSamples.map { Float($0) / 1000 }

  /// Writes frames with the given names; lists have `items` poses whose x is their index.
  private func recording(
    _ names: [Int], items: Int, sizes: String = #""dw":6,"dh":4,"#, maps: [Int: [UInt8]] = [:]
  ) throws -> Place {
    let place = try Place()
    for name in names {
      let bytes = maps[name] ?? (Array("bvx-".utf8) + Zip.little(96, 4) + floats(Self.map) + Array("bvx$".utf8))
      try place.write(bytes, "rgbd/\(name).depth")
    }
    func list(_ item: (Int) -> String) -> String { (0..<items).map(item).joined(separator: ",") }
    try place.write(
      """
      {"w":6,"h":4,\(sizes)"K":[5,0,0,0,5,0,2.5,1.5,1],"poses":[\(list { "[0.1,0,0,0.995,\($0),0,0]" })],
      "perFrameIntrinsicCoeffs":[\(list { "[\($0 + 5),5,2.5,1.5]" })],"frameTimestamps":[\(list { "\($0)" })]}
      """, "metadata")
    return place
  }

  private func items(_ scan: ScanImporter) throws -> [Int?] {
    try (0..<scan.frameCount).map { number in
      let frame = try scan.frame(at: number)
      let item = frame.pose.map { Int($0.position.x) }
      if let item {
        #expect(frame.intrinsics.fx == Float(item + 5) && frame.at.seconds == Double(item))
      }
      return item
    }
  }

  @Test(
    arguments: [
      // As many items as frames: by order, whatever the names.
      ([0, 1, 2], 3, [0, 1, 2]), ([20, 21, 22], 3, [0, 1, 2]), ([1, 2, 3], 3, [0, 1, 2]), ([3, 7, 8], 3, [0, 1, 2]),
      // Lists of the whole recording: by name.
      ([20, 21, 22], 48, [20, 21, 22]), ([0, 2, 3], 4, [0, 2, 3]),
      // Names from 1 with a gap, recognized by the last one.
      ([1, 3, 4], 4, [0, 2, 3]),
    ] as [([Int], Int, [Int])])
  func `lists belong to the frames by order or by name`(names: [Int], items count: Int, expected: [Int]) throws {
    let place = try recording(names, items: count)
    defer { place.remove() }
    let scan = try ScanImporter(path: place.path)
    #expect(try items(scan) == expected)
    #expect(scan.remarks.map(\.code) == (names.count == count ? [] : [.notePosesForMaps]))
  }

  @Test func `frames for which there is no pose are reported`() throws {
    let place = try recording([0, 1, 2, 3], items: 2)
    defer { place.remove() }
    let scan = try ScanImporter(path: place.path)
    #expect(try (0..<4).map { try scan.frame(at: $0).pose == nil } == [false, false, true, true])
    #expect(scan.remarks.map(\.code) == [.notePosesForMaps, .noteMapsWithoutPose])
    #expect(scan.remarks.last?.values == ["count": "2"])
  }

  @Test(arguments: [#""dw":6,"dh":4,"#, ""])
  func `maps need not be packed`(sizes: String) throws {
    // Without the size in the metadata, only usual numbers of samples are accepted.
    let count = sizes.isEmpty ? 256 * 192 : 24
    let meters = floats([Float](repeating: 1.25, count: count))
    let place = try recording([0, 1], items: 2, sizes: sizes, maps: [0: meters, 1: meters])
    defer { place.remove() }
    let scan = try ScanImporter(path: place.path)
    #expect(try scan.frame(at: 1).depth == [UInt16](repeating: 1250, count: count))
    #expect(scan.header.sensor == (sizes.isEmpty ? .lidar : .trueDepth), "256×192 samples are a LiDAR's")
  }

  @Test func `a first map of another size is an error of its frame only`() throws {
    let place = try recording([0, 1, 2], items: 3, maps: [0: floats([1, 2, 3])])
    defer { place.remove() }
    let scan = try ScanImporter(path: place.path)
    #expect((scan.header.width, scan.header.height, scan.frameCount) == (6, 4, 3))
    #expect(throws: ScanError.self) { try scan.frame(at: 0) }
    #expect(try scan.frame(at: 1).depth == depthSamples)
  }

  @Test func `floats in millimeters are rejected as such`() throws {
    let millimeters = floats(depthSamples.map { Float($0) })
    let place = try recording([0, 1], items: 2, maps: [0: millimeters])
    defer { place.remove() }
    let scan = try ScanImporter(path: place.path)
    let error = #expect(throws: ScanError.self) { try scan.frame(at: 0) }
    #expect(error?.reason.contains("millimeters") == true)
  }
}
