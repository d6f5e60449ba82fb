import MienCore
import MienReconstruction
import MienScanFormat
import Testing

@testable import MienScanFiles

@Suite struct `COLMAP models with depth maps` {
  private static let cameras = "# Camera list\n7 PINHOLE 60 40 50 50 30 20\n"

  /// A camera at (1, 2, 3) that looks along the world's x, y down; the second image is turned about the viewing axis.
  private static let images = """
    # Image list with two lines of data per image:
    4 0.5 0.5 -0.5 0.5 2 3 -1 7 b 2.jpg

    2 1 0 0 0 -1 -2 -3 7 a1.jpg
    1.5 1.5 -1
    """

  private func place(
    cameras: String = cameras, images: String = images, points: String? = nil, folder: String = "sparse/0",
    maps: [String] = ["depth/a1.png", "depth/b 2.png"]
  ) throws -> Place {
    let place = try Place()
    try place.write(cameras, "\(folder)/cameras.txt")
    try place.write(images, "\(folder)/images.txt")
    if let points { try place.write(points, "\(folder)/points3D.txt") }
    for map in maps { try place.write(GrayPNG.depth(depthSamples, width: 6), map) }
    try place.write([0xFF, 0xD8, 0xFF, 0xE0, 1], "images/b 2.jpg")
    return place
  }

  @Test func `images are read in the order of their names with poses from camera to world`() throws {
    let place = try place()
    defer { place.remove() }
    let scan = try ScanImporter(path: place.path)
    #expect(scan.format == .colmap && scan.frameCount == 2 && scan.imageCount == 1)
    #expect(scan.remarks.map(\.code) == [.noteNoTimes, .noteScaleUnknown] && scan.header.world == .unleveled)
    let first = try scan.frame(at: 0)
    #expect(first.depth == depthSamples && abs(first.intrinsics.fx - 5) < 1e-5)
    #expect(abs(first.intrinsics.cx - 2.5) < 1e-5 && abs(first.intrinsics.cy - 1.5) < 1e-5)
    let pose = try #require(first.pose)
    #expect(pose.position == [1, 2, 3] && pose.back == [0, 0, -1] && pose.up == [0, -1, 0])
    // x' = -y, y' = -z, z' = x: the center is where all three are 0.
    let other = try #require(try scan.frame(at: 1).pose)
    #expect(distance(other.position, [1, 2, 3]) < 1e-5 && distance(other.back, [-1, 0, 0]) < 1e-5)
    #expect(distance(other.up, [0, 0, 1]) < 1e-5)
    #expect(try scan.image(at: 0).pose == other)
  }

  private func distance(_ a: SIMD3<Float>, _ b: SIMD3<Float>) -> Float { ((a - b) * (a - b)).sum().squareRoot() }

  @Test(arguments: [
    // Windows line ends, names without extension, no lines of points, a name that is a number.
    "1 1 0 0 0 -1 -2 -3 7 a1.jpg\r\n\r\n2 1 0 0 0 0 0 0 7 b 2.jpg\r\n\r\n",
    "1 1 0 0 0 -1 -2 -3 7 a1\n\n2 1 0 0 0 0 0 0 7 b 2\n\n", "1 1 0 0 0 -1 -2 -3 7 a1.jpg\n2 1 0 0 0 0 0 0 7 b 2.jpg",
    "1 1 0 0 0 -1 -2 -3 7 cam0/a1.jpg\n1 2 3 4 5 6 7 8 9 10 11 12\n2 1 0 0 0 0 0 0 7 cam0/b 2.jpg\n1 2 3",
  ])
  func `variants of the list of images are read`(images: String) throws {
    let place = try place(images: images)
    defer { place.remove() }
    let scan = try ScanImporter(path: place.path)
    #expect(scan.frameCount == 2)
    #expect(try scan.frame(at: 0).pose?.position == [1, 2, 3])
  }

  @Test(arguments: ["", "sparse", "colmap/sparse/0", "model", "dense/sparse"])
  func `a model is found in the folders that programs use`(folder: String) throws {
    let place = try place(folder: folder)
    defer { place.remove() }
    #expect(try ScanImporter(path: place.path).frameCount == 2)
  }

  @Test func `3-D points determine the unit of the poses`() throws {
    // All distances are about 900 mm, and half a unit.
    let seen = (0..<40).map { "\(5 + $0 % 6 * 10) \(5 + $0 / 6 % 4 * 10) \($0)" }.joined(separator: " ")
    let points = (0..<40).map { number in
      let (column, row) = (number % 6, number / 6 % 4)
      let z = Double(depthSamples[row * 6 + column]) / 1000 * 0.5
      let (u, v) = (Double(5 + column * 10), Double(5 + row * 10))
      return "\(number) \((u - 30) / 50 * z) \((v - 20) / 50 * z) \(z) 1 2 3 0.5 2 0\n"
    }
    let place = try place(
      images: "2 1 0 0 0 0 0 0 7 a1.jpg\n\(seen)\n3 1 0 0 0 -1 0 0 7 b 2.jpg\n\n", points: points.joined())
    defer { place.remove() }
    let scan = try ScanImporter(path: place.path)
    let remark = try #require(scan.remarks.first { $0.code == .noteScaled })
    #expect(remark.values["factor"] == "2.0")
    #expect(try abs((scan.frame(at: 1).pose?.position.x ?? 0) - 2) < 0.01)
  }

