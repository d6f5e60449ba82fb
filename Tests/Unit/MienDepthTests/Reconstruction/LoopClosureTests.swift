import MienCore
import Testing

@testable import MienScanFormat
@testable import MienReconstruction
import RealModule

/// Camera path of slightly more than one loop around an object, with drift.
private enum Lap {
  static let frames = 21
  static let scene = HeadScene(width: 56, height: 42, focal: 56)

  /// Returns the true pose: 20° per frame, so that the last three frames overlap with the first three.
  static func pose(_ frame: Int, away: Float = 0.32) -> CameraPose {
    let angle = Float(frame) / 18 * 2 * .pi
    let eye = SIMD3(away * Float.sin(angle), 0.02, away * Float.cos(angle))
    return HeadScene.looking(from: eye, at: [0, 0, 0])
  }

  static func drifted(_ pose: CameraPose, _ frame: Int) throws -> CameraPose {
    let part = Float(frame) / Float(frames - 1)
    return try #require(
      RigidMotion(turn: SIMD3(0.01, 0.03, -0.01) * part, shift: SIMD3(0.005, -0.006, 0.005) * part, about: .zero)
        .moved(pose))
  }

  static let maps: [DepthMap] = {
    var generator = SmoothNoise(seed: 5, width: scene.width, height: scene.height)
    return (0..<frames).map { scene.map(from: pose($0), noise: 0.0003, &generator) }
  }()

  /// Renders the depth of a surface from its distance along a camera ray.
  static func map(from pose: CameraPose, _ along: (SIMD3<Float>, SIMD3<Float>) -> Float?) throws -> DepthMap {
    var meters = ContiguousArray<Float>(repeating: 0, count: scene.width * scene.height)
    for y in 0..<scene.height {
      for x in 0..<scene.width {
        let ray = scene.camera.point(u: Float(x), v: Float(y), distance: 1)
        if let distance = along(pose.position, pose.world(ray) - pose.position) {
          meters[y * scene.width + x] = distance
        }
      }
    }
    return try #require(
      DepthMap(width: scene.width, height: scene.height, meters: meters, intrinsics: scene.camera))
  }

  /// Returns a reconstructor that uses the given poses, so that drift remains until loops are closed.
  static func maker(closes: Bool = true) throws -> Reconstructor {
    var settings = ReconstructionSettings(voxel: 0.006)
    settings.filter.largestStep = 0.1
    settings.closesLoops = closes
    var tracking = TrackingSettings()
    (tracking.poseNoise, tracking.turnNoise) = (0.0001, 0.0001)
    settings.tracking = tracking
    let header = try #require(
      ScanHeader(
        device: "synthetic", sensor: .trueDepth, width: scene.width, height: scene.height, micrometersPerStep: 100,
        world: .yUp, clock: .start))
    return try #require(Reconstructor(header, settings: settings))
  }

  /// Returns the error of the last camera relative to the first one, in meters.
  static func gap(_ poses: [CameraPose?]) throws -> Float {
    let (first, last) = (try #require(poses[0]), try #require(poses[frames - 1]))
    let home = try #require(RigidMotion(from: first, to: pose(0)).moved(last))
    return home.distance(to: pose(frames - 1))
  }
}

@Suite struct `Loop closure` {
  private func walked(closes: Bool = true) throws -> Reconstructor {
    var maker = try Lap.maker(closes: closes)
    for (number, map) in Lap.maps.enumerated() {
      try maker.add(map, from: try Lap.drifted(Lap.pose(number), number))
    }
    return maker
  }

  private func error(_ maker: Reconstructor) throws -> Float {
    let (mesh, _) = try maker.surface()
    // The last camera keeps its given pose: the surface is compared relative to it.
    let last = try #require(maker.poses[Lap.frames - 1])
    let truth = RigidMotion(from: last, to: Lap.pose(Lap.frames - 1))
    let sum = mesh.positions.reduce(Float.zero) { sum, position in
      let place = truth.turned(position - last.position) + Lap.pose(Lap.frames - 1).position
      return sum + abs(HeadScene.distance(place))
    }
    return sum / Float(mesh.positions.count)
  }

