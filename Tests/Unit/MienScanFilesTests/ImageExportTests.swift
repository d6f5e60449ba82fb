import MienCore
import MienReconstruction
import MienScanFormat
import Testing

@testable import MienScanFiles

/// OpenEXR images as Record3D's export and other programs write them.
enum EXR {
  /// Returns an image of scan lines with one channel of floats, uncompressed.
  static func image(_ samples: [Float], width: Int, channel: String = "R") -> [UInt8] {
    let height = samples.count / width
    func text(_ value: String) -> [UInt8] { Array(value.utf8) + [0] }
    func attribute(_ name: String, _ kind: String, _ value: [UInt8]) -> [UInt8] {
      text(name) + text(kind) + Zip.little(value.count, 4) + value
    }
    let window: [UInt8] = Zip.little(0, 8) + Zip.little(width - 1, 4) + Zip.little(height - 1, 4)
    var channels = text(channel)
    for value in [2, 0, 1, 1] { channels += Zip.little(value, 4) }
    channels.append(0)
    var head: [UInt8] = [0x76, 0x2F, 0x31, 0x01]
    head += Zip.little(2, 4)
    head += attribute("channels", "chlist", channels)
    head += attribute("compression", "compression", [0])
    head += attribute("dataWindow", "box2i", window)
    head += attribute("displayWindow", "box2i", window)
    head += attribute("lineOrder", "lineOrder", [0])
    head += attribute("pixelAspectRatio", "float", floats([1]))
    head += attribute("screenWindowCenter", "v2f", floats([0, 0]))
    head += attribute("screenWindowWidth", "float", floats([1]))
    head.append(0)
    let line = 8 + 4 * width
    let start = head.count + 8 * height
    for row in 0..<height { head += Zip.little(start + row * line, 8) }
    for row in 0..<height {
      head += Zip.little(row, 4)
      head += Zip.little(4 * width, 4)
      head += floats(Array(samples[row * width..<(row + 1) * width]))
    }
    return head
  }
}

@Suite struct `Scans of separate images` {
  private static let meters = depthSamples.map { Float($0) / 1000 }

  // MARK: - Record3D's EXR export

  private func export(_ change: (Place) throws -> Void = { _ in }) throws -> Place {
    let place = try Place()
    let metadata =
      #"{"w":60,"h":40,"K":[50,0,0,0,50,0,29.5,19.5,1],"poses":[[0.1,0,0,0.995,1,2,3],[0.1,0,0,0.995,4,5,6]]}"#
    try place.write(metadata, "EXR_RGBD/metadata.json")
    for number in 0..<2 { try place.write(EXR.image(Self.meters, width: 6), "EXR_RGBD/depth/\(number).exr") }
    try place.write([0xFF, 0xD8, 0xFF, 0xE0, 1], "EXR_RGBD/rgb/1.jpg")
    try change(place)
    return place
  }

  @Test func `Record3D's EXR export is read`() throws {
    let place = try export()
    defer { place.remove() }
    let scan = try ScanImporter(path: place.path)
    #expect(scan.format == .record3D && scan.frameCount == 2 && scan.imageCount == 1)
    #expect((scan.header.width, scan.header.height) == (6, 4))
    let frame = try scan.frame(at: 1)
    #expect(frame.depth == depthSamples && frame.confidence == nil && frame.pose?.position == [4, 5, 6])
    #expect(abs(frame.intrinsics.fx - 5) < 1e-5 && abs(frame.intrinsics.cx - 2.5) < 1e-5)
    #expect(try scan.image(at: 0).pose?.position == [4, 5, 6])
  }

  @Test func `holes, confidence and other channels of an EXR export are read`() throws {
    var holes = Self.meters
    (holes[0], holes[1], holes[2]) = (.nan, .infinity, 0)
    let place = try export { place in
      try place.write(EXR.image(holes, width: 6, channel: "Z"), "EXR_RGBD/depth/0.exr")
      try place.write(GrayPNG.levels(confidenceLevels, width: 6), "EXR_RGBD/confidence/0.png")
    }
    defer { place.remove() }
    let scan = try ScanImporter(path: place.path)
    let frame = try scan.frame(at: 0)
    #expect(frame.depth == [0, 0, 0] + depthSamples[3...] && frame.confidence == confidenceLevels)
    #expect(scan.header.sensor == .lidar)
  }

