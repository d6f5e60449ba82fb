import Foundation
import MienScanFormat
import MienReconstruction
import MienCore
import MienScanFiles
import Testing

/// Recordings from older and newer versions of the apps, from published data sets, and as shared by users.
@Suite struct `Recording format variants` {
  private let map = GrayPNG.depth(depthSamples, width: 6)

  private func near(_ a: PinholeIntrinsics, _ b: PinholeIntrinsics) -> Bool {
    [a.fx - b.fx, a.fy - b.fy, a.cx - b.cx, a.cy - b.cy].allSatisfy { abs($0) < 1e-3 }
  }

  private func codes(_ scan: ScanImporter) -> [ScanDiagnostic.Code] { scan.remarks.map(\.code) }

  // MARK: - Stray Scanner

  private func stray(
    _ odometry: String, matrix: String? = "1440, 0, 959.5\n0, 1440, 719.5\n0, 0, 1\n", maps: Int = 2
  ) throws -> Place {
    let place = try Place()
    if let matrix { try place.write(matrix, "camera_matrix.csv") }
    try place.write(odometry, "odometry.csv")
    for number in 0..<maps { try place.write(map, "depth/00000\(number).png") }
    return place
  }

  @Test(arguments: ["", "x, y, z, qx, qy, qz, qw\n"])
  func `the oldest Stray Scanner recordings have rows of seven numbers without times`(head: String) throws {
    let place = try stray(head + "1, 2, 3, 0, 0, 0, 1\n4, 5, 6, 0, 0, 0, 1\n")
    defer { place.remove() }
    let scan = try ScanImporter(path: place.path)
    #expect(scan.frameCount == 2 && codes(scan) == [.noteNoTimes])
    let frame = try scan.frame(at: 1)
    #expect(frame.pose?.position == [4, 5, 6] && abs(frame.at.seconds - 1.0 / 60) < 1e-9)
  }

  @Test func `an interrupted Stray Scanner recording is read up to its end with per-row intrinsics`() throws {
    let rows = (0..<2).map { "\($0).5, 00000\($0), 1, 2, 3, 0, 0, 0, 1, 1440, 1440, 959.5, 719.5\n" }.joined()
    for (cut, said) in [(rows, []), (rows + "2.5, 0000", [.noteRowCutOff])] as [(String, [ScanDiagnostic.Code])] {
      let place = try stray("timestamp, frame, x, y, z, qx, qy, qz, qw, fx, fy, cx, cy\n" + cut, matrix: nil)
      defer { place.remove() }
      let scan = try ScanImporter(path: place.path)
      #expect(scan.format == .stray && scan.frameCount == 2 && codes(scan) == said)
      #expect(near(try scan.frame(at: 1).intrinsics, PinholeIntrinsics(fx: 4.5, fy: 4, cx: 2.5, cy: 1.5)))
    }
  }

  @Test func `rows truncated anywhere give complete frames or an error message`() throws {
    let rows = (0..<3).map { "\($0).5, 00000\($0), 1, 2, 3, 0.6, 0, 0, 0.8\n" }.joined()
    for cut in 1..<rows.utf8.count {
      let place = try stray(String(rows.prefix(cut)), maps: 3)
      defer { place.remove() }
      do {
        let scan = try ScanImporter(path: place.path)
        let whole = rows.prefix(cut).count { $0 == "\n" }
        #expect((whole...whole + 1).contains(scan.frameCount), "cut at \(cut)")
        for number in 0..<scan.frameCount { #expect(try scan.frame(at: number).pose?.position == [1, 2, 3]) }
      } catch {
        // A single row is ambiguous.
        #expect([.damaged, .missing, .refused].contains(error.code), "cut at \(cut): \(error)")
        #expect(cut <= rows.utf8.count / 3, "cut at \(cut)")
      }
    }
  }

  @Test func `missing intrinsics are reported`() throws {
    let place = try stray("0.5, 000000, 1, 2, 3, 0, 0, 0, 1\n", matrix: nil)
    defer { place.remove() }
    #expect { try ScanImporter(path: place.path) } throws: {
      let error = $0 as? ScanError
      return error?.code == .missing && error?.reason.contains("camera_matrix.csv") == true
    }
  }

