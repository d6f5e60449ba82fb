/// Finds keyframes that see the same again after a way around, and lays the later map onto the earlier one.
struct LoopClosureDetector {
  let tracking: TrackingSettings
  /// Neighbours whose distance differs by more than this fraction make no normal.
  let largestStep: Float

  /// Most pairs that are looked at.
  private static let most = 12
  /// Least way between the two, in distances: nearer ones have been laid onto the same surface anyway.
  private static let leastWay: Float = 2
  /// How far the two may stand apart, in distances, and be turned: the cosine of 45°.
  private static let (farthest, leastCosine): (Float, Float) = (1, 0.7)
  /// What a way may be off, as a part of its length.
  private static let mostDrift: Float = 0.03

  /// The loops among the keyframes, as edges of a graph of all of them; no more of them once `isWanted` says no.
  func loops(_ frames: [Keyframe], while isWanted: () -> Bool = { true }) -> [PoseGraph.Edge] {
    candidates(frames).compactMap { isWanted() ? edge(frames, $0.from, $0.to) : nil }
  }

  /// For each keyframe the earlier one that stood nearest, the best of all first.
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

  /// Lays each of the two onto the other; both must say the same, as far as the surface tells at all.
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
    // 16.8: what one in a hundred pairs that agree exceeds, with six numbers.
    guard information.square(there.pose.motion(to: mirrored)) <= 2 * 16.8 else { return nil }
    return PoseGraph.Edge(
      from: from, to: to, start: a.pose, end: there.pose, information: information, isLoop: true)
  }
}
