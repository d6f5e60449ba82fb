internal import MienImaging

/// Bands, rings and sectors of the bins of a spectrum of one size.
struct SpectrumMap: Sendable {
  let size: Int
  var columns: Int { size / 2 }
  /// Per bin, row by row: 0…2 = frequency band for peak detection, 3 = excluded (the axes, and the frequencies of
  /// JPEG's blocks of eight).
  let peakBand: ContiguousArray<UInt8>
  /// Per bin: −∞ where peaks are excluded, 0 elsewhere.
  let peakMask: ContiguousArray<Float>
  /// Per bin: ring of equal frequency (`Self.rings`), or 255 outside all rings.
  let ring: ContiguousArray<UInt8>
  /// Per bin: direction sector, 0…15, plus 16 in the upper band; 255 outside both bands.
  let sector: ContiguousArray<UInt8>
  /// Per position along an axis: `true` at the frequencies of JPEG blocks.
  let isBlockLine: [Bool]

  /// Ring borders, in cycles per pixel.
  static let rings: [Float] = [0.015, 0.03, 0.06, 0.09, 0.125, 0.18, 0.25, 0.32, 0.40, 0.5]
  /// Lower borders of the peak bands, in cycles per pixel.
  static let bands: [Float] = [0.03, 0.1, 0.25]

  /// Cached maps of the tile sizes.
  private static let cached: [Int: SpectrumMap] = Dictionary(
    uniqueKeysWithValues: [32, 64, 128, 256].map { ($0, SpectrumMap(size: $0)) })

  /// Returns the map of a size.
  static func of(size: Int) -> SpectrumMap { cached[size] ?? SpectrumMap(size: size) }

  private init(size: Int) {
    self.size = size
    let (columns, step) = (size / 2, size / 8)
    func isNearBlock(_ k: Int) -> Bool { min(k % step, (step - k % step) % step) <= 1 }
    isBlockLine = (0..<columns).map(isNearBlock)
    var peakBand = ContiguousArray<UInt8>(repeating: 3, count: size * columns)
    var ring = ContiguousArray<UInt8>(repeating: 255, count: size * columns)
    var sector = ring
    for row in 0..<size {
      let signed = row < columns ? row : row - size
      for column in 0..<columns {
        let (fy, fx) = (Float(signed) / Float(size), Float(column) / Float(size))
        let frequency = (fx * fx + fy * fy).squareRoot()
        let at = row * columns + column
        if let found = Self.rings.lastIndex(where: { frequency >= $0 }), found < Self.rings.count - 1 {
          ring[at] = UInt8(found)
        }
        if abs(signed) > 2, column > 2 {
          if frequency >= 0.06, frequency < 0.5 {
            sector[at] = UInt8(Self.sector(fx, fy)) + (frequency < 0.25 ? 0 : 16)
          }
          if !(isNearBlock(abs(signed)) && isNearBlock(column)),
            let band = Self.bands.lastIndex(where: { frequency >= $0 })
          {
            peakBand[at] = UInt8(band)
          }
        }
      }
    }
    // The last column has no neighbor to the right.
    for row in 0..<size { peakBand[(row + 1) * columns - 1] = 3 }
    self.peakBand = peakBand
    peakMask = ContiguousArray(peakBand.map { $0 < 3 ? 0 : -.infinity })
    self.ring = ring
    self.sector = sector
  }

  /// Returns the index of the direction among 16 sectors of the half circle; `x` must not be negative.
  ///
  /// Compares with the tangents of multiples of 180°/16.
  private static func sector(_ x: Float, _ y: Float) -> Int {
    let tangents: [Float] = [0.198_912_37, 0.414_213_56, 0.668_178_64, 1, 1.496_605_76, 2.414_213_56, 5.027_339_49]
    let steep = tangents.count { abs(y) > $0 * x }
    return y >= 0 ? 8 + steep : 7 - steep
  }
}

/// Spectrum and statistics of tiles of one size.
struct SpectrumChannel {
  var spectrum: TileSpectrum
  var statistics: SpectrumStatistics
  let size: Int

  init(size: Int) {
    self.size = size
    spectrum = TileSpectrum(size: size)
    statistics = SpectrumStatistics(map: SpectrumMap.of(size: size))
  }

  /// Highest peak of any band.
  var highest: Float { statistics.peaks.map(\.height).max() ?? -.infinity }

  /// Returns the logarithmic spectrum of a tile.
  mutating func measure(_ tile: Plane) -> ContiguousArray<Float> {
    spectrum.measure(tile, x: 0, y: 0)
    return spectrum.logPower
  }

  /// Converts peaks to cycles per pixel, times `scale`.
  func found(_ peaks: [SpectrumStatistics.Peak], scale: Float, isColor: Bool) -> [TileMeasures.FoundPeak] {
    peaks.map { peak in
      let (row, column) = (peak.bin / (size / 2), peak.bin % (size / 2))
      let signed = row < size / 2 ? row : row - size
      return TileMeasures.FoundPeak(
        x: Float(column) / Float(size) * scale, y: Float(signed) / Float(size) * scale, height: peak.height,
        isColor: isColor)
    }
  }
}