  @Test(arguments: ["nan, nan, nan, nan", "0, 0, 0, 0"])
  func `a device without tracking has frames without a pose`(rotation: String) throws {
    let place = try stray("0.5, 000000, 1, 2, 3, \(rotation)\n0.6, 000001, 1, 2, 3, 0, 0, 0, 1\n")
    defer { place.remove() }
    let scan = try ScanImporter(path: place.path)
    #expect(scan.frameCount == 2 && codes(scan) == [.notePosesMissing])
    #expect(try scan.frame(at: 0).pose == nil)
    #expect(try scan.frame(at: 1).pose != nil)
  }

  @Test(arguments: [
    // Standard video; a principal point off by some hundredths; 16:9; twice the map's size, as in rendered scans.
    ("1440, 0, 959.5\n0, 1440, 719.5\n0, 0, 1\n", 4.5, 4.0, false),
    ("1440, 0, 1010\n0, 1440, 690\n0, 0, 1\n", 4.5, 4.0, false),
    ("1440, 0, 959.5\n0, 1440, 539.5\n0, 0, 1\n", 4.5, 1440.0 * 4 / 1080, true),
    ("9, 0, 5.5\n0, 8, 3.5\n0, 0, 1\n", 4.5, 4.0, true),
  ])
  func `the video size is derived from the principal point`(matrix: String, fx: Double, fy: Double, isGuess: Bool)
    throws
  {
    let place = try stray("0.5, 000000, 1, 2, 3, 0, 0, 0, 1\n", matrix: matrix, maps: 1)
    defer { place.remove() }
    let scan = try ScanImporter(path: place.path)
    let camera = try scan.frame(at: 0).intrinsics
    #expect(abs(Double(camera.fx) - fx) < 0.01 && abs(Double(camera.fy) - fy) < 0.01)
    #expect(codes(scan) == (isGuess ? [.noteImageSize] : []))
  }

  @Test(arguments: ["1e20", "-5", "1e8"])
  func `a principal point that fits no image size is rejected`(cx: String) throws {
    let place = try stray("0.5, 000000, 1, 2, 3, 0, 0, 0, 1\n", matrix: "9, 0, \(cx)\n0, 8, 3.5\n0, 0, 1\n", maps: 1)
    defer { place.remove() }
    #expect { try ScanImporter(path: place.path) } throws: { ($0 as? ScanError)?.code == .refused }
  }

  @Test func `portrait maps match a portrait video`() throws {
    let place = try Place()
    defer { place.remove() }
    try place.write("1343, 0, 724.8\n0, 1343, 968.3\n0, 0, 1\n", "camera_matrix.csv")
    try place.write("0.5, 000000, 1, 2, 3, 0, 0, 0, 1\n", "odometry.csv")
    try place.write(GrayPNG.depth(depthSamples, width: 3), "depth/000000.png")
    let camera = try ScanImporter(path: place.path).frame(at: 0).intrinsics
    #expect(abs(camera.fx - 1343 * 3 / 1440) < 1e-3 && abs(camera.fy - 1343 * 8 / 1920) < 1e-3)
  }

  @Test func `video frames next to the maps are the images`() throws {
    let place = try stray("0.5, 000000, 1, 2, 3, 0, 0, 0, 1\n0.6, 000001, 4, 5, 6, 0, 0, 0, 1\n")
    defer { place.remove() }
    try place.write([0], "rgb.mp4")
    #expect(codes(try ScanImporter(path: place.path)) == [.noteVideoNotRead])
    for name in ["000001.jpg", "000007.jpg", "cover.jpg"] {
      try place.write([0xFF, 0xD8, 0xFF, 0xE0, 0, 1], "rgb/" + name)
    }
    let scan = try ScanImporter(path: place.path)
    #expect(scan.imageCount == 1 && codes(scan) == [])
    let image = try scan.image(at: 0)
    #expect(image.pose?.position == [4, 5, 6] && image.intrinsics?.fx == 1440 && image.at?.seconds == 0.6)
  }

