/// Fit of a bent sheet to a surface: the best general cylinder, height = g(p) + k·q, where p runs across the bend and q along its
/// straight lines. g is any profile (sixteen linear segments), so tubes, folds and waves all fit; the direction is searched to about one
/// degree.
///
/// Paper and screens bend without stretching, so their surface is straight along one direction everywhere; a nose is not. Cones are
/// approximated only roughly.
struct CylinderFit {
  /// Root mean square of the residuals for the best direction, mm.
  let residual: Double

  /// Returns `nil` if there are too few points.
  init?(_ surface: FaceHeightField, trimmed: Double) {
    guard surface.points.count >= 100 else { return nil }
    func misfit(_ direction: SIMD2<Double>) -> Double {
      Self.residual(surface.points, direction, trimmed: trimmed)
    }
    // Directions 15° apart over the half circle, without trigonometry.
    let (cosine, sine) = (0.965_925_826_289_068_3, 0.258_819_045_102_520_8)
    func rotated(_ d: SIMD2<Double>, _ sine: Double) -> SIMD2<Double> {
      SIMD2(d.x * cosine - d.y * sine, d.x * sine + d.y * cosine)
    }
    var direction = SIMD2(1.0, 0.0)
    var best = direction
    var least = Double.infinity
    for _ in 0..<12 {
      let value = misfit(direction)
      if value < least { (least, best) = (value, direction) }
      direction = rotated(direction, sine)
    }
    // Halves the angle to both neighbors four times.
    var lower = rotated(best, -sine)
    var upper = rotated(best, sine)
    for _ in 0..<4 {
      let below = Self.halfway(best, lower)
      let above = Self.halfway(best, upper)
      let (valueBelow, valueAbove) = (misfit(below), misfit(above))
      if valueBelow < least, valueBelow <= valueAbove {
        (least, upper, best) = (valueBelow, best, below)
      } else if valueAbove < least {
        (least, lower, best) = (valueAbove, best, above)
      } else {
        (lower, upper) = (below, above)
      }
    }
    residual = least
  }

  private static func halfway(_ left: SIMD2<Double>, _ right: SIMD2<Double>) -> SIMD2<Double> {
    let sum = left + right
    return sum / (sum * sum).sum().squareRoot()
  }

  /// Sums over one segment of the profile, for linear fits of height and of q over p.
  private struct Piece {
    var n = 0.0
    var p = 0.0
    var q = 0.0
    var h = 0.0
    var pp = 0.0
    var pq = 0.0
    var ph = 0.0

    mutating func add(_ p: Double, _ q: Double, _ h: Double) {
      n += 1
      self.p += p
      self.q += q
      self.h += h
      pp += p * p
      pq += p * q
      ph += p * h
    }

    /// Means, and the slopes over p; a segment that is too small or too narrow for a slope has slope 0.
    var line: (p: Double, q: Double, h: Double, slopeQ: Double, slopeH: Double) {
      guard n > 0 else { return (0, 0, 0, 0, 0) }
      let (meanP, meanQ, meanH) = (p / n, q / n, h / n)
      let spread = pp - n * meanP * meanP
      guard n >= 6, spread > 1e-6 * n else { return (meanP, meanQ, meanH, 0, 0) }
      return (meanP, meanQ, meanH, (pq - n * meanP * meanQ) / spread, (ph - n * meanP * meanH) / spread)
    }
  }

  private static func residual(
    _ points: [FaceHeightField.Point], _ direction: SIMD2<Double>, trimmed: Double
  ) -> Double {
    let pieces = 16
    var coordinates = points.map { point in
      (
        p: point.across * direction.x + point.along * direction.y,
        q: point.along * direction.x - point.across * direction.y, h: point.height
      )
    }
    let places = coordinates.map(\.p)
    guard let low = places.min(), let high = places.max(), high > low else { return .infinity }
    let scale = Double(pieces) / (high - low)
    func piece(_ p: Double) -> Int { min(pieces - 1, Int((p - low) * scale)) }
    let keep = max(1, Int(Double(points.count) * (1 - trimmed)))
    var meanSquare = Double.infinity
    // Two rounds: the second one excludes the points that fitted worst.
    for round in 0..<2 {
      var sums = [Piece](repeating: Piece(), count: pieces)
      for c in coordinates { sums[piece(c.p)].add(c.p, c.q, c.h) }
      let lines = sums.map(\.line)
      var qq = 0.0
      var qh = 0.0
      for c in coordinates {
        let line = lines[piece(c.p)]
        let q = c.q - line.q - line.slopeQ * (c.p - line.p)
        let h = c.h - line.h - line.slopeH * (c.p - line.p)
        qq += q * q
        qh += q * h
      }
      let slope = qq > 0 ? qh / qq : 0
      let ordered = coordinates.map { c in
        let line = lines[piece(c.p)]
        let q = c.q - line.q - line.slopeQ * (c.p - line.p)
        let h = c.h - line.h - line.slopeH * (c.p - line.p)
        return (coordinate: c, miss: abs(h - slope * q))
      }.sorted { $0.miss < $1.miss }
      if round == 0 {
        coordinates = ordered.prefix(keep).map(\.coordinate)
      } else {
        meanSquare = ordered.reduce(0) { $0 + $1.miss * $1.miss } / Double(ordered.count)
      }
    }
    return meanSquare.squareRoot()
  }
}
