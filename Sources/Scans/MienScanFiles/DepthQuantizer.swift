internal import MienScanFormat

/// Converts floating-point depth in meters to integer steps of a given unit.
enum DepthQuantizer {
  /// Converts a map of little-endian 32-bit or 16-bit floats to steps, rounded to the nearest, halves up.
  ///
  /// NaN, zero, negative values, and values beyond 65 535 steps count as no measurement: 0.
  ///
  /// - Parameter mayBeEmpty: `true` if the floats are known to be meters: a covered sensor yields only NaN.
  /// - Throws: ``ScanError`` `refused` if more than nine tenths of the map are NaN or negative, which means that it is
  ///   not depth in meters.
  static func steps(
    _ bytes: ArraySlice<UInt8>, half: Bool, micrometersPerStep: Int, mayBeEmpty: Bool = false, frame: Int
  ) throws(ScanError) -> [UInt16] {
    let stepsPerMetre = 1_000_000 / Float(micrometersPerStep)
    let size = half ? 2 : 4
    var steps: [UInt16] = []
    steps.reserveCapacity(bytes.count / size)
    var wrong = 0
    for place in stride(from: bytes.startIndex, to: bytes.endIndex, by: size) {
      let low = UInt32(bytes[place]) | UInt32(bytes[place + 1]) << 8
      let meters =
        half
        ? float(ofHalf: UInt16(low))
        : Float(bitPattern: low | UInt32(bytes[place + 2]) << 16 | UInt32(bytes[place + 3]) << 24)
      let value = (meters * stepsPerMetre + 0.5).rounded(.down)
      if !(meters >= 0), !(mayBeEmpty && meters.isNaN) { wrong += 1 }
      steps.append(value >= 1 && value <= 65535 ? UInt16(value) : 0)
    }
    guard wrong * 10 <= steps.count * 9 else {
      throw ScanError(.refused, "the map is not depth in metres: its floats are no numbers or negative", frame: frame)
    }
    return steps
  }

  /// Returns the value of a 16-bit float.
  static func float(ofHalf bits: UInt16) -> Float {
    let (exponent, fraction) = (Int(bits >> 10 & 31), UInt32(bits & 1023))
    let size: Float =
      exponent == 31
      ? (fraction == 0 ? .infinity : .nan)
      : exponent == 0
        ? Float(fraction) / 16_777_216
        : Float(sign: .plus, exponent: exponent - 15, significand: 1 + Float(fraction) / 1024)
    return bits & 0x8000 == 0 ? size : -size
  }
}