  @Test func `damaged EXR images are errors of their frames`() throws {
    let whole = EXR.image(Self.meters, width: 6)
    for cut in [0, 3, 8, 100, whole.count / 2, whole.count - 1] {
      let place = try export { try $0.write(Array(whole[..<cut]), "EXR_RGBD/depth/0.exr") }
      defer { place.remove() }
      let scan = try ScanImporter(path: place.path)
      #expect(throws: ScanError(.damaged, "", frame: 0), "cut at \(cut)") { try scan.frame(at: 0) }
      #expect(try scan.frame(at: 1).depth == depthSamples)
    }
    let other = try export { try $0.write(EXR.image([1, 2], width: 2), "EXR_RGBD/depth/1.exr") }
    defer { other.remove() }
    let scan = try ScanImporter(path: other.path)
    #expect(throws: ScanError(.refused, "", frame: 1)) { try scan.frame(at: 1) }
  }

  @Test func `every flipped byte of an EXR image is an error or an image`() throws {
    var bytes = EXR.image(Self.meters, width: 6)
    for place in bytes.indices {
      for bit in [1, 0x80] as [UInt8] {
        bytes[place] ^= bit
        do {
          let map = try DepthImageReader.floats(ofEXR: bytes, "a", frame: 0)
          #expect(map.samples.count == map.width * map.height)
        } catch {
          #expect(error.code == .damaged)
        }
        bytes[place] ^= bit
      }
    }
  }

  // MARK: - Polycam

  private func camera(_ x: Int) -> String {
    let numbers = (0..<3).flatMap { row in
      (0..<4).map { column in "\"t_\(row)\(column)\":\(column == row ? 1 : column == 3 && row == 0 ? x : 0)" }
    }
    return
      #"{"fx":50,"fy":50,"cx":29.5,"cy":19.5,"width":60,"height":40,"blur_score":9,\#(numbers.joined(separator: ","))}"#
  }

  private func polycam(corrected: [Int] = []) throws -> Place {
    let place = try Place()
    for time in [1000, 20_000] {
      try place.write(GrayPNG.depth(depthSamples, width: 6), "keyframes/depth/\(time).png")
      let levels = confidenceLevels.map { [0, 127, 255][Int($0)] as UInt8 }
      try place.write(GrayPNG.levels(levels, width: 6), "keyframes/confidence/\(time).png")
      try place.write(camera(time / 100), "keyframes/cameras/\(time).json")
      try place.write([0xFF, 0xD8, 0xFF, 0xE0, 1], "keyframes/images/\(time).jpg")
      if corrected.contains(time) {
        try place.write(camera(time / 1000), "keyframes/corrected_cameras/\(time).json")
        try place.write([0xFF, 0xD8, 0xFF, 0xE0, 2], "keyframes/corrected_images/\(time).jpg")
      }
    }
    return place
  }

  @Test func `Polycam's raw data is read in the order of the times`() throws {
    let place = try polycam()
    defer { place.remove() }
    let scan = try ScanImporter(path: place.path)
    #expect(scan.format == .polycam && scan.frameCount == 2 && scan.imageCount == 2 && scan.remarks.isEmpty)
    let frame = try scan.frame(at: 1)
    #expect(frame.depth == depthSamples && frame.confidence == confidenceLevels)
    #expect(frame.pose?.position == [200, 0, 0])
    #expect(abs(frame.at.seconds - 0.02) < 1e-9 && abs(frame.intrinsics.fx - 5) < 1e-5)
    #expect(scan.header.world == .yUp && scan.header.sensor == .lidar)
  }

  @Test func `corrected cameras and images of Polycam replace the others`() throws {
    let place = try polycam(corrected: [20_000])
    defer { place.remove() }
    let scan = try ScanImporter(path: place.path)
    // The frame without a corrected pose has none: the other one is in another world.
    #expect(try scan.frame(at: 0).pose == nil)
    #expect(try scan.frame(at: 1).pose?.position == [20, 0, 0])
    #expect(scan.remarks.map(\.code) == [.noteMapsWithoutPose])
    #expect(scan.imageCount == 1)
    #expect(try scan.image(at: 0).bytes.last == 2)
  }

  // MARK: - transforms.json

  private func frame(_ name: String, x: Double, more: String = "") -> String {
    #"{"file_path":"images/\#(name).jpg","depth_file_path":"./depth/\#(name).png",\#(more)"#
      + #""transform_matrix":[[1,0,0,\#(x)],[0,1,0,0],[0,0,1,0],[0,0,0,1]]}"#
  }

  private static let shared = #""fl_x":50,"fl_y":50,"cx":30,"cy":20,"w":60,"h":40"#

