import Foundation
import MienScanFormat
import MienCore
import MienScanFiles
import Testing

@Suite struct FolderTests {
  /// Two frames as written by 3D Scanner App; the second is one meter further along x.
  private func scanner3D(
    pose: String = "1,0,0,0.5, 0,1,0,1.5, 0,0,1,-2, 0,0,0,1", intrinsics: String = "60,0,33,0,60,22,0,0,1",
    second: [UInt16] = depthSamples, width: Int = 6
  ) throws -> Place {
    let place = try Place()
    for (number, matrix) in [(0, pose), (1, "1,0,0,1.5, 0,1,0,1.5, 0,0,1,-2, 0,0,0,1")] {
      let name = "0000\(number)"
      try place.write(
        """
        {"cameraPoseARFrame":[\(matrix)],"intrinsics":[\(intrinsics)],"time":\(100 + number),
        "projectionMatrix":[2,0,0,0,0,3,0,0,0,0,-1,0,0,0,-1,0],"latitude":1.5}
        """, "frame_\(name).json")
      try place.write(
        GrayPNG.depth(number == 0 ? depthSamples : second, width: number == 0 ? 6 : width), "depth_\(name).png")
      try place.write(GrayPNG.levels(confidenceLevels, width: 6), "conf_\(name).png")
    }
    try place.write([0xFF, 0xD8, 0xFF, 0xE0, 0, 1], "frame_00001.jpg")
    return place
  }

  private func near(_ a: PinholeIntrinsics, _ b: PinholeIntrinsics) -> Bool {
    [a.fx - b.fx, a.fy - b.fy, a.cx - b.cx, a.cy - b.cy].allSatisfy { abs($0) < 1e-5 }
  }

  @Test func `a folder of 3D Scanner App is read`() throws {
    let place = try scanner3D()
    defer { place.remove() }
    let scan = try ScanImporter(path: place.path)
    #expect(scan.format == .scanner3D && scan.frameCount == 2 && scan.imageCount == 1)
    #expect(scan.header.sensor == .lidar && scan.header.world == .yUp && scan.header.micrometersPerStep == 1000)
    let frame = try scan.frame(at: 0)
    #expect(frame.depth == depthSamples && frame.confidence == confidenceLevels)
    #expect(frame.pose?.position == [0.5, 1.5, -2])
    // The image is 2 · 60 / 2 = 60 wide and 2 · 60 / 3 = 40 high: the map is a tenth of it.
    #expect(near(frame.intrinsics, PinholeIntrinsics(fx: 6, fy: 6, cx: 2.85, cy: 1.75)))
    #expect(frame.at.seconds == 100)
    let image = try scan.image(at: 0)
    #expect(image.role == .colorFrame && image.intrinsics?.fx == 60 && image.pose?.position.x == 1.5)
  }

  @Test func `an imported scan can be bundled and read back`() throws {
    let place = try scanner3D()
    defer { place.remove() }
    let scan = try ScanImporter(path: place.path)
    let reader = try ScanReader(try scan.bundle())
    #expect(reader.count == 2 && reader.imageCount == 1)
    #expect(try reader.frame(at: 1).depth == depthSamples)
    let other = try Place()
    defer { other.remove() }
    try other.write(try scan.bundle(coding: .quick), "a.mienscan")
    let again = try ScanImporter(path: other.path + "/a.mienscan")
    #expect(again.format == .bundle && again.frameCount == 2)
    #expect(try again.frame(at: 0).pose == scan.frame(at: 0).pose)
  }

  @Test(arguments: [
    ("1,0,0,0, 0,1,0,0, 0,0,0,0, 0,0,0,1", "not a rotation"), ("1,0,0,0, 0,1,0,0, 0,0,-1,0, 0,0,0,1", "left-handed"),
    ("2,0,0,0, 0,2,0,0, 0,0,2,0, 0,0,0,1", "scaled"), ("1,0,0,99999, 0,1,0,0, 0,0,1,0, 0,0,0,1", "10 km"),
    ("1,0,0,0, 0,1,0,0, 0,0,1,0", "16 numbers"),
  ])
  func `an invalid pose is rejected with its frame and file`(pose: String, words: String) throws {
    let place = try scanner3D(pose: pose)
    defer { place.remove() }
    let scan = try ScanImporter(path: place.path)
    let error = #expect(throws: ScanError.self) { try scan.frame(at: 0) }
    #expect(error?.frame == 0 && error?.reason.contains("frame_00000.json") == true)
    #expect(error?.reason.contains(words) == true, "\(error?.reason ?? "")")
    #expect(throws: Never.self) { try scan.frame(at: 1) }
  }

