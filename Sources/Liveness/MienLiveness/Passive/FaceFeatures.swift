import MienCore

/// Features of one observation that the passive detectors share, so that each landmark is read once.
///
/// Lengths are in pixels, because fractions of the image would be distorted by its aspect ratio.
struct FaceFeatures: Sendable {
  let at: MonotonicInstant
  let yaw: Float
  let pitch: Float
  /// Mean of the four eye corners and the bridge of the nose.
  let center: SIMD2<Float>
  /// Distance between the centers of the eyes in the image.
  let eyeDistance: Float
  /// Vector from the center of the subject's right eye to that of the left one, in the image.
  let eyes: SIMD2<Float>
  /// Tip of the nose relative to its bridge, in eye distances.
  let nose: SIMD2<Float>
  /// Opening of the mouth, the subject's right eye, and the left eye, in eye distances.
  let openings: SIMD3<Float>
  /// Smaller closure of the two eyelids, 0…1; `nil` if the coefficients are missing.
  let closure: Float?
  /// Eight lengths in the tracker's 3-D coordinates, divided by their mean: invariant under head rotation.
  let proportions: SIMD8<Float>
  /// Ratio of the width between the outer eye corners to the height from nose base to hairline, in 3-D.
  let stretch: Float

  /// Returns `nil` unless there is exactly one face with finite landmarks, a plausible pose, and a minimum size.
  init?(_ observation: FaceObservation) {
    guard observation.faceCount <= 1, let face = observation.face, face.pose.isPlausible,
      observation.frameWidth > 0, observation.frameHeight > 0
    else { return nil }
    let scale = SIMD3(Float(observation.frameWidth), Float(observation.frameHeight), Float(observation.frameWidth))
    let points = face.landmarks.points
    func flat(_ index: Int) -> SIMD2<Float> { SIMD2(points[index].x * scale.x, points[index].y * scale.y) }
    func length(_ first: Int, _ second: Int) -> Float {
      let offset = (points[first] - points[second]) * scale
      return (offset * offset).sum().squareRoot()
    }
    let (rightOuter, rightInner, leftInner, leftOuter) = (flat(33), flat(133), flat(362), flat(263))
    let bridge = flat(168)
    let eyes = (leftInner + leftOuter - rightInner - rightOuter) / 2
    let distance = (eyes * eyes).sum().squareRoot()
    // The comparisons are false for NaN.
    guard distance > 4, distance < 100_000 else { return nil }
    at = observation.at
    yaw = face.pose.yaw
    pitch = face.pose.pitch
    center = (rightOuter + rightInner + leftInner + leftOuter + bridge) / 5
    eyeDistance = distance
    self.eyes = eyes
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
    let offset = first - second
    return (offset * offset).sum().squareRoot()
  }
}
