import MienCore
import MienReconstruction
import MienScanFiles
import MienScanFormat
import Testing

/// An exported scan that is imported again must yield the surface of its source: any format, and any two in a row.
@Suite struct `Surfaces of exported scans`: ExportExamples {
  /// Largest distance of a vertex from the surface of the source, in meters.
  private static let tolerance: Float = 0.000_05

  private func surface(_ header: ScanHeader, _ frames: [ScanFrame]) throws -> SurfaceMesh {
    var settings = ReconstructionSettings(voxel: 0.012)
    settings.refinesPoses = false
    var maker = try #require(Reconstructor(header, settings: settings))
    // One world for all, because the voxels of another one lie elsewhere.
    for frame in frames { try maker.add(header.world == .zUp ? try turned(frame) : frame) }
    return try maker.surface().mesh
  }

  /// Returns a frame of a world whose z points up in one whose y does.
  private func turned(_ frame: ScanFrame) throws -> ScanFrame {
    func turned(_ v: SIMD3<Float>) -> SIMD3<Float> { [v.x, v.z, -v.y] }
    let pose = try frame.pose.map { pose in
      try CameraPose(
        right: turned(pose.right), up: turned(pose.up), back: turned(pose.back), position: turned(pose.position))
    }
    return try #require(
      ScanFrame(
        width: frame.width, height: frame.height, depth: frame.depth, confidence: frame.confidence, pose: pose,
        intrinsics: frame.intrinsics, at: frame.at))
  }

  /// Returns the share of the vertices that are farther than the tolerance from the other surface.
  private func strays(_ mesh: SurfaceMesh, from other: SurfaceMesh) -> Float {
    let cell: Float = 0.012
    func key(_ p: SIMD3<Float>) -> SIMD3<Int32> { SIMD3<Int32>((p / cell).rounded(.down)) }
    var cells: [SIMD3<Int32>: [Int]] = [:]
    for (index, position) in other.positions.enumerated() { cells[key(position), default: []].append(index) }
    var far = 0
    for position in mesh.positions {
      let home = key(position)
      var nearest: (square: Float, index: Int)?
      for x in -1...1 {
        for y in -1...1 {
          for z in -1...1 {
            for index in cells[home &+ SIMD3(Int32(x), Int32(y), Int32(z))] ?? [] {
              let arm = position - other.positions[index]
              let square = (arm * arm).sum()
              if nearest.map({ square < $0.square }) ?? true { nearest = (square, index) }
            }
          }
        }
      }
      // Distance from the plane of the nearest vertex, so that vertices may lie elsewhere on the same surface.
      guard let index = nearest?.index else {
        far += 1
        continue
      }
      let off = ((position - other.positions[index]) * other.normals[index]).sum()
      if abs(off) > Self.tolerance { far += 1 }
    }
    return Float(far) / Float(mesh.positions.count)
  }

  private func read(_ scan: ScanImporter) throws -> [ScanFrame] {
    try (0..<scan.frameCount).map { try scan.frame(at: $0) }
  }

  private static let pairs = ScanExportFormat.allCases.flatMap { first in
    ScanExportFormat.allCases.map { (first, $0) }
  }

  @Test(arguments: pairs)
  func `two exports in a row give the surface of the source`(
    first: ScanExportFormat, second: ScanExportFormat
  ) throws {
    let scene = try SyntheticScene()
    let expected = try surface(scene.header, scene.frames)
    #expect(expected.positions.count > 2000)
    let (once, _, place) = try exported(first, scene.header, scene.frames)
    defer { place.remove() }
    let (twice, _, other) = try exported(second, once.header, try read(once))
    defer { other.remove() }
    let mesh = try surface(twice.header, try read(twice))
    #expect(abs(mesh.positions.count - expected.positions.count) <= expected.positions.count / 200)
    // Rounding of a pose or a camera may move a vertex at the border of the surface.
    #expect(strays(mesh, from: expected) < 0.002 && strays(expected, from: mesh) < 0.002)
  }

  @Test(arguments: ScanExportFormat.allCases)
  func `a world whose z points up gives the same surface`(format: ScanExportFormat) throws {
    let scene = try SyntheticScene(world: .zUp)
    let expected = try surface(scene.header, scene.frames)
    let (scan, _, place) = try exported(format, scene.header, scene.frames)
    defer { place.remove() }
    let mesh = try surface(scan.header, try read(scan))
    #expect(strays(mesh, from: expected) < 0.002 && strays(expected, from: mesh) < 0.002)
  }

  @Test func `a lost pose stays lost if the format can represent it`() throws {
    let scene = try SyntheticScene()
    var frames = scene.frames
    let lost = frames[5]
    frames[5] = try #require(
      ScanFrame(
        width: lost.width, height: lost.height, depth: lost.depth, confidence: lost.confidence, pose: nil,
        intrinsics: lost.intrinsics, at: lost.at))
    for format in [ScanExportFormat.tum, .record3D, .record3DArchive] {
      let (scan, _, place) = try exported(format, scene.header, frames)
      defer { place.remove() }
      let poses = try read(scan).map(\.pose)
      #expect(poses.count == frames.count && poses.count { $0 == nil } == 1 && poses[5] == nil, "\(format)")
    }
  }

  @Test func `frames with the same time keep their files`() throws {
    let scene = try SyntheticScene(count: 4)
    let frames = try scene.frames.map { frame in
      try #require(
        ScanFrame(
          width: frame.width, height: frame.height, depth: frame.depth, confidence: frame.confidence,
          pose: frame.pose, intrinsics: frame.intrinsics, at: .zero))
    }
    for format in [ScanExportFormat.tum, .arKitScenes] {
      let (scan, _, place) = try exported(format, scene.header, frames)
      defer { place.remove() }
      #expect(scan.frameCount == 4, "\(format)")
    }
  }
}
