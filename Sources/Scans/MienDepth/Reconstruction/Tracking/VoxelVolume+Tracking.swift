/// What an attempt to place a camera found.
struct RegistrationResult {
  var pose: CameraPose
  /// Root mean square of the points' distances to the surface after it, in metres.
  var residual: Float
  /// The same before it.
  var residualBefore: Float
  /// Fraction of the points that met the surface.
  var overlap: Float
}

extension VoxelVolume {
  /// The signed distance at a place in the world, in metres, and its gradient; nil where a voxel about it is unknown.
  func sample(_ place: SIMD3<Float>) -> (distance: Float, gradient: SIMD3<Float>)? {
    let at = place / voxel
    guard let i = Self.cell(at.x), let j = Self.cell(at.y), let k = Self.cell(at.z) else { return nil }
    let (fx, fy, fz) = (at.x - Float(i), at.y - Float(j), at.z - Float(k))
    let first = block(at: SIMD3(i >> 3, j >> 3, k >> 3))
    guard first >= 0 else { return nil }
    let inner = SIMD3(i & 7, j & 7, k & 7)
    var corners = SIMD8<Float>.zero
    for corner in 0..<8 {
      let step = SIMD3(Int32(corner & 1), Int32(corner >> 1 & 1), Int32(corner >> 2))
      let (distance, weight) = voxelValue(Int(first), inner &+ step)
      guard weight > 0 else { return nil }
      corners[corner] = distance
    }
    let (low, high) = (corners.evenHalf, corners.oddHalf)
    let alongX = low + (high - low) * fx
    let alongY = alongX.evenHalf + (alongX.oddHalf - alongX.evenHalf) * fy
    let slopeX = high - low
    let slopeXY = slopeX.evenHalf + (slopeX.oddHalf - slopeX.evenHalf) * fy
    let slopeY = alongX.oddHalf - alongX.evenHalf
    let scale = truncation
    let gradient = SIMD3(
      slopeXY.x + (slopeXY.y - slopeXY.x) * fz, slopeY.x + (slopeY.y - slopeY.x) * fz, alongY.y - alongY.x)
    return ((alongY.x + (alongY.y - alongY.x) * fz) * scale, gradient * (scale / voxel))
  }

  /// What a voxel holds: its distance in units of ``truncation`` and the weight; weight 0 where no block is. `at`
  /// counts from the block's first voxel and may lie up to a block outside.
  @inline(__always)
  func voxelValue(_ block: Int, _ at: SIMD3<Int32>) -> (distance: Float, weight: Float) {
    var block = block
    if (at.x | at.y | at.z) & ~7 != 0 {
      block = Int(self.block(at: places[block] &+ SIMD3(at.x >> 3, at.y >> 3, at.z >> 3)))
      if block < 0 { return (1, 0) }
    }
    let row = block * 64 + Int(at.z & 7) * 8 + Int(at.y & 7)
    return (rows[row].means[Int(at.x & 7)], rows[row].weights[Int(at.x & 7)])
  }

  /// How badly the points of a camera fit the surface, 0…1: the mean of their distances in units of
  /// ``truncation``, 1 for points where nothing is known. Looks at every fourth point.
  func misfit(_ sample: PointSample, at pose: CameraPose) -> Float {
    var sum: Float = 0
    var count: Float = 0
    for index in stride(from: 0, to: sample.points.count, by: 4) {
      count += 1
      guard let (distance, _) = self.sample(pose.world(sample.points[index])) else {
        sum += 1
        continue
      }
      sum += min(abs(distance) / truncation, 1)
    }
    return count > 0 ? sum / count : 1
  }

