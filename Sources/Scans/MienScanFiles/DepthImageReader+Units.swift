internal import MienCodecs
internal import MienScanFormat

extension DepthImageReader {
  /// Meters per unit of maps that do not state it.
  static let usualUnit = 0.001

  /// Reads a depth map in any of the formats that photogrammetry programs use: 16-bit PNG, NumPy array, OpenEXR, or
  /// COLMAP's own (``COLMAPDepthMap``).
  ///
  /// - Parameters:
  ///   - unit: meters per unit, if stated; otherwise integers are millimeters, and floats meters, or millimeters if there
  ///     are distances of 50 and more.
  ///   - steps: micrometers per step of the result.
  static func map(
    _ tree: any FileTree, _ name: String, unit: Double?, steps: Int, frame: Int
  ) throws(ScanError) -> (width: Int, height: Int, samples: [UInt16]) {
    let bytes = try tree.bytes(name, limit: ImportLimits.map)
    var floats: (width: Int, height: Int, samples: [Float])?
    if EXRDecoder.recognizes(bytes) {
      floats = try Self.floats(ofEXR: bytes, name, frame: frame)
    } else if name.hasSuffix(".npy") {
      floats = try NPYReader.readFloats(bytes, name, frame: frame)
    } else if name.hasSuffix(COLMAPDepthMap.ending) {
      floats = try COLMAPDepthMap.read(bytes, name, frame: frame)
    }
    if let floats {
      let areMeters =
        name.hasSuffix(COLMAPDepthMap.ending) || !floats.samples.contains { $0 >= 50 && $0 < .infinity }
      let scale = Float(unit ?? (areMeters ? 1 : usualUnit))
      return (
        floats.width, floats.height,
        try DepthQuantizer.steps(
          floats.samples.lazy.map { $0 * scale }, micrometersPerStep: steps, mayBeEmpty: true, frame: frame)
      )
    }
    let map = try gray16(tree, name, frame: frame)
    let scale = (unit ?? usualUnit) * 1e6 / Double(steps)
    guard abs(scale - 1) > 1e-9 else { return (map.width, map.height, map.samples) }
    return (
      map.width, map.height,
      map.samples.map { sample in
        let value = (Double(sample) * scale).rounded()
        return value <= 65_535 ? UInt16(value) : 0
      }
    )
  }

  /// Returns the step to which depth is converted: the unit of the maps in meters if it is in whole micrometers and fine
  /// enough, otherwise a millimeter.
  static func step(ofUnit unit: Double) -> Int {
    let micrometers = unit * 1e6
    let whole = micrometers.rounded()
    return abs(micrometers - whole) < 1e-6 * micrometers && (100...1000).contains(whole) ? Int(whole) : 1000
  }

  /// Key that sorts files by the numbers in their names, then by their names.
  static func order(_ name: String) -> (Int, String) {
    let digits = (name.split(separator: "/").last ?? "").filter { ("0"..."9").contains($0) }
    return (Int(digits.suffix(18)) ?? 0, name)
  }
}
