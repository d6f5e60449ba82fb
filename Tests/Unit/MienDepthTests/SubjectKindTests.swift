import MienCore
import MienImaging
import MienReconstruction
import MienScanFormat
import Testing

/// Expectations of a scan by the kind of what was scanned.
@Suite struct `Scans of faces, objects and rooms` {
  private let header = ScanHeader(
    device: "", sensor: .lidar, width: 16, height: 12, micrometersPerStep: 1000, world: .yUp, clock: .boot)

  /// Unit vectors at multiples of 30 degrees, so that no math library is needed.
  private let circle: [SIMD2<Float>] = [
    [0, 1], [0.5, 0.866025], [0.866025, 0.5], [1, 0], [0.866025, -0.5], [0.5, -0.866025], [0, -1], [-0.5, -0.866025],
    [-0.866025, -0.5], [-1, 0], [-0.866025, 0.5], [-0.5, 0.866025],
  ]

  /// Returns a level camera whose back is at `hour` of a circle; 0.7 m from the origin, or at the origin.
  private func pose(_ hour: Int, around radius: Float = 0.7) throws -> CameraPose {
    let at = circle[hour % 12]
    return try CameraPose(
      right: [at.y, 0, -at.x], up: [0, 1, 0], back: [at.x, 0, at.y], position: SIMD3(at.x, 0, at.y) * radius)
  }

  /// Returns a camera that looks down at the origin by 30 degrees.
  private func above() throws -> CameraPose {
    let back: SIMD3<Float> = [0, 0.5, 0.866025]
    return try CameraPose(right: [1, 0, 0], up: [0, 0.866025, -0.5], back: back, position: back * 0.7)
  }

  private func inspector(
    of kind: ScanSubjectKind, _ poses: [CameraPose], millimeters: UInt16 = 700
  ) throws -> ScanInspector {
    var inspector = ScanInspector(try #require(header), of: kind)
    for (index, pose) in poses.enumerated() {
      let instant = try #require(MonotonicInstant(seconds: Double(index)))
      inspector.see(
        try #require(
          ScanFrame(
            width: 16, height: 12, depth: [UInt16](repeating: millimeters, count: 192), confidence: nil, pose: pose,
            intrinsics: PinholeIntrinsics(fx: 12, fy: 12, cx: 8, cy: 6),
            at: instant)))
    }
    return inspector
  }

  private func finding(
    _ item: ScanFinding.Item, of kind: ScanSubjectKind, _ poses: [CameraPose], millimeters: UInt16 = 700
  ) throws -> ScanFinding {
    try #require(
      try inspector(of: kind, poses, millimeters: millimeters).findings.first { $0.item == item })
  }

  @Test func `an object must be captured all around and from above`() throws {
    let around = try (0..<12).map { try pose($0) }
    let whole = try finding(.coverage, of: .object, around + [try above()])
    #expect(whole.grade == .pass && whole.remarks.map(\.code) == [.coverageAround])
    let level = try finding(.coverage, of: .object, around)
    #expect(level.grade == .warn && level.remarks.map(\.code) == [.coverageTop])
    // From 60° left to 60° right, which is enough for a face.
    let front = try [0, 1, 2, 1, 0, 11, 10].map { try pose($0) } + [try above()]
    let part = try finding(.coverage, of: .object, front)
    #expect(part.grade == .warn && part.remarks.map(\.code) == [.coveragePartlyAround])
    #expect(part.words.contains("120° of 360°"))
    #expect(try finding(.coverage, of: .face, front).grade == .pass)
    #expect(try finding(.coverage, of: .object, [0, 0, 0, 0, 1].map { try pose($0) }).grade == .fail)
  }

  @Test func `in a room the camera must face every wall`() throws {
    let all = try (0..<12).map { try pose($0, around: 0) }
    let whole = try finding(.coverage, of: .room, all, millimeters: 2000)
    #expect(whole.grade == .pass && whole.remarks.map(\.code) == [.coverageTurned] && whole.value == 360)
    let half = try finding(.coverage, of: .room, Array(all[0..<6]), millimeters: 2000)
    // From 0° to 150°, and 20° to each side.
    #expect(half.grade == .warn && half.value == 200 && half.words.contains("200° of 360°"))
    // Moving along one wall covers one direction only.
    let wall = try (0..<6).map { step in
      try CameraPose(right: [1, 0, 0], up: [0, 1, 0], back: [0, 0, 1], position: [Float(step) / 2, 0, 0])
    }
    let one = try finding(.coverage, of: .room, wall, millimeters: 2000)
    #expect(one.grade == .fail && one.value == 50)
    #expect(try finding(.coverage, of: .room, Array(all[0..<4])).grade == .notAssessed)
  }

  @Test(arguments: [
    (ScanSubjectKind.face, 1500, false), (.object, 1500, true), (.room, 4000, true), (.object, 4000, false),
  ])
  func `the right distance depends on what is scanned`(kind: ScanSubjectKind, millimeters: Int, isRight: Bool) throws {
    let found = try finding(.distance, of: kind, try (0..<12).map { try pose($0) }, millimeters: UInt16(millimeters))
    #expect((found.grade == .pass) == isRight)
  }

  @Test func `the subject is located where the cameras faced`() throws {
    let poses = try (0..<12).map { try pose($0) }
    let object = try #require(try inspector(of: .object, poses).subject())
    #expect((object.center * object.center).sum() < 1e-6 && abs(object.radius - 0.42) < 1e-4)
    #expect(object.contains([0.4, -0.4, 0.4]) && !object.contains([0.4, -0.4, 0.43]))
    #expect(try inspector(of: .room, poses).subject() == nil)
    #expect(try inspector(of: .face, Array(poses[0..<4])).subject() == nil)
    // Cameras that turn in the middle of a room face no common point.
    let turning = try (0..<12).map { try pose($0, around: 0) }
    #expect(try inspector(of: .object, turning, millimeters: 2000).subject() == nil)
    // Refined poses move it.
    let moved = try poses.map { pose in
      try CameraPose(right: pose.right, up: pose.up, back: pose.back, position: pose.position + [1, 0, 0])
    }
    let face = try #require(try inspector(of: .face, poses).subject(at: moved))
    #expect(abs(face.center.x - 1) < 1e-4 && face.radius < 0.2)
    #expect(face.rotatedToYUp().center.x == face.center.x && face.rotatedToYUp().center.y == face.center.z)
  }

  @Test func `stray vertices do not stretch the extent`() throws {
    let line = (0..<101).map { SIMD3<Float>(Float($0) / 100, 0, 0) }
    let mesh = try #require(SurfaceMesh(positions: ContiguousArray(line + [[50, 0, 0]]), triangles: [[0, 1, 2]]))
    let whole = try #require(mesh.robustBounds())
    #expect(abs(whole.least.x - 0.02) < 1e-4 && abs(whole.most.x - 0.99) < 1e-4)
    let poses = try (0..<12).map { try pose($0) }
    let region = try #require(try inspector(of: .face, poses).subject())
    let part = try #require(mesh.robustBounds(in: region))
    #expect(part.least.x == 0 && abs(part.most.x - 0.17) < 1e-4)
    #expect(SurfaceMesh().robustBounds() == nil)
  }
}