  /// The root mean square distance to the surface of those points of a camera that meet it, in metres; nil when fewer do
  /// than `leastOverlap` says.
  func residual(_ sample: PointSample, at pose: CameraPose, leastOverlap: Float) -> Float? {
    var (squares, count): (Float, Float) = (0, 0)
    for point in sample.points {
      guard let (distance, _) = self.sample(pose.world(point)), abs(distance) < 0.95 * truncation else { continue }
      squares += distance * distance
      count += 1
    }
    guard count > 0, count >= leastOverlap * Float(sample.points.count) else { return nil }
    return (squares / count).squareRoot()
  }

  /// Moves a camera until the points it sees lie on the surface.
  ///
  /// Every point is drawn to the plane that the distance and its gradient describe at its place: point-to-plane ICP
  /// (Chen and Medioni, 1992) with the field itself as the nearest surface (Bylow and others, "Real-time camera
  /// tracking and 3D reconstruction using signed distance functions", 2013). Points far off weigh less (Huber).
  ///
  /// - Parameters:
  ///   - start: where to start from.
  ///   - given: where the device says that the camera was, if it does: the pose is held to it as firmly as
  ///     `poseNoise` and `turnNoise` say, so that nothing slides along a flat wall.
  /// - Returns: nil when too few points meet the surface.
  func place(
    _ sample: PointSample, from start: CameraPose, given: CameraPose?, settings: TrackingSettings
  ) -> RegistrationResult? {
    guard !sample.points.isEmpty else { return nil }
    var pose = start
    var before: Float?
    for iteration in 0...settings.iterations {
      var equations = PoseNormalEquations()
      var squares: Float = 0
      let pivot = pose.position
      for point in sample.points {
        let world = pose.world(point)
        guard let (distance, gradient) = self.sample(world), abs(distance) < 0.95 * truncation else { continue }
        let size = abs(distance)
        let weight = size <= settings.pointNoise ? 1 : settings.pointNoise / size
        equations.add(arm: world - pivot, normal: gradient, residual: distance, weight: weight)
        squares += distance * distance
      }
      let overlap = Float(equations.count) / Float(sample.points.count)
      guard overlap >= settings.leastOverlap else { return nil }
      let residual = (squares / Float(equations.count)).squareRoot()
      if before == nil { before = residual }
      if iteration == settings.iterations {
        return RegistrationResult(pose: pose, residual: residual, residualBefore: before ?? residual, overlap: overlap)
      }
      let noise = settings.pointNoise * settings.pointNoise
      equations.scale(
        by: Double(min(settings.independentPoints, Float(equations.count)) / Float(equations.count) / noise))
      hold(&equations, pose, given, settings)
      guard let (turn, shift) = equations.solved(),
        let moved = RigidMotion(turn: turn, shift: shift, about: pivot).moved(pose)
      else { return nil }
      pose = moved
      if dot(turn, turn) < 1e-10, dot(shift, shift) < 1e-10 {
        return RegistrationResult(pose: pose, residual: residual, residualBefore: before ?? residual, overlap: overlap)
      }
    }
    return nil
  }

  /// Adds what the device's own pose says, or a little damping where there is none.
  private func hold(
    _ equations: inout PoseNormalEquations, _ pose: CameraPose, _ given: CameraPose?, _ settings: TrackingSettings
  ) {
    let firmTurn = Double(1 / (settings.turnNoise * settings.turnNoise))
    let firmShift = Double(1 / (settings.poseNoise * settings.poseNoise))
    guard let given else {
      for axis in 0..<3 {
        equations.hold(axis, to: 0, stiffness: firmTurn * 1e-3)
        equations.hold(axis + 3, to: 0, stiffness: firmShift * 1e-3)
      }
      return
    }
    // Half the sum of the axes' cross products is the turn from one to the other while that is small.
    let turn =
      (cross(pose.right, given.right) + cross(pose.up, given.up) + cross(pose.back, given.back)) / 2
    let shift = given.position - pose.position
    for axis in 0..<3 {
      equations.hold(axis, to: Double(turn[axis]), stiffness: firmTurn)
      equations.hold(axis + 3, to: Double(shift[axis]), stiffness: firmShift)
    }
  }
}