  @Test(arguments: ["0,0,33,0,60,22,0,0,1", "60,0,33,0,-60,22,0,0,1", "60,0,33"])
  func `empty intrinsics are rejected`(intrinsics: String) throws {
    let place = try scanner3D(intrinsics: intrinsics)
    defer { place.remove() }
    let scan = try ScanImporter(path: place.path)
    #expect(throws: ScanError.self) { try scan.frame(at: 0) }
  }

  @Test func `a map with another size is rejected with both sizes`() throws {
    let place = try scanner3D(second: Array(depthSamples.prefix(20)), width: 5)
    defer { place.remove() }
    let scan = try ScanImporter(path: place.path)
    let error = #expect(throws: ScanError.self) { try scan.frame(at: 1) }
    #expect(error?.reason.contains("5×4") == true && error?.reason.contains("6×4") == true && error?.frame == 1)
  }

  private func stray() throws -> Place {
    let place = try Place()
    try place.write("1440, 0, 959.5\n0, 1440, 719.5\n0, 0, 1\n", "camera_matrix.csv")
    try place.write(
      "timestamp, frame, x, y, z, qx, qy, qz, qw\n10.5, 000000, 1, 2, 3, 0, 0, 0, 1\n10.6, 000002, 1, 2, 3, 1, 0, 0, 0\n",
      "odometry.csv")
    for number in 0..<3 {
      try place.write(GrayPNG.depth(depthSamples, width: 6), "depth/00000\(number).png")
      try place.write(GrayPNG.levels(confidenceLevels, width: 6), "confidence/00000\(number).png")
    }
    return place
  }

  @Test func `a Stray Scanner folder is read with OpenCV camera axes converted`() throws {
    let place = try stray()
    defer { place.remove() }
    let scan = try ScanImporter(path: place.path)
    #expect(scan.format == .stray && scan.frameCount == 2)
    #expect(scan.notes.contains { $0.contains("1 depth maps have no row") })
    let frame = try scan.frame(at: 0)
    // A camera that looks along the world's z, like OpenCV's without rotation, has ARKit's z backward.
    #expect(frame.pose?.back == [0, 0, -1] && frame.pose?.up == [0, -1, 0] && frame.pose?.position == [1, 2, 3])
    #expect(try scan.frame(at: 1).pose?.back == [0, 0, 1])
    // The center of 1920×1440 is the center of 6×4.
    #expect(near(frame.intrinsics, PinholeIntrinsics(fx: 4.5, fy: 4, cx: 2.5, cy: 1.5)))
    #expect(frame.confidence == confidenceLevels && frame.at.seconds == 10.5)
  }

  /// Encodes a depth map in NumPy's format.
  private func npy(
    _ samples: [UInt16], width: Int, kind: String = "<u2", bytes: Int = 2, order: String = "False", version: UInt8 = 1
  ) -> [UInt8] {
    let text = "{'descr': '\(kind)', 'fortran_order': \(order), 'shape': (\(samples.count / width), \(width)), }"
    let head = version == 1 ? 10 : 12
    // NumPy pads the header to a multiple of 64.
    let length = (text.utf8.count + head + 64) / 64 * 64 - head
    let description = Array(text.utf8) + [UInt8](repeating: 0x20, count: length - text.utf8.count - 1) + [0x0A]
    let said = [UInt8(length & 0xFF), UInt8(length >> 8)] + (version == 1 ? [] : [0, 0])
    let numbers = samples.flatMap {
      [UInt8($0 & 0xFF), UInt8($0 >> 8)] + [UInt8](repeating: 0, count: bytes - 2)
    }
    return [0x93] + Array("NUMPY".utf8) + [version, 0] + said + description + numbers
  }

  private func oldStray(_ map: [UInt8]) throws -> Place {
    let place = try Place()
    try place.write("1440, 0, 959.5\n0, 1440, 719.5\n0, 0, 1\n", "camera_matrix.csv")
    try place.write("10.5, 000000, 1, 2, 3, 0, 0, 0, 1\n", "odometry.csv")
    try place.write(map, "depth/000000.npy")
    try place.write(GrayPNG.levels(confidenceLevels, width: 6), "confidence/000000.png")
    return place
  }