  @Test func `depth maps without a registered image have no pose`() throws {
    let place = try place(images: "2 1 0 0 0 -1 -2 -3 7 a1.jpg\n\n", maps: ["depth/a1.png", "depth/a2.png"])
    defer { place.remove() }
    let scan = try ScanImporter(path: place.path)
    #expect(scan.frameCount == 2 && scan.remarks.map(\.code).contains(.noteMapsWithoutPose))
    #expect(try scan.frame(at: 0).pose != nil)
    #expect(try scan.frame(at: 1).pose == nil)
  }

  @Test func `unsupported cameras are errors of their frames`() throws {
    let place = try place(
      cameras: "7 PINHOLE 60 40 50 50 30 20\n8 OPENCV_FISHEYE 60 40 50 50 30 20 0 0 0 0\n9 PINHOLE 60 40 50\n",
      images: "1 1 0 0 0 0 0 0 7 a1.jpg\n\n2 1 0 0 0 0 0 0 8 a2.jpg\n\n3 1 0 0 0 0 0 0 9 a3.jpg\n\n"
        + "4 1 0 0 0 0 0 0 10 a4.jpg\n\n5 3 0 0 0 0 0 0 7 a5.jpg\n\n6 0 0 0 0 0 0 0 7 a6.jpg\n\n",
      maps: (1...6).map { "depth/a\($0).png" })
    defer { place.remove() }
    let scan = try ScanImporter(path: place.path)
    #expect(try scan.frame(at: 0).pose?.position == .zero)
    #expect(throws: ScanError(.unsupported, "", frame: 1)) { try scan.frame(at: 1) }
    #expect(throws: ScanError(.damaged, "", frame: 2)) { try scan.frame(at: 2) }
    #expect(throws: ScanError(.damaged, "", frame: 3)) { try scan.frame(at: 3) }
    #expect(throws: ScanError(.refused, "", frame: 4)) { try scan.frame(at: 4) }
    #expect(try scan.frame(at: 5).pose == nil)
  }

  @Test func `a model without depth maps is rejected`() throws {
    for maps in [[], ["depth/other.png"]] {
      let place = try place(maps: maps)
      defer { place.remove() }
      #expect(throws: ScanError(.missing, "")) { try ScanImporter(path: place.path) }
    }
  }

  // MARK: - Binary files

  private static func doubles(_ values: [Double]) -> [UInt8] {
    values.flatMap { value in (0..<8).map { UInt8(truncatingIfNeeded: value.bitPattern >> (8 * UInt64($0))) } }
  }

  private static func joined(_ parts: [[UInt8]]) -> [UInt8] { parts.flatMap { $0 } }

  private static let binaryCameras = joined([
    Zip.little(1, 8), Zip.little(7, 4), Zip.little(1, 4), Zip.little(60, 8), Zip.little(40, 8),
    doubles([50, 50, 30, 20]),
  ])

  private static func binaryImage(_ name: String, _ number: Int) -> [UInt8] {
    joined([
      Zip.little(number + 1, 4), doubles([1, 0, 0, 0, -1, -2, -3]), Zip.little(7, 4), Array(name.utf8), [0],
      Zip.little(1, 8), doubles([1.5, 1.5]), Zip.little(number, 8),
    ])
  }

  private static let binaryImages = joined([Zip.little(2, 8), binaryImage("a1.jpg", 0), binaryImage("b 2.jpg", 1)])

  private static let binaryPoints = joined([
    Zip.little(1, 8), Zip.little(1, 8), doubles([0, 0, 1]), [1, 2, 3], doubles([0.5]), Zip.little(1, 8),
    Zip.little(1, 4), Zip.little(0, 4),
  ])

  @Test func `binary models and COLMAP's own depth maps are read`() throws {
    let place = try Place()
    defer { place.remove() }
    try place.write(Self.binaryCameras, "sparse/cameras.bin")
    try place.write(Self.binaryImages, "sparse/images.bin")
    try place.write(Self.binaryPoints, "sparse/points3D.bin")
    let map = Array("6&4&1&".utf8) + floats(depthSamples.map { Float($0) / 1000 })
    try place.write(map, "stereo/depth_maps/a1.jpg.geometric.bin")
    try place.write(map, "stereo/depth_maps/b 2.jpg.photometric.bin")
    let scan = try ScanImporter(path: place.path)
    #expect(scan.format == .colmap && scan.frameCount == 2)
    #expect(scan.remarks.map(\.code).contains(.noteScaleUnknown))
    let frame = try scan.frame(at: 1)
    #expect(frame.depth == depthSamples && frame.pose?.position == [1, 2, 3])
  }

