import MienImaging

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
      let isThere = tile.hasColor
      if isThere { spectra.append(color.measure(ChromaTile.make(plane, size: size))) }
      guard extent == .all else { continue }
      if isThere, let spectrum = spectra.last { color.statistics.measure(spectrum) }
      values += isThere ? color.statistics.values : Self.none
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
