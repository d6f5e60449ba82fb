internal import MienScanFormat

/// Detects keyframes that revisit an earlier view, and registers the later map to the earlier one.
struct LoopClosureDetector {
  let tracking: TrackingSettings
  /// Neighbors whose distance differs by more than this fraction are not used for normals.
  let largestStep: Float

  /// Maximum number of pairs examined.
  private static let most = 12
  /// Minimum path between the two, as a multiple of the distance; nearer keyframes are already registered to the same
  /// surface.
  private static let leastWay: Float = 2
  /// Maximum distance between the two cameras, as a multiple of the distance, and minimum cosine of their angle (45°).
  private static let (farthest, leastCosine): (Float, Float) = (1, 0.7)
  /// Maximum drift, as a fraction of the path length.
  private static let mostDrift: Float = 0.03

  /// Returns the loops among the keyframes as edges of their pose graph; stops when `isWanted` returns `false`.
  func loops(_ frames: [Keyframe], while isWanted: () -> Bool = { true }) -> [PoseGraph.Edge] {
    candidates(frames).compactMap { isWanted() ? edge(frames, $0.from, $0.to) : nil }
  }

  /// Returns for each keyframe the nearest earlier one, best match first.
  func candidates(_ frames: [Keyframe]) -> [(from: Int, to: Int)] {
    var found: [(from: Int, to: Int, score: Float)] = []
    for to in frames.indices {
      var best: (from: Int, score: Float)?
      for from in 0..<to {
        let (a, b) = (frames[from], frames[to])
        let distance = min(a.distance, b.distance)
        let apart = a.pose.distance(to: b.pose) / distance
        let cosine = dot(a.pose.back, b.pose.back)
        guard b.way - a.way > Self.leastWay * distance, apart < Self.farthest, cosine > Self.leastCosine else {
          continue
        }
        let score = apart + a.pose.turn(to: b.pose)
        if best.map({ score < $0.score }) ?? true { best = (from, score) }
      }
      if let best { found.append((best.from, to, best.score)) }
    }
    found.sort { ($0.score, $0.to) < ($1.score, $1.to) }
    return found.prefix(Self.most).map { ($0.from, $0.to) }
  }

  /// Registers each map to the other; both results must agree within the accuracy that the surface permits.
  private func edge(_ frames: [Keyframe], _ from: Int, _ to: Int) -> PoseGraph.Edge? {
    let (a, b) = (frames[from], frames[to])
    guard let mapA = a.map.map, let mapB = b.map.map else { return nil }
    var settings = tracking
    settings.points = 1500
    settings.iterations = 15
    settings.leastOverlap = 0.3
    settings.gate = max(tracking.gate, 0.02 * min(a.distance, b.distance))
    let (sampleA, sampleB) = (PointSample(mapA, wanted: settings.points), PointSample(mapB, wanted: settings.points))
    let (surfaceA, surfaceB) = (
      SurfaceMap(mapA, at: a.pose, largestStep: largestStep), SurfaceMap(mapB, at: b.pose, largestStep: largestStep)
    )
    guard let there = surfaceA.place(sampleB, from: b.pose, settings: settings),
      let back = surfaceB.place(sampleA, from: a.pose, settings: settings),
      max(there.residual, back.residual) <= 2 * tracking.pointNoise, there.residual <= there.residualBefore,
      back.residual <= back.residualBefore,
      let mirrored = RigidMotion(from: back.pose, to: a.pose).moved(b.pose)
    else { return nil }
    let moved = b.pose.distance(to: there.pose)
    guard moved <= Self.mostDrift * (b.way - a.way) + tracking.pointNoise, b.pose.turn(to: there.pose) <= 0.1 else {
      return nil
    }
    let information = surfaceA.information(sampleB, at: there.pose, settings: settings)
    // 16.8: exceeded by one in a hundred matching pairs, with six degrees of freedom.
    guard information.square(there.pose.motion(to: mirrored)) <= 2 * 16.8 else { return nil }
    return PoseGraph.Edge(
      from: from, to: to, start: a.pose, end: there.pose, information: information, isLoop: true)
  }
}
