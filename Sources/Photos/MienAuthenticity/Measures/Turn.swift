/// Sine and cosine without a C library.
enum Turn {
  /// Returns (cos, sin) of `share` full turns, computed by a series for 1/64 of the angle and six doublings; error
  /// below 1e-12.
  static func unit(_ share: Double) -> SIMD2<Double> {
    let angle = (share - share.rounded(.down)) * 2 * Double.pi / 64
    let square = angle * angle
    var (cosine, sine) = (
      1 - square / 2 * (1 - square / 12 * (1 - square / 30 * (1 - square / 56))),
      angle * (1 - square / 6 * (1 - square / 20 * (1 - square / 42 * (1 - square / 72))))
    )
    for _ in 0..<6 { (cosine, sine) = (cosine * cosine - sine * sine, 2 * cosine * sine) }
    return SIMD2(cosine, sine)
  }
}
