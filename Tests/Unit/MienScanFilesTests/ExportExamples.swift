import MienScanFormat
import MienCore
import MienScanFiles
import Testing

/// Common parts of the export tests: a scan, and its conversion to another format and back.
protocol ExportExamples {}

/// Rotations in all directions, including half turns, which are critical for quaternion conversion.
private let turns: [SIMD4<Float>] = [
  [0, 0, 0, 1], [1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [0.5, 0.5, 0.5, 0.5], [-0.5, 0.5, -0.5, 0.5],
  [0.6, 0, 0.8, 0], [0.1, 0.7, -0.1, 0.7],
]

extension ExportExamples {
  func header(_ micrometers: Int = 1000, _ world: WorldAlignment = .yUp) throws -> ScanHeader {
    try #require(
      ScanHeader(
        device: "", sensor: .lidar, width: 12, height: 8, micrometersPerStep: micrometers, world: world, clock: .boot))
  }

  func frames(confidence: Bool = true, posed: Bool = true, unit: UInt16 = 1) throws -> [ScanFrame] {
    try turns.enumerated().map { number, turn in
      let pose = try CameraPose(
        quaternion: turn / (turn * turn).sum().squareRoot(), position: [Float(number) * 0.3, -1.5, 0.25])
      return try #require(
        ScanFrame(
          width: 12, height: 8,
          depth: (0..<96).map { $0 % 7 == 3 ? 0 : UInt16(400 + $0 * 11 + number * 5) * unit },
          confidence: confidence ? (0..<96).map { UInt8($0 % 3) } : nil, pose: posed ? pose : nil,
          intrinsics: PinholeIntrinsics(fx: 10.25 + Float(number) / 64, fy: 10.5, cx: 6, cy: 4.125),
          at: MonotonicInstant(nanoseconds: 4_000_000_000 + Int64(number) * 33_000_000)))
    }
  }

  /// Exports a scan to a folder or an archive, and imports it again.
  func exported(
    _ format: ScanExportFormat, _ header: ScanHeader, _ frames: [ScanFrame], images: [ScanImage] = []
  ) throws -> (scan: ScanImporter, notes: [String], place: Place) {
    let place = try Place()
    let (files, notes) = try written(format, header, frames, images: images)
    guard format.isArchive else {
      for file in files { try place.write(file.bytes, file.name) }
      return (try ScanImporter(path: place.path), notes, place)
    }
    try place.write(try archive(files), "scan.r3d")
    return (try ScanImporter(path: place.path + "/scan.r3d"), notes, place)
  }

  func written(
    _ format: ScanExportFormat, _ header: ScanHeader, _ frames: [ScanFrame], images: [ScanImage] = []
  ) throws -> (files: [ExportedFile], notes: [String]) {
    var exporter = ScanExporter(format, header)
    var files: [ExportedFile] = []
    for frame in frames { files += try exporter.add(frame) }
    for image in images { files += exporter.add(image) }
    files += exporter.finish()
    return (files, exporter.notes)
  }

  func archive(_ files: [ExportedFile]) throws -> [UInt8] {
    var writer = ZipWriter()
    var bytes: [UInt8] = []
    for file in files { bytes += try writer.add(file.bytes, as: file.name) }
    return bytes + writer.finish()
  }

  /// Returns a JPEG with only its first bytes valid, taken by the camera of `frame` in ten times the size.
  func image(of frame: ScanFrame, filled byte: UInt8 = 7) throws -> ScanImage {
    let c = frame.intrinsics
    return try #require(
      ScanImage(
        role: .colorFrame, bytes: [0xFF, 0xD8, 0xFF, 0xE0] + [UInt8](repeating: byte, count: 40), pose: frame.pose,
        intrinsics: PinholeIntrinsics(
          fx: c.fx * 10, fy: c.fy * 10, cx: (c.cx + 0.5) * 10 - 0.5, cy: (c.cy + 0.5) * 10 - 0.5), at: frame.at))
  }

  /// Returns the largest difference of the two matrices.
  func differ(_ a: CameraPose, _ b: CameraPose) -> Float {
    zip(a.rowMajor, b.rowMajor).map { abs($0 - $1) }.max() ?? .infinity
  }
}