  @Test func `a drifting trajectory is closed and the surface improves`() throws {
    var maker = try walked()
    let given = maker.poses
    let (gap, before) = (try Lap.gap(given), try error(maker))
    #expect(gap > 0.006)
    var again = maker
    var left = maker.closeLoops()
    #expect(left == Lap.frames)
    while try maker.fuseAgain() { left -= 1 }
    #expect(left == 0)
    let (rest, after) = (try Lap.gap(maker.poses), try error(maker))
    #expect(rest < 0.4 * gap)
    #expect(after < 0.75 * before)
    let report = try maker.surface().report
    #expect(report.loopsClosed >= 2 && report.largestBend > 0.004 && report.framesFused == Lap.frames)
    // The most recent pose, which a device knows best, does not move.
    #expect(try #require(maker.poses.last ?? nil).distance(to: try #require(given.last ?? nil)) < 1e-4)
    // An image taken with a frame moves together with it.
    let image = try Lap.drifted(Lap.pose(3), 3)
    #expect(maker.correction.corrected(image).distance(to: try #require(maker.poses[3])) < 2e-3)
    let more = maker.closeLoops()
    #expect(more == 0, "the loop is closed already")
    _ = again.closeLoops()
    #expect(again.poses == maker.poses, "the result is deterministic")
  }

  @Test func `canceled loop searches change nothing`() throws {
    var maker = try walked()
    let before = maker.poses
    let left = maker.closeLoops(while: { false })
    #expect(left == 0 && maker.poses == before)
  }

  @Test func `loop closure can be disabled`() throws {
    var maker = try walked(closes: false)
    let before = maker.poses
    let (found, fused) = (maker.closeLoops(), try maker.fuseAgain())
    #expect(found == 0 && !fused)
    #expect(maker.poses == before)
    #expect(try maker.surface().report.loopsClosed == 0)
  }

  @Test func `a round column causes no false loop closures`() throws {
    var maker = try Lap.maker()
    for number in 0..<Lap.frames {
      let pose = Lap.pose(number)
      // The nearer intersection of a ray with a cylinder of 6 cm radius about the y axis.
      let map = try Lap.map(from: pose) { eye, ray in
        let a = ray.x * ray.x + ray.z * ray.z
        let b = eye.x * ray.x + eye.z * ray.z
        let root = b * b - a * (eye.x * eye.x + eye.z * eye.z - 0.0036)
        return root > 0 ? (-b - root.squareRoot()) / a : nil
      }
      try maker.add(map, from: pose)
    }
    let before = maker.poses
    _ = maker.closeLoops()
    for (pose, old) in zip(maker.poses, before) {
      #expect(try #require(pose).distance(to: try #require(old)) < 0.001)
      #expect(try #require(pose).turn(to: try #require(old)) < 0.004)
    }
  }

  @Test func `four identical walls are not confused`() throws {
    var maker = try Lap.maker()
    for number in 0..<Lap.frames {
      // The camera rotates in place in the center of a box.
      let angle = Float(number) / 18 * 2 * .pi
      let pose = HeadScene.looking(from: .zero, at: SIMD3(Float.sin(angle), 0, Float.cos(angle)))
      let map = try Lap.map(from: pose) { eye, ray in
        let walls = SIMD3(0.5, 0.4, 0.5) / SIMD3(abs(ray.x), abs(ray.y), abs(ray.z))
        return min(walls.x, walls.y, walls.z)
      }
      try maker.add(map, from: pose)
    }
    let before = maker.poses
    _ = maker.closeLoops()
    for (pose, old) in zip(maker.poses, before) {
      #expect(try #require(pose).turn(to: try #require(old)) < 0.004)
      #expect(try #require(pose).distance(to: try #require(old)) < 0.002)
    }
  }
}

@Suite struct `Pose graph` {
  private let firm = PoseInformationMatrix(turnNoise: 0.001, shiftNoise: 0.001)

  private func edge(
    _ from: Int, _ to: Int, _ start: CameraPose, _ end: CameraPose, loop: Bool = false
  ) -> PoseGraph.Edge {
    PoseGraph.Edge(from: from, to: to, start: start, end: end, information: firm, isLoop: loop)
  }

