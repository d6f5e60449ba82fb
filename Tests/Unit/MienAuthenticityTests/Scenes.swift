import MienAuthenticity
import MienImaging
import MienCore

/// Synthetic images; their properties are verified by the checks that detect them.
enum Scenes {
  /// SplitMix64 generator of numbers in 0..<1.
  struct Noise {
    var state: UInt64
    mutating func next() -> Float {
      state &+= 0x9E37_79B9_7F4A_7C15
      var mixed = state
      mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
      mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
      mixed ^= mixed >> 31
      return Float(mixed >> 40) / Float(1 << 24)
    }
  }

  /// Returns soft blobs of light with slight noise: no lines, no periodicity.
  static func blobs(_ width: Int = 320, _ height: Int = 320, seed: UInt64 = 1, shift: Float = 0) -> Plane {
    var generator = Noise(state: seed)
    let blobs = (0..<60).map { _ in
      (
        x: generator.next() * Float(width), y: generator.next() * Float(height), size: 8 + 30 * generator.next(),
        light: 120 * (generator.next() - 0.5)
      )
    }
    return drawn(width, height) { x, y in
      var light: Float = 110
      for blob in blobs {
        let (dx, dy) = ((Float(x) - blob.x - shift) / blob.size, (Float(y) - blob.y) / blob.size)
        let square = dx * dx + dy * dy
        if square < 4 { light += blob.light * (1 - square / 4) }
      }
      return light + 6 * (generator.next() - 0.5)
    }
  }

  static func drawn(_ width: Int, _ height: Int, _ tone: (Int, Int) -> Float) -> Plane {
    var samples = ContiguousArray<UInt8>()
    samples.reserveCapacity(width * height)
    for y in 0..<height {
      for x in 0..<width { samples.append(UInt8(min(max(tone(x, y), 0), 255))) }
    }
    return Plane(width: width, height: height, samples: samples)!
  }

  /// Returns `plane` with a value added to each tone.
  static func adding(_ plane: Plane, _ tone: (Int, Int) -> Float) -> Plane {
    drawn(plane.width, plane.height) { Float(plane.samples[$1 * plane.width + $0]) + tone($0, $1) }
  }

  /// Triangle wave of period 1 and amplitude ±1: periodic without a C library.
  static func wave(_ phase: Float) -> Float { 4 * abs(phase - phase.rounded(.down) - 0.5) - 1 }

  static func reading(_ check: CheckName, _ luma: Plane) -> SceneCheckResult? {
    CaptureAnalyzer().analyze(CaptureInput(image: YCbCrImage(luma: luma)))[check]
  }

  static func native(_ check: CheckName, _ luma: Plane) -> Double? {
    reading(check, luma)?.assessment?.measure.native
  }

  static func verdict(_ check: CheckName, _ luma: Plane) -> SceneCheckResult.Verdict? {
    reading(check, luma)?.assessment?.verdict
  }
}
