import MienCore

/// The few numbers of one observation that the passive watches share, so that each landmark is read once.
///
/// Lengths are in pixels: fractions of the picture would be stretched by its aspect.
struct FaceFeatures: Sendable {
  let at: MonotonicInstant
  let yaw: Float
  let pitch: Float
  /// Middle of the four eye corners and the bridge of the nose.
  let center: SIMD2<Float>
  /// Between the middles of the eyes, as projected.
  let eyeDistance: Float
  /// Tip of the nose from its bridge, in eye distances.
  let nose: SIMD2<Float>
  /// Opening of the mouth and of the eyes, in eye distances: mouth, subject's right eye, left eye.
  let openings: SIMD3<Float>
  /// The lesser closure of the two eyelids, 0…1; nil when the coefficients are missing.
  let closure: Float?
  /// Eight lengths in the tracker's own three dimensions, divided by their mean: what stays when a head turns.
  let proportions: SIMD8<Float>
  /// Width between the outer eye corners over the height from nose base to hairline, in three dimensions.
  let stretch: Float

  /// Nil unless there is exactly one face with finite landmarks, a plausible pose and some size.
  init?(_ observation: FaceObservation) {
    guard observation.faceCount <= 1, let face = observation.face, face.pose.isPlausible,
      observation.frameWidth > 0, observation.frameHeight > 0
    else { return nil }
    let scale = SIMD3(Float(observation.frameWidth), Float(observation.frameHeight), Float(observation.frameWidth))
    let points = face.landmarks.points
    func flat(_ index: Int) -> SIMD2<Float> { SIMD2(points[index].x * scale.x, points[index].y * scale.y) }
    func length(_ first: Int, _ second: Int) -> Float {
      let way = (points[first] - points[second]) * scale
      return (way * way).sum().squareRoot()
    }
    let (rightOuter, rightInner, leftInner, leftOuter) = (flat(33), flat(133), flat(362), flat(263))
    let bridge = flat(168)
    let eyes = (leftInner + leftOuter - rightInner - rightOuter) / 2
    let distance = (eyes * eyes).sum().squareRoot()
    // Written so that a value that is not a number fails.
    guard distance > 4, distance < 100_000 else { return nil }
    at = observation.at
    yaw = face.pose.yaw
    pitch = face.pose.pitch
    center = (rightOuter + rightInner + leftInner + leftOuter + bridge) / 5
    eyeDistance = distance
    nose = (flat(1) - bridge) / distance
    openings =
      SIMD3(Self.gap(flat(13), flat(14)), Self.gap(flat(159), flat(145)), Self.gap(flat(386), flat(374))) / distance
    let eyeWidth = length(33, 263)
    let height = length(10, 2)
    let lengths = SIMD8(
      eyeWidth, height, length(234, 454), length(133, 362), length(98, 327), length(168, 2), length(127, 356),
      length(162, 389))
    let mean = lengths.sum() / 8
    guard mean > 1, mean < 100_000, height > 1, (center * center).sum() < 1e12, (nose * nose).sum() < 1e6,
      openings.sum() < 1e6
    else { return nil }
    proportions = lengths / mean
    stretch = eyeWidth / height
    if let right = face.blendshapes[.eyeBlinkRight], let left = face.blendshapes[.eyeBlinkLeft], right + left < 4 {
      closure = min(right, left)
    } else {
      closure = nil
    }
  }

  private static func gap(_ first: SIMD2<Float>, _ second: SIMD2<Float>) -> Float {
    let way = first - second
    return (way * way).sum().squareRoot()
  }
}
