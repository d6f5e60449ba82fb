// The angle functions needed for poses, so that the engine does not import a C library for them.

/// Returns the angle of the point (x, y) in degrees, −180…180, with an error below 1e-9; 0 at the origin.
func degreesOfArc(y: Double, x: Double) -> Double {
  let most = max(abs(x), abs(y))
  guard most > 0, most.isFinite else { return 0 }
  let least = min(abs(x), abs(y))
  var angle = arcTangent(least / most)
  if abs(y) > abs(x) { angle = .pi / 2 - angle }
  if x < 0 { angle = .pi - angle }
  return (y < 0 ? -angle : angle) * 180 / .pi
}

/// Returns the arc tangent of 0…1 in radians: halved twice with atan t = 2 atan(t / (1 + √(1 + t²))), then Taylor's
/// series.
private func arcTangent(_ tangent: Double) -> Double {
  var t = tangent
  for _ in 0..<2 { t /= 1 + (1 + t * t).squareRoot() }
  let square = t * t
  var sum = 0.0
  var power = t
  for index in 0..<14 {
    sum += (index.isMultiple(of: 2) ? power : -power) / Double(2 * index + 1)
    power *= square
  }
  return 4 * sum
}

/// Returns sine and cosine of an angle in degrees, −180…180, by Taylor's series of a quarter of the angle, doubled
/// twice.
func sineAndCosine(degrees: Double) -> (sine: Double, cosine: Double) {
  let angle = degrees * .pi / 720
  let square = angle * angle
  var sine = 0.0
  var cosine = 0.0
  var term = 1.0
  for index in 0..<10 {
    let sign = index.isMultiple(of: 2) ? 1.0 : -1.0
    cosine += sign * term
    sine += sign * term * angle / Double(2 * index + 1)
    term *= square / Double((2 * index + 1) * (2 * index + 2))
  }
  for _ in 0..<2 { (sine, cosine) = (2 * sine * cosine, cosine * cosine - sine * sine) }
  return (sine, cosine)
}