  @Test func `damaged models are read or rejected without trapping`() throws {
    for (whole, read) in [
      (Self.binaryCameras, { _ = try COLMAPBinary.cameras($0, "a") }),
      (Self.binaryImages, { _ = try COLMAPBinary.images($0, "a") }),
      (Self.binaryPoints, { _ = COLMAPBinary.points($0, [0, 1]) }),
      (Array(Self.cameras.utf8), { _ = try COLMAPText.cameras($0, "a") }),
      (Array(Self.images.utf8), { _ = try COLMAPText.images($0, "a") }),
      (Array("6&4&1&".utf8) + [UInt8](repeating: 1, count: 96), { _ = try COLMAPDepthMap.read($0, "a", frame: 0) }),
    ] as [([UInt8], ([UInt8]) throws -> Void)] {
      for cut in 0...whole.count { try survives(Array(whole[..<cut]), read) }
      for place in whole.indices {
        for value in [0, 0x0A, 0x20, 0x7F, 0xFF] as [UInt8] {
          var bytes = whole
          bytes[place] = value
          try survives(bytes, read)
        }
      }
    }
  }

  private func survives(_ bytes: [UInt8], _ read: ([UInt8]) throws -> Void) throws {
    do { try read(bytes) } catch let error as ScanError {
      #expect([.damaged, .tooMuch].contains(error.code))
    }
  }

  // MARK: - Lens distortion

  @Test func `distortion follows OpenCV's model`() {
    let lens = LensDistortion(k1: 0.1, k2: -0.02, p1: 0.01, p2: -0.005)
    let place = lens.distorted(x: 0.5, y: -0.25)
    // r² = 0.3125.
    let radial = 1 + 0.1 * 0.3125 - 0.02 * 0.3125 * 0.3125
    #expect(abs(place.x - (0.5 * radial + 2 * 0.01 * 0.5 * -0.25 - 0.005 * (0.3125 + 0.5))) < 1e-12)
    #expect(abs(place.y - (-0.25 * radial + 0.01 * (0.3125 + 0.125) + 2 * -0.005 * 0.5 * -0.25)) < 1e-12)
    #expect(LensDistortion().distorted(x: 3, y: 4) == (3, 4) && LensDistortion().isNone && !lens.isNone)
  }

  @Test func `a map without distortion has each sample from its distorted place`() {
    let camera = DoublePrecisionIntrinsics(fx: 10, fy: 10, cx: 10, cy: 10)
    let samples = (0..<441).map { UInt16($0 + 1) }
    let lens = LensDistortion(k1: 0.1)
    let removed = lens.removed(from: samples, width: 21, height: 21, camera: camera)
    #expect(removed[10 * 21 + 10] == samples[10 * 21 + 10])
    // x = 0.9 is measured at 0.9 (1 + 0.081) = 0.973: ten pixels from the center; x = 1 is at 11, outside.
    #expect(removed[10 * 21 + 19] == samples[10 * 21 + 20] && removed[10 * 21 + 20] == 0)
    for bad in [LensDistortion(k1: .nan), LensDistortion(k1: .infinity), LensDistortion(k1: 1e300, k4: -1e300)] {
      #expect(bad.removed(from: samples, width: 21, height: 21, camera: camera).count == 441)
    }
  }

  @Test func `NeRFCapture's members and distortion of transforms are read`() throws {
    let place = try Place()
    defer { place.remove() }
    let frame =
      #"{"file_path":"images/0","depth_path":"images/0.depth.png","transform_matrix":[[1,0,0,4],[0,1,0,0],[0,0,1,0],[0,0,0,1]]}"#
    let shared = #""fl_x":50,"fl_y":50,"cx":30,"cy":20,"w":60,"h":40,"integer_depth_scale":0.002"#
    try place.write(GrayPNG.depth(depthSamples, width: 6), "images/0.depth.png")
    try place.write([0xFF, 0xD8, 0xFF, 0xE0, 1], "images/0.jpg")
    try place.write(#"{\#(shared),"frames":[\#(frame)]}"#, "transforms.json")
    let scan = try ScanImporter(path: place.path)
    #expect(
      scan.header.world == .unleveled && scan.imageCount == 1
        && !scan.remarks.map(\.code).contains(.noteLensDistortion))
    #expect(try scan.frame(at: 0).depth == depthSamples.map { $0 * 2 })
    try place.write(#"{\#(shared),"k1":0.2,"frames":[\#(frame)]}"#, "transforms.json")
    let distorted = try ScanImporter(path: place.path)
    #expect(distorted.remarks.map(\.code).contains(.noteLensDistortion))
    try place.write(#"{\#(shared),"camera_model":"OPENCV_FISHEYE","frames":[\#(frame)]}"#, "transforms.json")
    let fisheye = try ScanImporter(path: place.path)
    #expect(throws: ScanError(.unsupported, "", frame: 0)) { try fisheye.frame(at: 0) }
  }
}
