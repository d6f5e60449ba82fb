/// Computes the logarithmic power spectrum of square tiles; the storage is reused for the next tile.
///
/// The tile's mean is subtracted, a periodic Hann window (outer product) is applied, and the result is ln(|F|² / Σw² +
/// 0.05): the added constant is a twentieth of a gray level of white noise, below which a signal cannot be
/// distinguished from rounding.
public struct TileSpectrum {
  /// Side of the tile, a power of two.
  public let size: Int
  /// Number of columns of the spectrum: frequencies 0..<size/2 along the rows.
  public var columns: Int { size / 2 }
  /// `size` rows of `columns` values, row-major. Row k is k cycles per tile down the columns; k ≥ size/2 means k −
  /// size.
  public private(set) var logPower: ContiguousArray<Float>
  /// Mean of the last tile, before windowing.
  public private(set) var mean: Float = 0

  private var transform: FourierTransform
  private let window: ContiguousArray<Float>
  private var half: ContiguousArray<FourierTransform.Lanes>
  private var power: ContiguousArray<Float>
  private let energy: Float

  /// - Precondition: `size` is a power of two from 16 to 4096.
  public init(size: Int) {
    precondition(size >= 16, "a tile has at least 16 pixels a side")
    self.size = size
    transform = FourierTransform(length: size)
    window = ContiguousArray(RootsOfUnity.all(size).map { Float(1 - $0.x) / 2 })
    let sum = window.reduce(0) { $0 + $1 * $1 }
    energy = sum * sum
    logPower = ContiguousArray(repeating: 0, count: size * size / 2)
    power = logPower
    half = ContiguousArray(repeating: .zero, count: size * size / 16)
  }

  /// Measures the tile whose top left corner is at (`x`, `y`).
  ///
  /// - Precondition: the tile lies inside the plane.
  public mutating func measure(_ plane: Plane, x: Int, y: Int) {
    precondition(x >= 0 && y >= 0 && x + size <= plane.width && y + size <= plane.height, "outside the plane")
    mean = Self.mean(plane, x: x, y: y, size: size)
    // Moved out, so that they can be written while the rest is read.
    var work = FourierTransform(length: 8)
    swap(&work, &transform)
    var rowsDone = ContiguousArray<FourierTransform.Lanes>()
    swap(&rowsDone, &half)
    var squares = ContiguousArray<Float>()
    swap(&squares, &power)
    for rows in stride(from: 0, to: size, by: 16) {
      load(plane, x: x, y: y, rows: rows, into: &work.values)
      work.run()
      split(work.values, rows: rows, into: &rowsDone)
    }
    for block in 0..<columns / 8 {
      gather(rowsDone, block: block, into: &work.values)
      work.run()
      store(work.values, block: block, into: &squares)
    }
    swap(&work, &transform)
    swap(&rowsDone, &half)
    swap(&squares, &power)
    Self.logarithm(of: power, scale: 1 / energy, into: &logPower)
  }

  private static func mean(_ plane: Plane, x: Int, y: Int, size: Int) -> Float {
    let samples = plane.samples.span
    var sum = 0
    for row in y..<y + size {
      let line = samples.extracting(row * plane.width + x..<row * plane.width + x + size)
      var partial: UInt32 = 0
      for column in line.indices { partial += UInt32(line[column]) }
      sum += Int(partial)
    }
    return Float(sum) / Float(size * size)
  }

  /// Packs sixteen rows into eight complex ones: the first eight are the real parts, the others the imaginary parts.
  private func load(
    _ plane: Plane, x: Int, y: Int, rows: Int, into values: inout ContiguousArray<FourierTransform.Lanes>
  ) {
    let (size, width, mean) = (self.size, plane.width, self.mean)
    let samples = plane.samples.span
    let weights = window.span
    var target = values.mutableSpan
    let corner = (y + rows) * width + x
    func lanes(_ first: Int) -> SIMD8<Float> {
      let start = rows + first
      return SIMD8(
        weights[start], weights[start + 1], weights[start + 2], weights[start + 3], weights[start + 4],
        weights[start + 5], weights[start + 6], weights[start + 7])
    }
    for isImaginary in [false, true] {
      let first = isImaginary ? 8 : 0
      let down = lanes(first)
      let start = corner + first * width
      for column in 0..<size {
        let at = start + column
        let bytes = SIMD8<UInt8>(
          samples[at], samples[at + width], samples[at + 2 * width], samples[at + 3 * width],
          samples[at + 4 * width], samples[at + 5 * width], samples[at + 6 * width], samples[at + 7 * width])
        let value = (SIMD8<Float>(bytes) - mean) * (down * weights[column])
        if isImaginary { target[column].im = value } else { target[column].re = value }
      }
    }
  }

