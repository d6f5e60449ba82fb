import MienScanFormat
import MienCore
import MienScanFiles
import Testing

@Suite struct `Scan export formats`: ExportExamples {
  @Test(arguments: [ScanExportFormat.stray, .record3D, .record3DArchive, .scanner3D])
  func `an exported scan is imported unchanged`(format: ScanExportFormat) throws {
    let frames = try frames()
    let (scan, notes, place) = try exported(format, try header(), frames)
    defer { place.remove() }
    let formats: [ScanExportFormat: ScanFileFormat] = [.stray: .stray, .scanner3D: .scanner3D]
    let expected = formats[format] ?? .record3D
    #expect(scan.format == expected && notes.isEmpty)
    #expect(scan.frameCount == frames.count)
    for (number, frame) in frames.enumerated() {
      let again = try scan.frame(at: number)
      #expect(again.depth == frame.depth && again.confidence == frame.confidence)
      #expect(differ(try #require(again.pose), try #require(frame.pose)) < 1e-5)
      #expect(abs(again.intrinsics.fx - frame.intrinsics.fx) < 1e-4 && abs(again.intrinsics.cy - 4.125) < 1e-4)
      #expect(abs(again.intrinsics.cx - 6) < 1e-4)
      #expect(abs(again.at.seconds - frame.at.seconds) < 1e-6)
    }
  }

  @Test(arguments: [ScanExportFormat.tum, .arKitScenes])
  func `z-up exports keep depth, times and relative camera poses`(
    format: ScanExportFormat
  ) throws {
    let frames = try frames()
    let (scan, notes, place) = try exported(format, try header(), frames)
    defer { place.remove() }
    #expect(scan.header.world == .zUp && scan.frameCount == frames.count)
    #expect(format == .arKitScenes ? notes.isEmpty : notes.count == 2)
    for (number, frame) in frames.enumerated() {
      let again = try scan.frame(at: number)
      // Steps of 0.2 mm in one, 1 mm in the other.
      #expect(again.depth == (format == .tum ? frame.depth.map { $0 * 5 } : frame.depth))
      #expect(format == .tum || again.confidence == frame.confidence)
      let (pose, before) = (try #require(again.pose), try #require(frame.pose))
      let expected = try CameraPose(
        right: stood(before.right), up: stood(before.up), back: stood(before.back), position: stood(before.position))
      #expect(differ(pose, expected) < 1e-4)
      #expect(abs(again.at.seconds - frame.at.seconds) < 0.001)
    }
  }

  private func stood(_ v: SIMD3<Float>) -> SIMD3<Float> { [v.x, -v.z, v.y] }

  @Test func `data that a format cannot represent is reported`() throws {
    var (scan, notes, place) = try exported(.stray, try header(100), try frames(unit: 10))
    #expect(try scan.frame(at: 2).depth == frames()[2].depth)
    #expect(notes == ["Depth was rounded to steps of 1.0 mm."])
    place.remove()
    (scan, notes, place) = try exported(.tum, try header(1000, .unleveled), try frames(unit: 20))
    #expect(notes.contains { $0.contains("farther away") })
    #expect(try scan.frame(at: 0).depth[95] == 0 && frames()[0].depth[95] > 0)
    place.remove()
    (scan, notes, place) = try exported(.record3D, try header(), try frames(confidence: false, posed: false))
    #expect(try scan.frame(at: 0).pose == nil && scan.frame(at: 0).confidence == nil)
    place.remove()
    var stray = ScanExporter(.stray, try header())
    let unposed = try frames(posed: false)
    #expect(try stray.add(unposed[0]).isEmpty)
    #expect(stray.notes.contains { $0.contains("without a pose") })
    let small = try #require(
      ScanFrame(
        width: 1, height: 1, depth: [1], confidence: nil, pose: nil, intrinsics: unposed[0].intrinsics,
        at: unposed[0].at))
    #expect(throws: ScanError.self) { try stray.add(small) }
  }

  @Test func `images are exported where the format supports them`() throws {
    let png = GrayPNG.levels([UInt8](repeating: 9, count: 24), width: 6)
    let image = try #require(
      ScanImage(
        role: .colorFrame, bytes: png, pose: nil, intrinsics: nil, at: MonotonicInstant(nanoseconds: 4_033_000_000)))
    for format in [ScanExportFormat.tum, .arKitScenes] {
      let (scan, _, place) = try exported(format, try header(), try frames(), images: [image])
      defer { place.remove() }
      #expect(scan.imageCount == 1)
      #expect(try scan.image(at: 0).bytes == png)
      #expect(try scan.image(at: 0).pose != nil)
    }
    for format in [ScanExportFormat.stray, .record3D, .scanner3D] {
      let (scan, notes, place) = try exported(format, try header(), try frames(), images: [image])
      defer { place.remove() }
      #expect(scan.imageCount == 0 && notes.contains { $0.contains("1 pictures were left out") })
    }
  }

  @Test(arguments: [ScanExportFormat.stray, .record3D, .scanner3D])
  func `z-up worlds are rotated to y-up`(format: ScanExportFormat) throws {
    let frames = try frames()
    let (scan, _, place) = try exported(format, try header(1000, .zUp), frames)
    defer { place.remove() }
    #expect(scan.header.world == .yUp)
    for (number, frame) in frames.enumerated() {
      let before = try #require(frame.pose)
      func turned(_ v: SIMD3<Float>) -> SIMD3<Float> { [v.x, v.z, -v.y] }
      let expected = try CameraPose(
        right: turned(before.right), up: turned(before.up), back: turned(before.back),
        position: turned(before.position))
      #expect(differ(try #require(try scan.frame(at: number).pose), expected) < 1e-5)
    }
  }

  @Test func `the frame count reports whether anything was exported`() throws {
    for format in ScanExportFormat.allCases {
      var exporter = ScanExporter(format, try header())
      #expect(exporter.frameCount == 0)
      _ = try exporter.add(try frames()[0])
      #expect(exporter.frameCount == 1)
      var empty = ScanExporter(format, try header())
      // Two of the formats cannot represent frames without a pose.
      let unposed = try empty.add(try frames(posed: false)[0])
      #expect(unposed.isEmpty == (format == .stray || format == .scanner3D))
      #expect(empty.frameCount == (unposed.isEmpty ? 0 : 1))
    }
    let place = try Place()
    defer { place.remove() }
    for file in try written(.scanner3D, try header(), []).files { try place.write(file.bytes, file.name) }
    #expect(throws: ScanError(.notAScan, "")) { try ScanImporter(path: place.path) }
    try place.write(try archive(try written(.record3DArchive, try header(), []).files), "a.r3d")
    #expect(throws: ScanError(.notAScan, "")) { try ScanImporter(path: place.path + "/a.r3d") }
  }
}