  @Test(arguments: [("<u2", 2, UInt8(1)), ("<u4", 4, 1), ("<u8", 8, 2), ("<i2", 2, 3), ("<i4", 4, 1), ("<i8", 8, 1)])
  func `an older Stray Scanner folder has NumPy depth maps`(
    kind: String, bytes: Int, version: UInt8
  ) throws {
    let place = try oldStray(npy(depthSamples, width: 6, kind: kind, bytes: bytes, version: version))
    defer { place.remove() }
    let scan = try ScanImporter(path: place.path)
    #expect(scan.format == .stray && scan.frameCount == 1 && scan.header.width == 6 && scan.header.height == 4)
    let frame = try scan.frame(at: 0)
    #expect(frame.depth == depthSamples && frame.confidence == confidenceLevels && frame.pose?.position == [1, 2, 3])
  }

  @Test func `an invalid NumPy depth map is rejected with a message wherever it is truncated`() throws {
    let good = npy(depthSamples, width: 6)
    for cut in 0..<good.count {
      let place = try oldStray(Array(good[..<cut]))
      defer { place.remove() }
      #expect(throws: ScanError.self, "cut at \(cut)") { try ScanImporter(path: place.path) }
    }
    let negative = npy([0xFFFF] + depthSamples.dropFirst(), width: 6, kind: "<i2")
    var large = npy(depthSamples, width: 6, kind: "<u4", bytes: 4)
    large[large.count - 1] = 1
    for (bytes, code) in [
      (npy(depthSamples, width: 6, kind: "<f4", bytes: 4), ScanError.Code.refused),
      (npy(depthSamples, width: 6, kind: ">u2"), .refused), (npy(depthSamples, width: 6, order: "True"), .refused),
      (negative, .refused), (large, .refused), (good + [0], .damaged), (Array("no array at all".utf8), .damaged),
      (npy(depthSamples, width: 6, version: 4), .damaged),
      (Array(good.map { $0 == UInt8(ascii: "4") ? UInt8(ascii: "9") : $0 }), .damaged),
    ] {
      let place = try oldStray(bytes)
      defer { place.remove() }
      #expect { try ScanImporter(path: place.path) } throws: { ($0 as? ScanError)?.code == code }
    }
    let description = "{'descr': '<u2', 'fortran_order': False, 'shape': (9999999999, 9999999999)}"
    let huge = Array(description.utf8)
    let place = try oldStray(Array(good[..<8]) + [UInt8(huge.count), 0] + huge)
    defer { place.remove() }
    #expect { try ScanImporter(path: place.path) } throws: { ($0 as? ScanError)?.code == .tooMuch }
  }

  @Test func `a TUM benchmark recording is read`() throws {
    let place = try Place("rgbd_freiburg2_desk")
    defer { place.remove() }
    try place.write("# depth\n100.00 depth/a.png\r\n100.50\tdepth/b.png\n", "depth.txt")
    try place.write("# time tx ty tz qx qy qz qw\n100.01 4 5 6 0 0 0 1\n", "groundtruth.txt")
    for name in ["a", "b"] { try place.write(GrayPNG.depth(depthSamples, width: 6), "depth/\(name).png") }
    let scan = try ScanImporter(path: place.path)
    #expect(scan.format == .tum && scan.header.micrometersPerStep == 200 && scan.header.world == .zUp)
    let frame = try scan.frame(at: 0)
    #expect(frame.pose?.position == [4, 5, 6] && frame.pose?.back == [0, 0, -1])
    #expect(abs(frame.intrinsics.fx - 520.9 * 6 / 640) < 1e-4)
    // Half a second away from the only pose.
    #expect(try scan.frame(at: 1).pose == nil)
  }