  private func transforms(_ text: String) throws -> Place {
    let place = try Place()
    try place.write(text, "transforms.json")
    for name in ["f_2", "f_10"] {
      try place.write(GrayPNG.depth(depthSamples, width: 6), "depth/\(name).png")
      try place.write([0xFF, 0xD8, 0xFF, 0xE0, 1], "images/\(name).jpg")
    }
    return place
  }

  @Test func `transforms are read in the order of their names`() throws {
    let place = try transforms("{\(Self.shared),\"frames\":[\(frame("f_10", x: 10)),\(frame("f_2", x: 2))]}")
    defer { place.remove() }
    let scan = try ScanImporter(path: place.path)
    #expect(scan.format == .transforms && scan.frameCount == 2 && scan.imageCount == 2 && scan.header.world == .zUp)
    let first = try scan.frame(at: 0)
    #expect(first.pose?.position == [2, 0, 0] && first.depth == depthSamples)
    #expect(abs(first.intrinsics.fx - 5) < 1e-5 && abs(first.intrinsics.cx - 2.5) < 1e-5)
    #expect(try scan.image(at: 1).pose?.position == [10, 0, 0])
  }

  @Test func `units, scales and cameras of transforms are applied`() throws {
    let own = #""fl_x":40,"w":60,"h":40,"#
    let place = try transforms(
      #"{"depth_unit_scale_factor":0.0005,"applied_scale":0.5,"frames":[\#(frame("f_2", x: 1, more: own))]}"#)
    defer { place.remove() }
    let scan = try ScanImporter(path: place.path)
    let frame = try scan.frame(at: 0)
    #expect(frame.pose?.position == [2, 0, 0] && abs(frame.intrinsics.fx - 4) < 1e-5)
    #expect(scan.header.micrometersPerStep == 500 && frame.depth == depthSamples)
    // The principal point is the middle if it is not stated.
    #expect(abs(frame.intrinsics.cx - 2.5) < 1e-5)
  }

  @Test(arguments: [
    "{}", "[]", #"{"frames":[]}"#, #"{"frames":[{"file_path":"images/f_2.jpg","transform_matrix":[[1]]}]}"#,
    #"{"frames":[{"depth_file_path":"../../etc/passwd","transform_matrix":[[1]]}]}"#,
    #"{"depth_unit_scale_factor":-1,"frames":[{"depth_file_path":"depth/f_2.png","transform_matrix":[[1]]}]}"#,
    #"{"applied_scale":0,"frames":[{"depth_file_path":"depth/f_2.png","transform_matrix":[[1]]}]}"#,
  ])
  func `transforms without readable depth are errors`(text: String) throws {
    let place = try transforms(text)
    defer { place.remove() }
    #expect(throws: ScanError.self) { try ScanImporter(path: place.path) }
  }

  @Test(arguments: ["[[1]]", "[[2,0,0,0],[0,2,0,0],[0,0,2,0],[0,0,0,1]]", "[[1,0,0,0],[0,1,0,0],[0,0,-1,0],[0,0,0,1]]"])
  func `an invalid matrix of transforms is an error of its frame`(matrix: String) throws {
    let bad = #"{"depth_file_path":"depth/f_10.png","transform_matrix":\#(matrix)}"#
    let place = try transforms("{\(Self.shared),\"frames\":[\(frame("f_2", x: 0)),\(bad)]}")
    defer { place.remove() }
    let scan = try ScanImporter(path: place.path)
    #expect(try scan.frame(at: 0).pose?.position == [0, 0, 0])
    #expect(throws: ScanError(.refused, "", frame: 1)) { try scan.frame(at: 1) }
  }

  // MARK: - Times

  @Test func `poses at other times than the maps are reported with both`() throws {
    let place = try Place("desk")
    defer { place.remove() }
    try place.write("100.0 depth/a.png\n100.1 depth/a.png\n", "depth.txt")
    try place.write(GrayPNG.depth(depthSamples, width: 6), "depth/a.png")
    try place.write("3700.0 1 2 3 0 0 0 1\n3700.1 1 2 3 0 0 0 1\n", "groundtruth.txt")
    let scan = try ScanImporter(path: place.path)
    let remark = try #require(scan.remarks.first { $0.code == .noteTimesApart })
    #expect(remark.values["poses"] == "2" && remark.values["first"] == "3700.0" && remark.values["start"] == "100.0")
    #expect(try scan.frame(at: 0).pose == nil)
  }
}
