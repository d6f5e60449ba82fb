import MienCore
import Testing

@testable import MienScanFormat
@testable import MienReconstruction

/// Short camera path around the synthetic head, rendered once.
private enum Walk {
  static let count = 14
  static let noise: Float = 0.0004
  static let scene = HeadScene(width: 96, height: 72, focal: 86)
  /// Middle of the path around the face, two degrees per frame.
  static let poses = (0..<count).map { HeadScene.pose($0 * 2, of: 300) }
  static let maps: [DepthMap] = {
    var generator = SmoothNoise(seed: 11, width: scene.width, height: scene.height)
    return poses.map { scene.map(from: $0, noise: noise, &generator) }
  }()
  static let header = ScanHeader(
    device: "synthetic", sensor: .trueDepth, width: scene.width, height: scene.height, micrometersPerStep: 100,
    world: .yUp, clock: .start)
}

@Suite struct `Reconstruction of a synthetic head` {
  /// Returns the mean and root mean square distance of the vertices from the true surface, in meters.
  private func error(_ mesh: SurfaceMesh, seenFrom first: CameraPose = .identity) -> (mean: Float, rms: Float) {
    var (sum, squares): (Float, Float) = (0, 0)
    for position in mesh.positions {
      let distance = HeadScene.distance(first.world(position))
      sum += abs(distance)
      squares += distance * distance
    }
    let count = Float(mesh.positions.count)
    return (sum / count, (squares / count).squareRoot())
  }

  private func maker(_ voxel: Float = 0.004, refines: Bool = true) throws -> Reconstructor {
    var settings = ReconstructionSettings(voxel: voxel)
    settings.refinesPoses = refines
    return try #require(Walk.header.flatMap { Reconstructor($0, settings: settings) })
  }

  @Test func `true poses give the true surface`() throws {
    var maker = try maker(refines: false)
    for (map, pose) in zip(Walk.maps, Walk.poses) { try maker.add(map, from: pose) }
    let (mesh, report) = try maker.surface()
    #expect(report.framesFused == Walk.count)
    #expect(mesh.triangles.count > 1500)
    #expect(error(mesh).mean < 0.0003)
    // The face has the width of a real face: the surface is metric.
    let bounds = try #require(mesh.bounds)
    #expect((0.12...0.20).contains(bounds.most.x - bounds.least.x))
  }

  @Test func `inaccurate poses are corrected`() throws {
    var generator = SmoothNoise(seed: 3, width: 1, height: 1)
    func shaken(_ pose: CameraPose) throws -> CameraPose {
      func three(_ size: Float) -> SIMD3<Float> {
        SIMD3(generator.gaussian(), generator.gaussian(), generator.gaussian()) * size
      }
      return try #require(
        RigidMotion(turn: three(0.005), shift: three(0.0025), about: pose.position).moved(pose))
    }
    var given = [Walk.poses[0]]
    for pose in Walk.poses.dropFirst() { given.append(try shaken(pose)) }
    var (refined, plain) = (try maker(), try maker(refines: false))
    for (map, pose) in zip(Walk.maps, given) {
      try refined.add(map, from: pose)
      try plain.add(map, from: pose)
    }
    let (after, before) = (try refined.surface(), try plain.surface())
    #expect(after.report.framesPlaced >= Walk.count - 1)
    #expect(error(after.mesh).mean < 0.0005)
    #expect(error(after.mesh).mean < 0.6 * error(before.mesh).mean)
    #expect(after.report.largestShift > 0.002)
    for (found, pose) in zip(refined.poses, Walk.poses) {
      #expect(try #require(found).distance(to: pose) < 0.004)
    }
  }

  @Test func `without poses the trajectory is estimated from the first camera`() throws {
    var maker = try maker()
    for map in Walk.maps { try maker.add(map, from: nil) }
    let (mesh, report) = try maker.surface()
    #expect(report.framesLost == 0)
    #expect(maker.poses.first == .identity)
    #expect(error(mesh, seenFrom: Walk.poses[0]).mean < 0.0005)
    let drift = try #require(report.drift)
    #expect(drift < 0.001)
  }

  @Test(
    arguments: [
      (ScanSensor.lidar, 0.006, 0.002), (.trueDepth, 0.001, 0.0005),
    ] as [(ScanSensor, Float, Float)])
  func `sensor-like noise is averaged out`(sensor: ScanSensor, noise: Float, limit: Float) throws {
    var generator = SmoothNoise(seed: 7, width: Walk.scene.width, height: Walk.scene.height)
    let header = try #require(
      ScanHeader(
        device: "synthetic", sensor: sensor, width: Walk.scene.width, height: Walk.scene.height,
        micrometersPerStep: sensor == .lidar ? 1000 : 100, world: .yUp, clock: .start))
    var settings = ReconstructionSettings(voxel: 0.004)
    settings.filter.largestStep = 0.1
    var maker = try #require(Reconstructor(header, settings: settings))
    for (map, pose) in zip(Walk.maps, Walk.poses) {
      let field = generator.field()
      let step = header.metersPerStep
      // Quantized like on the device.
      let depth = map.meters.indices.map { index -> UInt16 in
        let meters = map.meters[index]
        return meters > 0 ? UInt16(((meters + noise * field[index]) / step).rounded()) : 0
      }
      let frame = try #require(
        ScanFrame(
          width: map.width, height: map.height, depth: depth, confidence: nil, pose: pose,
          intrinsics: map.intrinsics, at: .zero))
      try maker.add(frame)
    }
    let (mesh, _) = try maker.surface()
    #expect(mesh.triangles.count > 1500)
    let off = error(mesh).rms
    print(
      "MEASURED a synthetic head with noise like a \(sensor.rawValue) sensor: \(off * 1000) mm RMS, of \(limit * 1000)")
    #expect(off < limit)
  }

  @Test func `no measurements give no surface`() throws {
    var maker = try maker()
    let empty = ContiguousArray<Float>(repeating: 0, count: 96 * 72)
    let map = try #require(DepthMap(width: 96, height: 72, meters: empty, intrinsics: Walk.scene.camera))
    try maker.add(map, from: .identity)
    let error = #expect(throws: ReconstructionError.self) { try maker.surface() }
    #expect(error?.code == .nothingMeasured)
  }

  @Test func `a trajectory that cannot be tracked is reported as lost`() throws {
    var maker = try maker()
    try maker.add(Walk.maps[0], from: nil)
    // Planes, each at another distance.
    for distance: Float in [0.4, 0.55, 0.7, 0.9, 1.15, 1.5, 1.9, 2.4] {
      let meters = ContiguousArray(repeating: distance, count: 96 * 72)
      let wall = try #require(
        DepthMap(width: 96, height: 72, meters: meters, intrinsics: Walk.scene.camera))
      try maker.add(wall, from: nil)
    }
    let error = #expect(throws: ReconstructionError.self) { try maker.surface() }
    #expect(error?.code == .lost)
  }
}