  @Test func `a TUM recording by another camera has its intrinsics or square pixels`() throws {
    let place = try Place("desk")
    defer { place.remove() }
    try place.write("100.00 depth/a.png\n", "depth.txt")
    try place.write(GrayPNG.depth(depthSamples, width: 6), "depth/a.png")
    let usual = try ScanImporter(path: place.path)
    let focus: Float = 525 * 6 / 640
    #expect(near(try usual.frame(at: 0).intrinsics, PinholeIntrinsics(fx: focus, fy: focus, cx: 2.5, cy: 1.5)))
    #expect(usual.notes.contains { $0.contains("intrinsics") })
    try place.write("7.5 7.25 2.75 1.25\n", "calibration.txt")
    let own = try ScanImporter(path: place.path)
    #expect(near(try own.frame(at: 0).intrinsics, PinholeIntrinsics(fx: 7.5, fy: 7.25, cx: 2.75, cy: 1.25)))
    #expect(!own.notes.contains { $0.contains("intrinsics") })
    for text in ["", "7.5 7.25 2.75\n", "0 7.25 2.75 1.25\n", "nan 7 2 1\n", "1e30 7 2 1\n"] {
      try place.write(text, "calibration.txt")
      #expect(throws: ScanError.self, "\(text)") { try ScanImporter(path: place.path) }
    }
  }

  @Test func `an ARKitScenes video is read`() throws {
    let place = try Place()
    defer { place.remove() }
    // World to camera: a quarter turn about z, then one meter along the camera's x.
    try place.write("41.0 0 0 1.5707963267948966 1 0 0\n", "lowres_wide.traj")
    try place.write(GrayPNG.depth(depthSamples, width: 6), "lowres_depth/7_41.010.png")
    try place.write("6 4 5 5 3 2\n", "lowres_wide_intrinsics/7_41.011.pincam")
    let scan = try ScanImporter(path: place.path)
    #expect(scan.format == .arKitScenes && scan.frameCount == 1)
    let pose = try #require(try scan.frame(at: 0).pose)
    // The camera's center is the point that world to camera maps to zero: Rᵀ · (−1, 0, 0) = (0, 1, 0).
    #expect(abs(pose.position.x) < 1e-5 && abs(pose.position.y - 1) < 1e-5 && abs(pose.position.z) < 1e-5)
    #expect(abs(pose.back.z + 1) < 1e-5)
  }

  @Test func `Record3D floats become millimeters and invalid values become holes`() throws {
    let place = try Place()
    defer { place.remove() }
    var meters = depthSamples.map { Float($0) / 1000 }
    meters[3] = .nan
    meters[4] = -1
    meters[5] = 1000
    try place.write(floats(meters), "rgbd/0.depth")
    try place.write(confidenceLevels, "rgbd/0.conf")
    try place.write(
      #"{"w":60,"h":40,"dw":6,"dh":4,"K":[50,0,0,0,50,0,30,20,1],"poses":[[0,0,0,1,1,2,3]],"fps":30}"#, "metadata")
    // Uncompressed: the reader knows the size from the second frame on; the first indicates compression.
    try place.write([0x62, 0x76, 0x78, 0x2D] + Zip.little(96, 4) + floats(meters) + Array("bvx$".utf8), "rgbd/0.depth")
    let scan = try ScanImporter(path: place.path)
    let frame = try scan.frame(at: 0)
    var expected = depthSamples
    for hole in 3...5 { expected[hole] = 0 }
    #expect(frame.depth == expected && frame.confidence == confidenceLevels)
    #expect(near(frame.intrinsics, PinholeIntrinsics(fx: 5, fy: 5, cx: 2.55, cy: 1.55)))
    #expect(frame.pose?.position == [1, 2, 3])
  }

  @Test func `a size mismatch between metadata and maps is rejected`() throws {
    let place = try Place()
    defer { place.remove() }
    try place.write(
      [0x62, 0x76, 0x78, 0x2D] + Zip.little(96, 4) + floats([Float](repeating: 1, count: 24)) + Array("bvx$".utf8),
      "rgbd/0.depth")
    try place.write(#"{"w":6,"h":4,"dw":8,"dh":4,"K":[5,0,0,0,5,0,3,2,1]}"#, "metadata")
    #expect(throws: ScanError(.refused, "", frame: 0)) { try ScanImporter(path: place.path) }
  }

  @Test func `a folder with unknown content is identified as such`() throws {
    let place = try Place()
    defer { place.remove() }
    try place.write("hello", "readme.txt")
    #expect(throws: ScanError(.notAScan, "")) { try ScanImporter(path: place.path) }
    #expect(throws: ScanError(.missing, "")) { try ScanImporter(path: place.path + "/nowhere") }
  }
}
