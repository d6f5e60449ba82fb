#if canImport(Darwin)
  internal import Darwin
#elseif canImport(Musl)
  internal import Musl
#else
  internal import Glibc
#endif

/// Returns log₂ without requiring Foundation.
func binaryLogarithm(_ value: Double) -> Double { log2(value) }

/// Returns the angle of a point around the origin in degrees, −180…180.
func angleInDegrees(_ y: Float, _ x: Float) -> Float { atan2f(y, x) * 180 / .pi }

/// Returns the point on the unit circle at an angle in degrees.
func onUnitCircle(degrees: Float) -> SIMD2<Float> {
  SIMD2(cosf(degrees * .pi / 180), sinf(degrees * .pi / 180))
}
