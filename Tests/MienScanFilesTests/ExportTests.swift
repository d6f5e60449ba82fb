import MienDepth
import MienModel
import MienScanFiles
import Testing

@Suite struct `Scans in the formats of others` {
  private func header(_ micrometres: Int = 1000, _ world: ScanWorld = .yUp) throws -> ScanHeader {
    try #require(
      ScanHeader(
        device: "", sensor: .lidar, width: 12, height: 8, micrometresPerStep: micrometres, world: world, clock: .boot))
  }

  /// Poses that turn every way, half turns with them: where a careless quaternion breaks down.
  private static let poses: [SIMD4<Float>] = [
    [0, 0, 0, 1], [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0.5, 0.5, 0.5, 0.5], [-0.5, 0.5, -0.5, 0.5],
    [0.6, 0, 0.8, 0], [0.1, 0.7, -0.1, 0.7],
  ]

  private func frames(confidence: Bool = true, posed: Bool = true, unit: UInt16 = 1) throws -> [ScanFrame] {
    try Self.poses.enumerated().map { number, turn in
      let pose = try CameraPose(
        quaternion: turn / (turn * turn).sum().squareRoot(), position: [Float(number) * 0.3, -1.5, 0.25])
      return try #require(
        ScanFrame(
          width: 12, height: 8,
          depth: (0..<96).map { $0 % 7 == 3 ? 0 : UInt16(400 + $0 * 11 + number * 5) * unit },
          confidence: confidence ? (0..<96).map { UInt8($0 % 3) } : nil, pose: posed ? pose : nil,
          intrinsics: PinholeIntrinsics(fx: 10.25 + Float(number) / 64, fy: 10.5, cx: 6, cy: 4.125),
          at: Instant(nanoseconds: 4_000_000_000 + Int64(number) * 33_000_000)))
    }
  }

  private func exported(
    _ format: ScanExportFormat, _ header: ScanHeader, _ frames: [ScanFrame], pictures: [ScanPicture] = []
  ) throws -> (scan: ScanImporter, notes: [String], place: Place) {
    let place = try Place()
    var exporter = ScanExporter(format, header)
    for frame in frames { for file in try exporter.add(frame) { try place.write(file.bytes, file.name) } }
    for picture in pictures { for file in exporter.add(picture) { try place.write(file.bytes, file.name) } }
    for file in exporter.finish() { try place.write(file.bytes, file.name) }
    return (try ScanImporter(path: place.path), exporter.notes, place)
  }

  private func differ(_ a: CameraPose, _ b: CameraPose) -> Float {
    zip(a.rowMajor, b.rowMajor).map { abs($0 - $1) }.max() ?? .infinity
  }

  @Test(arguments: [ScanExportFormat.stray, .record3D])
  func `what is written is read again as it was`(format: ScanExportFormat) throws {
    let frames = try frames()
    let (scan, notes, place) = try exported(format, try header(), frames)
    defer { place.remove() }
    #expect(scan.format == (format == .stray ? .stray : .record3D) && notes.isEmpty)
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
  func `worlds whose z points up keep depth, times and where cameras are to one another`(
    format: ScanExportFormat
  ) throws {
    let frames = try frames()
    let (scan, notes, place) = try exported(format, try header(), frames)
    defer { place.remove() }
    #expect(scan.header.world == .zUp && scan.frameCount == frames.count)
    #expect(format == .arKitScenes ? notes.isEmpty : notes.count == 2)
    for (number, frame) in frames.enumerated() {
      let again = try scan.frame(at: number)
      // Fifths of millimetres in one, whole ones in the other.
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

  @Test func `what a format cannot hold is told`() throws {
    var (scan, notes, place) = try exported(.stray, try header(100), try frames(unit: 10))
    #expect(try scan.frame(at: 2).depth == frames()[2].depth)
    #expect(notes == ["Depth was rounded to steps of 1.0 mm."])
    place.remove()
    (scan, notes, place) = try exported(.tum, try header(1000, .unlevelled), try frames(unit: 20))
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

  @Test func `pictures go where they have a place`() throws {
    let png = GrayPNG.levels([UInt8](repeating: 9, count: 24), width: 6)
    let picture = try #require(
      ScanPicture(
        role: .colourFrame, bytes: png, pose: nil, intrinsics: nil, at: Instant(nanoseconds: 4_033_000_000)))
    for format in [ScanExportFormat.tum, .arKitScenes] {
      let (scan, _, place) = try exported(format, try header(), try frames(), pictures: [picture])
      defer { place.remove() }
      #expect(scan.pictureCount == 1)
      #expect(try scan.picture(at: 0).bytes == png)
      #expect(try scan.picture(at: 0).pose != nil)
    }
    let (_, notes, place) = try exported(.stray, try header(), try frames(), pictures: [picture])
    defer { place.remove() }
    #expect(notes.contains { $0.contains("1 pictures were left out") })
  }
}
