public import MienScanFormat

/// Result of registering a camera.
struct RegistrationResult {
  var pose: CameraPose
  /// Root mean square distance of the points to the surface after registration, in meters.
  var residual: Float
  /// The same before registration.
  var residualBefore: Float
  /// Fraction of the points within the truncation band of the surface.
  var overlap: Float
}

extension VoxelVolume {
  /// Returns the signed distance at a world position, in meters, and its gradient; nil if an adjacent voxel is unknown.
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

  /// Returns a voxel's distance in units of ``truncation`` and its weight; weight 0 without a block. `at` is relative
  /// to the block's first voxel and may be up to one block outside.
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

  /// Returns the mean distance of a camera's points to the surface in units of ``truncation``, 0…1, where points in
  /// unknown space count as 1. Evaluates every fourth point.
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

  /// Returns the root mean square distance to the surface of a camera's points within the truncation band, in meters;
  /// nil if their fraction is below `leastOverlap`.
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

  /// Registers a camera to the surface.
  ///
  /// Each point is drawn to the plane given by the distance and its gradient at its position: point-to-plane ICP (Chen
  /// and Medioni, 1992) with the distance field as the nearest surface (Bylow et al., "Real-time camera tracking and 3D
  /// reconstruction using signed distance functions", 2013). Outliers have less weight (Huber).
  ///
  /// - Parameters:
  ///   - start: initial pose.
  ///   - given: pose provided by the device, if any. It constrains the result with the standard deviations `poseNoise`
  ///     and `turnNoise`, which prevents sliding along a flat surface.
  /// - Returns: nil if too few points are near the surface.
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

  /// Adds the constraint of the device pose, or slight damping without one.
  private func hold(
    _ equations: inout PoseNormalEquations, _ pose: CameraPose, _ given: CameraPose?, _ settings: TrackingSettings
  ) {
    let turnStiffness = Double(1 / (settings.turnNoise * settings.turnNoise))
    let shiftStiffness = Double(1 / (settings.poseNoise * settings.poseNoise))
    guard let given else {
      for axis in 0..<3 {
        equations.hold(axis, to: 0, stiffness: turnStiffness * 1e-3)
        equations.hold(axis + 3, to: 0, stiffness: shiftStiffness * 1e-3)
      }
      return
    }
    // Half the sum of the axes' cross products is the rotation between the two poses for small angles.
    let turn =
      (cross(pose.right, given.right) + cross(pose.up, given.up) + cross(pose.back, given.back)) / 2
    let shift = given.position - pose.position
    for axis in 0..<3 {
      equations.hold(axis, to: Double(turn[axis]), stiffness: turnStiffness)
      equations.hold(axis + 3, to: Double(shift[axis]), stiffness: shiftStiffness)
    }
  }
}

/// Parameters for refining camera poses against the fused surface.
public struct TrackingSettings: Hashable, Sendable {
  /// Approximate number of points per map.
  public var points = 3000
  /// Maximum number of Gauss–Newton iterations; fewer if the pose converges.
  public var iterations = 10
  /// Minimum fraction of the points within the truncation band for a valid result.
  public var leastOverlap: Float = 0.3
  /// Maximum correspondence distance to the previous map, in meters; used without device poses.
  public var gate: Float = 0.03
  /// Standard deviation of a point, in meters, and the effective number of independent points, because errors of
  /// neighboring samples are correlated.
  public var pointNoise: Float = 0.003
  public var independentPoints: Float = 150
  /// Standard deviation of device poses, in meters and radians. Registration moves a pose within about this range.
  public var poseNoise: Float = 0.01
  public var turnNoise: Float = 0.01
  /// Maximum mean distance of the points to the surface, as a fraction of the truncation band, for accepting an initial
  /// pose; otherwise the map is first registered to the previous one.
  public var goodMisfit: Float = 0.35

  public init() {}

  /// Creates the defaults for a sensor. A LiDAR's points are accurate to a centimeter and correlated by its own
  /// smoothing; its device poses are better than that and are held to 3 mm and 3 mrad.
  public init(for sensor: ScanSensor) {
    guard sensor == .lidar else { return }
    pointNoise = 0.01
    independentPoints = 50
    poseNoise = 0.003
    turnNoise = 0.003
    gate = 0.1
  }
}
