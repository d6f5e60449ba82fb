internal import MienImaging

/// Measures tiles of one size, reusing its storage between tiles.
struct TileMeasurer {
  var luma: SpectrumChannel
  var color: SpectrumChannel
  private var grain = GrainStatistics()
  private let size: Int

  init(size: Int) {
    self.size = size
    luma = SpectrumChannel(size: size)
    color = SpectrumChannel(size: size / 2)
  }

  /// Placeholder for the statistics of a missing spectrum.
  static let none = [Float](repeating: 0, count: SpectrumStatistics.names.count)

  /// Measures a tile of this size.
  mutating func read(_ tile: YCbCrImage, _ extent: TileMeasures.Extent) -> TileMeasurement {
    var spectra = [luma.measure(tile.luma)]
    luma.statistics.measure(spectra[0], extent == .all ? .all : .peaks)
    var values = luma.statistics.values
    let height = luma.highest
    for plane in [tile.blue, tile.red] {
      let isColored = tile.hasColor
      if isColored { spectra.append(color.measure(ChromaTile.make(plane, size: size))) }
      guard extent == .all else { continue }
      if isColored, let spectrum = spectra.last { color.statistics.measure(spectrum) }
      values += isColored ? color.statistics.values : Self.none
    }
    if extent == .all { values += grain.measure(tile.luma, x: 0, y: 0, size: size) }
    return TileMeasurement(tile: tile, values: values, height: height, spectra: spectra)
  }

  /// Adds a spectrum to a sum, which is empty before the first.
  static func add(_ spectrum: ContiguousArray<Float>, to sum: inout ContiguousArray<Float>) {
    guard !sum.isEmpty else { return sum = spectrum }
    let count = sum.count
    let logPower = spectrum.span.extracting(0..<count)
    var sum = sum.mutableSpan
    for index in 0..<count { sum[index] += logPower[index] }
  }
}

/// Color-difference plane of a luma tile, at half the luma resolution whatever the image's chroma subsampling.
enum ChromaTile {
  /// - Parameters:
  ///   - plane: color-difference samples of the tile, at their own resolution.
  ///   - size: side length of the luma tile, in pixels.
  static func make(_ plane: Plane, size: Int) -> Plane {
    let half = size / 2
    // The layout of most JPEGs.
    guard plane.width != half || plane.height != half else { return plane }
    // Luma pixels per sample of the plane.
    let (across, down) = (size / plane.width, size / plane.height)
    var tile = Plane()
    tile.reshape(width: half, height: half)
    let source = plane.samples.span
    tile.writeSamples { target in
      for row in 0..<half {
        let (top, bottom) = (2 * row / down * plane.width, (2 * row + 1) / down * plane.width)
        for column in 0..<half {
          let (left, right) = (2 * column / across, (2 * column + 1) / across)
          let sum =
            UInt32(source[top + left]) + UInt32(source[top + right]) + UInt32(source[bottom + left])
            + UInt32(source[bottom + right])
          target[row * half + column] = UInt8(truncatingIfNeeded: (sum + 2) / 4)
        }
      }
    }
    return tile
  }
}