  /// Returns a loop of twenty cameras with the same error in each step, and the true poses.
  private func lap() throws -> (truth: [CameraPose], off: [CameraPose]) {
    let truth = (0..<20).map { HeadScene.pose($0, of: 20) }
    var off = [truth[0]]
    for (a, b) in zip(truth, truth.dropFirst()) {
      let here = try #require(off.last)
      let next = try #require(RigidMotion(from: a, to: here).moved(b))
      let slip = RigidMotion(turn: [0.0005, 0.001, 0], shift: [0.0006, -0.0004, 0.0005], about: next.position)
      off.append(try #require(slip.moved(next)))
    }
    return (truth, off)
  }

  @Test func `one correct loop corrects a whole lap`() throws {
    let (truth, off) = try lap()
    let steps = (0..<19).map { edge($0, $0 + 1, off[$0], off[$0 + 1]) }
    var graph = PoseGraph(off, edges: steps + [edge(0, 19, truth[0], truth[19], loop: true)])
    #expect(graph.solve() && graph.loopCount == 1)
    #expect(graph.poses[0] == off[0])
    // The loop retains as much of the error as each of the steps.
    #expect(graph.poses[19].distance(to: truth[19]) < 0.1 * off[19].distance(to: truth[19]))
    for number in 5..<19 {
      #expect(graph.poses[number].distance(to: truth[number]) < 0.7 * off[number].distance(to: truth[number]))
    }
  }

  @Test func `a loop inconsistent with the others is dropped`() throws {
    let (truth, off) = try lap()
    let steps = (0..<19).map { edge($0, $0 + 1, off[$0], off[$0 + 1]) }
    let loops = [(0, 19), (1, 18), (0, 17)].map { edge($0.0, $0.1, truth[$0.0], truth[$0.1], loop: true) }
    let wrong = try #require(RigidMotion(turn: .zero, shift: [0.1, 0, 0], about: .zero).moved(truth[16]))
    var graph = PoseGraph(off, edges: steps + loops + [edge(2, 16, truth[2], wrong, loop: true)])
    #expect(graph.solve() && graph.loopCount == 3)
    #expect(!graph.edges.contains { $0.from == 2 && $0.to == 16 })
    #expect(graph.poses[19].distance(to: truth[19]) < 0.001)
  }

  @Test func `skyline equations give the same solution as dense ones`() throws {
    // Rows begin at 0, 0, 2, 1, 0: elements to the left are zero.
    let first = [0, 0, 2, 1, 0]
    var generator = SmoothNoise(seed: 1, width: 1, height: 1)
    var full = [[Double]](repeating: [Double](repeating: 0, count: 5), count: 5)
    var matrix = SkylineMatrix(first: first)
    for row in 0..<5 {
      for column in first[row]...row {
        let value = row == column ? 10 : Double(generator.gaussian())
        matrix.add(value, row: row, column: column)
        (full[row][column], full[column][row]) = (value, value)
      }
    }
    let right: ContiguousArray<Double> = [1, -2, 3, 0.5, -1]
    let solution = matrix.solve(right)
    let x = try #require(solution)
    for row in 0..<5 { #expect(abs((0..<5).reduce(-right[row]) { $0 + full[row][$1] * x[$1] }) < 1e-12) }
    var singular = SkylineMatrix(first: [0, 0])
    for (row, column) in [(0, 0), (1, 0), (1, 1)] { singular.add(1, row: row, column: column) }
    let none = singular.solve([1, 1])
    #expect(none == nil)
  }

  @Test func `a full depth map buffer drops every second map`() throws {
    let map = try Lap.map(from: Lap.pose(0)) { _, _ in 1 }
    let kept = CompactDepthMap(map, metersPerStep: 0.001)
    #expect(kept.map?.meters == map.meters)
    var depthMaps = DepthMapBuffer(capacity: 4 * kept.byteCount)
    for frame in 0..<20 { depthMaps.put(kept, frame: frame) }
    #expect(depthMaps.maps.map(\.frame) == [0, 8, 16])
  }

  @Test(arguments: [(9, 9), (1, 7)])
  func `a full keyframe buffer drops every second large map and keeps at least four`(capacity: Int, most: Int) throws {
    let map = try Lap.map(from: Lap.pose(0)) { _, _ in 1 }
    let kept = CompactDepthMap(map, metersPerStep: 0.001)
    var keyframes = Keyframes(capacity: capacity * kept.byteCount)
    for frame in 0..<40 {
      let pose = try CameraPose(right: [1, 0, 0], up: [0, 1, 0], back: [0, 0, 1], position: [Float(frame), 0, 0])
      keyframes.see(map, kept: kept, at: pose, isGiven: true, frame: frame)
      #expect(keyframes.all.count <= most)
    }
    #expect(keyframes.all.count >= 4 && keyframes.all.first?.frame == 0)
  }
}
