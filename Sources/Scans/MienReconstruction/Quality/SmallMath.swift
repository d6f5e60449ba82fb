internal import RealModule

/// Functions of quality measures.
enum SmallMath {
  /// Returns the arc cosine in degrees; x is clamped to −1…1.
  static func arcCosine(_ x: Float) -> Float { .acos(min(max(x, -1), 1)) * 180 / .pi }

  /// Returns 1 / (1 + exp((middle − x) / width)).
  static func sigmoid(_ x: Double, middle: Double, width: Double) -> Double { 1 / (1 + .exp((middle - x) / width)) }
}
