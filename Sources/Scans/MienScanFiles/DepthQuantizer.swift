internal import MienScanFormat

/// Converts floating-point depth in meters to integer steps of a given unit.
enum DepthQuantizer {
  /// Converts a map of meters to steps, rounded to the nearest, halves up.
  ///
  /// NaN, zero, negative values, and values beyond 65 535 steps count as no measurement: 0.
  ///
  /// - Parameter mayBeEmpty: `true` if the floats are known to be meters: a covered sensor yields only NaN.
  /// - Throws: ``ScanError`` `refused` if the map is not depth in meters: more than nine tenths of it are NaN or
  ///   negative, or nine tenths of its distances are only plausible in millimeters.
  static func steps(
    _ meters: some Sequence<Float>, micrometersPerStep: Int, mayBeEmpty: Bool = false, frame: Int
  ) throws(ScanError) -> [UInt16] {
    let stepsPerMeter = 1_000_000 / Float(micrometersPerStep)
    var steps: [UInt16] = []
    steps.reserveCapacity(meters.underestimatedCount)
    var (wrong, positive, large) = (0, 0, 0)
    for meters in meters {
      let value = (meters * stepsPerMeter + 0.5).rounded(.down)
      if !(meters >= 0), !(mayBeEmpty && meters.isNaN) { wrong += 1 }
      if meters > 0, meters < .infinity { positive += 1 }
      if millimeters.contains(meters) { large += 1 }
      steps.append(value >= 1 && value <= 65535 ? UInt16(value) : 0)
    }
    guard wrong * 10 <= steps.count * 9 else {
      throw ScanError(.refused, "the map is not depth in meters: most of its floats are NaN or negative", frame: frame)
    }
    guard positive == 0 || large * 10 < positive * 9 else {
      throw ScanError(.refused, "the map is not depth in meters: its floats look like millimeters", frame: frame)
    }
    return steps
  }

  /// Converts a map of little-endian 32-bit or 16-bit floats, as above.
  static func steps(
    _ bytes: ArraySlice<UInt8>, half: Bool, micrometersPerStep: Int, mayBeEmpty: Bool = false, frame: Int
  ) throws(ScanError) -> [UInt16] {
    try steps(
      floats(bytes, half: half), micrometersPerStep: micrometersPerStep, mayBeEmpty: mayBeEmpty, frame: frame)
  }

  /// Distances that no depth camera of a phone measures in meters: 50 and more, up to 20 m in millimeters.
  private static let millimeters: ClosedRange<Float> = 50...20_000

  /// Returns `true` if nine tenths of the distances are only plausible in millimeters.
  static func areMillimeters(_ bytes: ArraySlice<UInt8>, half: Bool) -> Bool {
    let positive = floats(bytes, half: half).filter { $0 > 0 && $0 < .infinity }
    return !positive.isEmpty && positive.count { millimeters.contains($0) } * 10 >= positive.count * 9
  }

  /// Returns little-endian 32-bit or 16-bit floats.
  static func floats(_ bytes: ArraySlice<UInt8>, half: Bool) -> [Float] {
    let size = half ? 2 : 4
    return stride(from: bytes.startIndex, to: bytes.endIndex - size + 1, by: size).map { place in
      let low = UInt32(bytes[place]) | UInt32(bytes[place + 1]) << 8
      return half
        ? float(ofHalf: UInt16(low))
        : Float(bitPattern: low | UInt32(bytes[place + 2]) << 16 | UInt32(bytes[place + 3]) << 24)
    }
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