  /// Separates the transforms of the sixteen rows and transposes them, so that lanes are columns.
  private func split(
    _ values: ContiguousArray<FourierTransform.Lanes>, rows: Int,
    into half: inout ContiguousArray<FourierTransform.Lanes>
  ) {
    let blocks = columns / 8
    let source = values.span
    var target = half.mutableSpan
    for block in 0..<blocks {
      var first = SIMD8Transpose()
      var second = SIMD8Transpose()
      for lane in 0..<8 {
        let column = block * 8 + lane
        let (z, m) = (source[column], source[column == 0 ? 0 : size - column])
        first.set(lane, FourierTransform.Lanes(re: (z.re + m.re) * 0.5, im: (z.im - m.im) * 0.5))
        second.set(lane, FourierTransform.Lanes(re: (z.im + m.im) * 0.5, im: (m.re - z.re) * 0.5))
      }
      for row in 0..<8 {
        target[(rows + row) * blocks + block] = first.column(row)
        target[(rows + 8 + row) * blocks + block] = second.column(row)
      }
    }
  }

  private func gather(
    _ half: ContiguousArray<FourierTransform.Lanes>, block: Int,
    into values: inout ContiguousArray<FourierTransform.Lanes>
  ) {
    let blocks = columns / 8
    let source = half.span
    var target = values.mutableSpan
    for row in 0..<size { target[row] = source[row * blocks + block] }
  }

  /// Stores the squared magnitudes of eight columns.
  private func store(
    _ values: ContiguousArray<FourierTransform.Lanes>, block: Int, into power: inout ContiguousArray<Float>
  ) {
    let source = values.span
    var target = power.mutableSpan
    for row in 0..<size {
      let value = source[row]
      let square = value.re * value.re + value.im * value.im
      let at = row * columns + block * 8
      for lane in 0..<8 { target[at + lane] = square[lane] }
    }
  }

  /// Returns ln(power · scale + 0.05); the logarithm uses the exponent and a polynomial of the mantissa, so that
  /// the loop compiles to vector instructions; error below 2e-5.
  private static func logarithm(
    of power: ContiguousArray<Float>, scale: Float, into target: inout ContiguousArray<Float>
  ) {
    let source = power.span
    var target = target.mutableSpan
    for index in source.indices {
      let bits = (source[index] * scale + 0.05).bitPattern
      let exponent = Float(Int32(truncatingIfNeeded: bits >> 23) - 127)
      let m = Float(bitPattern: bits & 0x7F_FFFF | 0x3F80_0000) - 1
      // ln(1 + m) on 0…1, Abramowitz and Stegun 4.1.43.
      let series =
        m * (0.999_495_56 + m * (-0.491_908_96 + m * (0.289_474_78 + m * (-0.136_062_75 + m * 0.032_158_45))))
      target[index] = exponent * 0.693_147_18 + series
    }
  }
}

/// An 8 × 8 transpose: eight vectors of eight, written by row and read by column.
private struct SIMD8Transpose {
  private var rows = (
    FourierTransform.Lanes.zero, FourierTransform.Lanes.zero, FourierTransform.Lanes.zero,
    FourierTransform.Lanes.zero, FourierTransform.Lanes.zero, FourierTransform.Lanes.zero,
    FourierTransform.Lanes.zero, FourierTransform.Lanes.zero
  )

  @inline(__always)
  mutating func set(_ row: Int, _ value: FourierTransform.Lanes) {
    switch row {
    case 0: rows.0 = value
    case 1: rows.1 = value
    case 2: rows.2 = value
    case 3: rows.3 = value
    case 4: rows.4 = value
    case 5: rows.5 = value
    case 6: rows.6 = value
    default: rows.7 = value
    }
  }

  @inline(__always)
  func column(_ lane: Int) -> FourierTransform.Lanes {
    FourierTransform.Lanes(
      re: SIMD8(
        rows.0.re[lane], rows.1.re[lane], rows.2.re[lane], rows.3.re[lane], rows.4.re[lane], rows.5.re[lane],
        rows.6.re[lane], rows.7.re[lane]),
      im: SIMD8(
        rows.0.im[lane], rows.1.im[lane], rows.2.im[lane], rows.3.im[lane], rows.4.im[lane], rows.5.im[lane],
        rows.6.im[lane], rows.7.im[lane]))
  }
}
