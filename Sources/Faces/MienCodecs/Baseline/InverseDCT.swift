internal import RealModule

/// Converts a block of 8 × 8 coefficients to samples. A block is stored column by column of horizontal frequency.
///
/// Uses the inverse transform of Arai, Agui and Nakajima in 32-bit floats, whose factors are folded into the
/// quantization steps; for blocks with low frequencies only, the other coefficients are skipped. It agrees with
/// libjpeg-turbo's `islow` within one level.
enum InverseDCT {
  /// Factor and position of a coefficient.
  struct Step {
    var factor: Float
    var place: Int32
  }

  /// Last zigzag index of blocks whose nonzero coefficients are all among the lowest four by four.
  static let lastOfLow = 9

  /// Scale of the n-th coefficient along a side: cos(nπ/16) · √2, but 1 for n = 0.
  private static let scale: [Double] = [
    1, 1.387_039_845, 1.306_562_965, 1.175_875_602, 1, 0.785_694_958, 0.541_196_100, 0.275_899_379,
  ]

  /// Returns the contributions of the n-th coefficient along a side, as stored in a block, to the k-th of eight
  /// samples: by n.
  static func wave(at k: Int) -> Lanes {
    var wave = Lanes()
    for n in 0..<8 {
      wave[n] = Float(Double.cos(Double((2 * k + 1) * n) * .pi / 16) * (n == 0 ? 1 : 2.0.squareRoot()) / scale[n])
    }
    return wave
  }

  /// Returns the block position and the factor of each coefficient, by zigzag index.
  static func steps(_ table: [UInt16]) -> ContiguousArray<Step> {
    return ContiguousArray(
      JPEGTables.zigzag.map { place in
        let (row, column) = (place / 8, place % 8)
        return Step(
          factor: Float(Double(table[place]) * scale[row] * scale[column] / 8), place: Int32(column * 8 + row))
      })
  }

  /// Converts a block to 64 samples in row-major order; `last` is the zigzag index of its last coefficient.
  static func write(_ values: Span<Float>, last: Int, into samples: inout MutableSpan<UInt8>) {
    let block = values.extracting(0..<64)
    var target = samples._mutatingExtracting(0..<64)
    let (c0, c1, c2, c3, c4, c5, c6, c7): Eight
    if last <= Self.lastOfLow {
      let low = Self.wave(
        Self.four(block, 0), Self.four(block, 8), Self.four(block, 16), Self.four(block, 24))
      let r = Self.transposed(low)
      (c0, c1, c2, c3, c4, c5, c6, c7) = Self.wave(r.0, r.1, r.2, r.3)
    } else {
      let all = Self.wave(
        Self.eight(block, 0), Self.eight(block, 8), Self.eight(block, 16), Self.eight(block, 24),
        Self.eight(block, 32), Self.eight(block, 40), Self.eight(block, 48), Self.eight(block, 56))
      let r = Self.transposed(all)
      (c0, c1, c2, c3, c4, c5, c6, c7) = Self.wave(r.0, r.1, r.2, r.3, r.4, r.5, r.6, r.7)
    }
    Self.put(c0, 0, &target)
    Self.put(c1, 1, &target)
    Self.put(c2, 2, &target)
    Self.put(c3, 3, &target)
    Self.put(c4, 4, &target)
    Self.put(c5, 5, &target)
    Self.put(c6, 6, &target)
    Self.put(c7, 7, &target)
  }

  typealias Lanes = SIMD8<Float>
  /// Resets a block to zeros.
  @inline(__always)
  static func clear(_ values: inout MutableSpan<Float>, last: Int) {
    var block = values._mutatingExtracting(0..<64)
    if last == 0 {
      block[0] = 0
    } else if last <= lastOfLow {
      for column in 0..<4 {
        for row in 0..<4 { block[column * 8 + row] = 0 }
      }
    } else {
      for index in 0..<64 { block[index] = 0 }
    }
  }

  private typealias Eight = (Lanes, Lanes, Lanes, Lanes, Lanes, Lanes, Lanes, Lanes)
  private typealias EightHalves = (
    SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>
  )

  @inline(__always)
  static func four(_ block: Span<Float>, _ at: Int) -> SIMD4<Float> {
    SIMD4(block[at], block[at + 1], block[at + 2], block[at + 3])
  }