  @Test func `downscaled images do not change the size that the intrinsics refer to`() throws {
    let place = try stray("0.5, 000000, 1, 2, 3, 0, 0, 0, 1\n", maps: 1)
    defer { place.remove() }
    // An image of 480×360, a quarter of the video.
    try place.write(
      [0xFF, 0xD8, 0xFF, 0xC0, 0, 17, 8, 1, 104, 1, 224, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1], "rgb/000000.jpg")
    let scan = try ScanImporter(path: place.path)
    #expect(near(try scan.frame(at: 0).intrinsics, PinholeIntrinsics(fx: 4.5, fy: 4, cx: 2.5, cy: 1.5)))
    #expect(
      try scan.image(at: 0).intrinsics.map { near($0, PinholeIntrinsics(fx: 360, fy: 360, cx: 239.5, cy: 179.5)) }
        == true)
  }

  // MARK: - Record3D

  private func record3D(_ metadata: String, as name: String = "metadata", maps: [[Float]]? = nil) throws -> Place {
    let place = try Place()
    let maps = maps ?? [[Float]](repeating: depthSamples.map { Float($0) / 1000 }, count: 2)
    for (number, map) in maps.enumerated() {
      let packed = [0x62, 0x76, 0x78, 0x2D] + Zip.little(96, 4) + floats(map) + Array("bvx$".utf8)
      try place.write(packed, "rgbd/\(number).depth")
    }
    try place.write(metadata, name)
    return place
  }

  private static let camera = #""w":6,"h":4,"dw":6,"dh":4,"K":[5,0,0,0,5,0,3,2,1],"frameTimestamps":[0,1]"#

  @Test func `front camera recordings have no poses`() throws {
    let place = try record3D("{\(Self.camera),\"poses\":[[0,0,0,1,0,0,0],[0,0,0,1,0,0,0]]}")
    defer { place.remove() }
    let scan = try ScanImporter(path: place.path)
    #expect(scan.header.world == .unleveled && codes(scan) == [.noteNoPoses])
    #expect(try scan.frame(at: 1).pose == nil)
  }

  @Test(arguments: [("[0,0,0,1,0,0,0]", WorldAlignment.unleveled), ("[0.1,0,0,0.995,0,0,0]", .yUp)])
  func `older Record3D recordings are aligned as their first frame`(first: String, world: WorldAlignment) throws {
    let place = try record3D("{\(Self.camera),\"poses\":[\(first),[0.1,0,0,0.995,1,0,0]]}")
    defer { place.remove() }
    let scan = try ScanImporter(path: place.path)
    #expect(scan.header.world == world)
    #expect(try scan.frame(at: 1).pose?.position == [1, 0, 0])
  }

  @Test func `an all-zero pose is no pose`() throws {
    let place = try record3D("{\(Self.camera),\"poses\":[[0.1,0,0,0.995,0,0,0],[0,0,0,0,0,0,0]]}", as: "metadata.json")
    defer { place.remove() }
    let scan = try ScanImporter(path: place.path)
    #expect(scan.format == .record3D && codes(scan) == [.notePosesMissing])
    #expect(try scan.frame(at: 1).pose == nil)
  }

  @Test func `a map of a covered sensor is empty and one with negative numbers is invalid`() throws {
    let nothing = [Float](repeating: .nan, count: 24)
    let place = try record3D("{\(Self.camera)}", maps: [nothing, [Float](repeating: -1, count: 24)])
    defer { place.remove() }
    let scan = try ScanImporter(path: place.path)
    #expect(try scan.frame(at: 0).depth == [UInt16](repeating: 0, count: 24))
    #expect(throws: ScanError(.refused, "", frame: 1)) { try scan.frame(at: 1) }
  }

  // MARK: - 3D Scanner App

  @Test func `metadata without times and projection gives the frame rate and image size`() throws {
    let place = try Place()
    defer { place.remove() }
    for number in 0..<2 {
      try place.write(
        #"{"cameraPoseARFrame":[1,0,0,0, 0,1,0,0, 0,0,1,0, 0,0,0,1],"intrinsics":[60,0,29.5,0,60,19.5,0,0,1]}"#,
        "frame_0000\(number).json")
      try place.write(map, "depth_0000\(number).png")
    }
    // An empty segment, then a frame header of 60×40.
    try place.write(
      [0xFF, 0xD8, 0xFF, 0xE0, 0, 2, 0xFF, 0xC0, 0, 17, 8, 0, 40, 0, 60, 3, 1, 0x22, 0, 2, 0x11, 1, 3, 0x11, 1],
      "frame_00000.jpg")
    let scan = try ScanImporter(path: place.path)
    let frame = try scan.frame(at: 1)
    #expect(codes(scan) == [.noteNoTimes] && abs(frame.at.seconds - 1.0 / 60) < 1e-9)
    #expect(near(frame.intrinsics, PinholeIntrinsics(fx: 6, fy: 6, cx: 2.5, cy: 1.5)))
  }

  // MARK: - TUM RGB-D and compatible formats

  @Test func `a trimmed recording contains the trimmed part`() throws {
    let place = try Place("rgbd_dataset_freiburg1_xyz")
    defer { place.remove() }
    try place.write("100.0 ./depth/a.png\n100.5 depth/b.png\n101 depth/c.png\n", "depth.txt")
    try place.write("100.0 rgb/a.png\n100.5 rgb/b.png\n", "rgb.txt")
    try place.write(map, "depth/a.png")
    let scan = try ScanImporter(path: place.path)
    #expect(scan.frameCount == 1 && scan.imageCount == 0)
    #expect(codes(scan) == [.noteFilesMissing, .noteFilesMissing, .noteNoPoses])
    #expect(
      scan.remarks.prefix(2).map(\.values) == [
        ["name": "depth.txt", "count": "2"], ["name": "rgb.txt", "count": "2"],
      ])
    try FileManager.default.removeItem(atPath: place.path + "/depth/a.png")
    #expect { try ScanImporter(path: place.path) } throws: { ($0 as? ScanError)?.code == .missing }
  }

  @Test(arguments: ["0.0 rgb/0.png 0.1 depth/0.png\n", "0.1 depth/0.png 0.0 rgb/0.png\n"])
  func `a list of pairs names both files in either order`(list: String) throws {
    let place = try Place("fr3_office")
    defer { place.remove() }
    try place.write(list, "associations.txt")
    try place.write(map, "depth/0.png")
    try place.write(map, "rgb/0.png")
    let scan = try ScanImporter(path: place.path)
    #expect(scan.format == .tum && scan.frameCount == 1 && scan.imageCount == 1 && codes(scan) == [.noteNoPoses])
    let frame = try scan.frame(at: 0)
    #expect(frame.at.seconds == 0.1 && abs(frame.intrinsics.fx - 535.4 * 6 / 640) < 1e-4)
    #expect(try scan.image(at: 0).at?.seconds == 0)
  }

  @Test func `a map's pose is interpolated between the two adjacent ones`() throws {
    let place = try Place("desk")
    defer { place.remove() }
    try place.write("100.05 depth/a.png\n100.5 depth/a.png\n", "depth.txt")
    try place.write(map, "depth/a.png")
    // A quarter turn about z in a tenth of a second, while moving from 0 to 1.
    try place.write(
      "100.0 0 0 0 0 0 0 1\n100.1 1 0 0 0 0 -0.70710678 -0.70710678\n100.2 nan nan nan nan nan nan nan\n",
      "groundtruth.txt")
    let scan = try ScanImporter(path: place.path)
    let pose = try #require(try scan.frame(at: 0).pose)
    #expect(abs(pose.position.x - 0.5) < 1e-5 && abs(pose.right.x - cos(.pi / 4)) < 1e-5)
    #expect(abs(pose.right.y - sin(.pi / 4)) < 1e-5, "the shorter arc, although the quaternion has the opposite sign")
    #expect(try scan.frame(at: 1).pose == nil)
    #expect(codes(scan) == [.notePosesMissing, .noteNoIntrinsics])
  }

  @Test func `ICL-NUIM recordings are flipped and timed by frame numbers`() throws {
    let place = try Place("living_room_traj0_frei_png")
    defer { place.remove() }
    try place.write("1 depth/1.png 1 rgb/1.png\n2 depth/2.png 2 rgb/2.png\n", "associations.txt")
    try place.write("1 0.1 0.2 0.3 0 0 0 1\n2 1 2 3 0.5 0.5 0.5 0.5\n", "livingRoom0.gt.freiburg")
    for number in 1...2 { for folder in ["depth", "rgb"] { try place.write(map, "\(folder)/\(number).png") } }
    let scan = try ScanImporter(path: place.path)
    #expect(scan.header.world == .unleveled && codes(scan) == [])
    let frame = try scan.frame(at: 1)
    #expect(abs(frame.at.seconds - 2.0 / 30) < 1e-9 && abs(frame.intrinsics.fx - 481.2 * 6 / 640) < 1e-4)
    // From the quaternion: a reflection in y negates the x and z components of the rotation axis.
    let expected = try CameraPose(quaternion: [-0.5, 0.5, -0.5, 0.5], position: [1, -2, 3]).turnedAboutX
    let pose = try #require(frame.pose)
    #expect(distance(pose, expected) < 1e-5)
  }

  private func distance(_ a: CameraPose, _ b: CameraPose) -> Float {
    zip(a.rowMajor, b.rowMajor).map { abs($0 - $1) }.max() ?? 0
  }

  @Test func `poses of the Bonn dataset are marker poses`() throws {
    let place = try Place("rgbd_bonn_balloon")
    defer { place.remove() }
    try place.write("100.0 depth/a.png\n", "depth.txt")
    try place.write(map, "depth/a.png")
    try place.write("100.0 0.5 -0.25 1.5 0.5 -0.5 0.5 0.5\n", "groundtruth.txt")
    let scan = try ScanImporter(path: place.path)
    let frame = try scan.frame(at: 0)
    #expect(scan.header.world == .unleveled && abs(frame.intrinsics.fx - 542.822841 * 6 / 640) < 1e-4)
    // R⁻¹ · P · R · M with complete matrices.
    func times(_ a: [[Double]], _ b: [[Double]]) -> [[Double]] {
      a.map { row in (0..<4).map { column in (0..<4).map { row[$0] * b[$0][column] }.reduce(0, +) } }
    }
    let exchange: [[Double]] = [[-1, 0, 0, 0], [0, 0, 1, 0], [0, 1, 0, 0], [0, 0, 0, 1]]
    let written = try CameraPose(quaternion: [0.5, -0.5, 0.5, 0.5], position: [0.5, -0.25, 1.5]).rowMajor.map(
      Double.init)
    let pose = (0..<4).map { Array(written[$0 * 4..<$0 * 4 + 4]) }
    let markers = [
      [0.958819, 0.172594, -0.225560, 0.0113], [0.000845, -0.795906, -0.605420, -0.0098],
      [-0.284016, 0.580297, -0.763276, 0.0111], [0, 0, 0, 1],
    ]
    let whole = times(times(times(exchange, pose), exchange), markers).flatMap { $0.map(Float.init) }
    let expected = try CameraPose(rowMajor: whole).turnedAboutX
    #expect(distance(try #require(frame.pose), expected) < 1e-5)
  }

  // MARK: - ARKitScenes

  @Test func `an ARKitScenes video without a trajectory and with a missing camera is read`() throws {
    let place = try Place()
    defer { place.remove() }
    for time in ["41.010", "41.027"] { try place.write(map, "lowres_depth/7_\(time).png") }
    try place.write("6 4 5 5 3 2\n", "lowres_wide_intrinsics/7_41.011.pincam")
    let scan = try ScanImporter(path: place.path)
    #expect(scan.format == .arKitScenes && scan.header.world == .unleveled && codes(scan) == [.noteNoPoses])
    #expect(try scan.frame(at: 1).intrinsics.fx == 5)
    try place.write(map, "lowres_depth/7_42.png")
    #expect(throws: ScanError(.missing, "", frame: 2)) { try ScanImporter(path: place.path).frame(at: 2) }
  }

  @Test func `ARKitScenes sample names are recognized two folders deep and among system files`() throws {
    let place = try Place()
    defer { place.remove() }
    let inside = "3dod/7/7_frames/"
    try place.write(map, inside + "depth_densified/41.01079.png")
    try place.write([0, 5, 22, 7], inside + "depth_densified/._41.01079.png")
    try place.write([0xFF, 0xD8, 0xFF, 0xE0, 0, 1], inside + "wide/41.01071.png")
    try place.write("6 4 5 5 3 2\n", inside + "wide_intrinsics/41.0107.pincam")
    try place.write("41.0 0 0 0 0 0 0\n41.1 0 0 0 1 0 0\n", inside + "color.traj")
    for number in 0..<12 { try place.write("x", "a\(number)/notes.txt") }
    let scan = try ScanImporter(path: place.path)
    #expect(scan.format == .arKitScenes && scan.frameCount == 1 && scan.imageCount == 1)
    let pose = try #require(try scan.frame(at: 0).pose)
    #expect(abs(pose.position.x + 0.1079) < 1e-4)
    #expect(try scan.image(at: 0).intrinsics?.fx == 5)
  }

  // MARK: - Archives

  @Test func `an archive created on another operating system is read`() throws {
    let place = try Place()
    defer { place.remove() }
    let metadata = Array("{\"depth_format\":{\"width\":6,\"height\":4,\"pixel\":\"uint16_mm\"}}".utf8)
    let maps = depthSamples.flatMap { Zip.little(Int($0), 2) }
    try place.write(
      Zip.archive([
        Zip.Entry(name: "Büro 12:30\\scan\\depth_scan.bin", bytes: maps),
        Zip.Entry(name: "Büro 12:30\\scan\\metadata.json", bytes: metadata),
        Zip.Entry(name: "Büro 12:30\\scan\\A.JPG", bytes: [0xFF, 0xD8, 0xFF, 0xE0, 0, 1]),
        Zip.Entry(name: "__MACOSX/._A.JPG", bytes: [0, 5, 22, 7]),
      ]), "a.zip")
    let scan = try ScanImporter(path: place.path + "/a.zip")
    #expect(scan.format == .rawDepth && scan.imageCount == 1)
    #expect(try scan.frame(at: 0).depth == depthSamples)
    #expect(try scan.image(at: 0).role == .photo)
  }

  @Test(arguments: ["..\\a", "a\\..\\..\\b", "C:\\a", "C:/a", "\\a"])
  func `names that leave the archive are rejected in every notation`(name: String) throws {
    let place = try Place()
    defer { place.remove() }
    try place.write(Zip.archive([Zip.Entry(name: name, bytes: [1])]), "a.zip")
    #expect { try ScanImporter(path: place.path + "/a.zip") } throws: { ($0 as? ScanError)?.code == .refused }
  }

  @Test func `an archive of 70,000 files is read with or without a ZIP64 record`() throws {
    let place = try Place()
    defer { place.remove() }
    var entries = (0..<70_000).map { Zip.Entry(name: "notes/\($0).txt", bytes: []) }
    entries.append(Zip.Entry(name: "depth_scan.bin", bytes: depthSamples.flatMap { Zip.little(Int($0), 2) }))
    entries.append(
      Zip.Entry(
        name: "metadata.json",
        bytes: Array("{\"depth_format\":{\"width\":6,\"height\":4,\"pixel\":\"uint16_mm\"}}".utf8)))
    for archive in [Zip.archive(entries), Zip.longArchive(entries)] {
      try place.write(archive, "a.zip")
      let scan = try ScanImporter(path: place.path + "/a.zip")
      #expect(try scan.frame(at: 0).depth == depthSamples)
    }
  }
}