  @inline(__always)
  static func eight(_ block: Span<Float>, _ at: Int) -> Lanes {
    Lanes(
      block[at], block[at + 1], block[at + 2], block[at + 3], block[at + 4], block[at + 5], block[at + 6],
      block[at + 7])
  }

  /// Transforms eight vectors of coefficients in parallel.
  @inline(__always)
  private static func wave(
    _ a: Lanes, _ b: Lanes, _ c: Lanes, _ d: Lanes, _ e: Lanes, _ f: Lanes, _ g: Lanes, _ h: Lanes
  ) -> Eight {
    let (sum, difference, outer) = (a + e, a - e, c + g)
    let inner = (c - g) * 1.414_213_562 - outer
    let (t0, t3, t1, t2) = (sum + outer, sum - outer, difference + inner, difference - inner)
    let (z13, z10, z11, z12) = (f + d, f - d, b + h, b - h)
    let o7 = z11 + z13
    let z5 = (z10 + z12) * 1.847_759_065
    let o6 = z5 - z10 * 2.613_125_930 - o7
    let o5 = (z11 - z13) * 1.414_213_562 - o6
    let o4 = z5 - z12 * 1.082_392_200 - o5
    return (t0 + o7, t1 + o6, t2 + o5, t3 + o4, t3 - o4, t2 - o5, t1 - o6, t0 - o7)
  }

  /// Transforms likewise where the upper half of the coefficients is zero.
  @inline(__always)
  private static func wave<Many: SIMD<Float>>(
    _ a: Many, _ b: Many, _ c: Many, _ d: Many
  ) -> (Many, Many, Many, Many, Many, Many, Many, Many) {
    let inner = c * 0.414_213_562
    let (t0, t3, t1, t2) = (a + c, a - c, a + inner, a - inner)
    let (o7, difference) = (b + d, b - d)
    let z5 = difference * 1.847_759_065
    let o6 = z5 + d * 2.613_125_930 - o7
    let o5 = difference * 1.414_213_562 - o6
    let o4 = z5 - b * 1.082_392_200 - o5
    return (t0 + o7, t1 + o6, t2 + o5, t3 + o4, t3 - o4, t2 - o5, t1 - o6, t0 - o7)
  }

  @inline(__always)
  private static func transposed(_ r: EightHalves) -> (Lanes, Lanes, Lanes, Lanes) {
    func line(_ k: Int) -> Lanes {
      Lanes(r.0[k], r.1[k], r.2[k], r.3[k], r.4[k], r.5[k], r.6[k], r.7[k])
    }
    return (line(0), line(1), line(2), line(3))
  }

  @inline(__always)
  private static func transposed(_ r: Eight) -> Eight {
    func line(_ k: Int) -> Lanes {
      Lanes(r.0[k], r.1[k], r.2[k], r.3[k], r.4[k], r.5[k], r.6[k], r.7[k])
    }
    return (line(0), line(1), line(2), line(3), line(4), line(5), line(6), line(7))
  }

  /// Writes one of eight rows of samples, rounded to the nearest level and clamped to 0…255; 128 is mid-gray.
  @inline(__always)
  private static func put(_ values: Lanes, _ row: Int, _ samples: inout MutableSpan<UInt8>) {
    // Adding this constant leaves the integer part in the lowest bits.
    let shifted = values + (12_582_912 + 128)
    let whole = SIMD8<UInt16>(
      truncatingIfNeeded: SIMD8<UInt32>(
        shifted[0].bitPattern, shifted[1].bitPattern, shifted[2].bitPattern, shifted[3].bitPattern,
        shifted[4].bitPattern, shifted[5].bitPattern, shifted[6].bitPattern, shifted[7].bitPattern))
    let level = SIMD8<Int16>(truncatingIfNeeded: whole)
    // Masks by shifting: the compiler translates lane comparisons into many more instructions.
    let (below, above) = (level &>> 15, (255 &- level) &>> 15)
    let bytes = SIMD8<UInt8>(truncatingIfNeeded: (level & ~below) | above)
    for index in 0..<8 { samples[row * 8 + index] = bytes[index] }
  }
}
