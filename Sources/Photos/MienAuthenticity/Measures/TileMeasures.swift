import MienImaging

/// Measurements of the full-scale tiles of an image.
struct TileMeasures: Sendable {
  /// Scope of the measurements.
  enum Extent {
    /// Values that the checks read: a fraction of the work.
    case checks
    /// All values available to training.
    case all

    /// Names of the entries of ``TileMeasures/values``. Without color, the color values are 0.
    var names: [String] { self == .all ? TileMeasures.names : TileMeasures.checkNames }
  }

  /// Values in the order of the extent's names.
  let values: [Float]
  let grid: TileGrid
  /// Greatest height of a luma peak per tile, in the order of the grid.
  let heights: [Float]
  /// Highest peaks of the tiles' mean spectra, in cycles per pixel of the full image.
  let peaks: [FoundPeak]
  /// Highest separate peaks of the mean luma spectrum, in cycles per pixel; at most 24.
  let distinct: [FoundPeak]
  /// The same for the mean spectra of both color differences.
  let distinctColor: [FoundPeak]
  let hasColor: Bool
  /// Mean luma spectrum of the tiles, in the layout of ``TileSpectrum``.
  let meanSpectrum: ContiguousArray<Float>

  struct FoundPeak: Sendable {
    var x: Float
    var y: Float
    var height: Float
    var isColor: Bool
  }

  private static let channels = ["y", "b", "r"]
  private static let tileNames: [String] =
    channels.flatMap { channel in SpectrumStatistics.names.map { "\(channel).\($0)" } }
    + GrainStatistics.names.map { "y.\($0)" }
  /// Index of the first statistic that is also computed for mean spectra; ring levels are identical there.
  private static let firstPeakName = 8

  private static let wholeNames = channels.flatMap { channel in
    SpectrumStatistics.names.dropFirst(firstPeakName).map { "\(channel).\($0).whole" }
  }
  private static func summaryNames(_ names: [String]) -> [String] {
    names.flatMap { name in ["mean", "most", "least", "spread"].map { "\(name).\($0)" } }
  }

  private static let names = summaryNames(tileNames) + wholeNames
  private static let checkNames =
    summaryNames(SpectrumStatistics.names[SpectrumStatistics.peakNames].map { "y.\($0)" }) + wholeNames

  /// Returns the index among ``values`` of a measurement that the checks read.
  static func index(of name: String) -> Int {
    guard let index = checkNames.firstIndex(of: name) else { preconditionFailure("no check's measure has this name") }
    return index
  }

  /// Measures an image; returns nil if a side is below 64 pixels, or if the image is too elongated.
  ///
  /// - Parameter readings: earlier tile measurements; those of tiles of this image are reused, others are ignored.
  init?(_ image: SampledImage, _ extent: Extent = .checks, readings: [TileMeasurement] = []) {
    guard let grid = TileGrid(width: image.width, height: image.height), image.sampling.tileSize == grid.size,
      image.tiles.count == grid.corners.count
    else { return nil }
    self.grid = grid
    hasColor = image.hasColor
    var tools = TileMeasurer(size: grid.size)
    var (rows, heights): ([[Float]], [Float]) = ([], [])
    var sums = [ContiguousArray<Float>](repeating: [], count: 3)
    for tile in image.tiles {
      let early = extent == .checks ? readings.first { $0.isOf(tile) } : nil
      // Always in tile order, whether reused or not, because floating-point sums depend on the order.
      let reading = early ?? tools.read(tile, extent)
      for (channel, spectrum) in reading.spectra.enumerated() { TileMeasurer.add(spectrum, to: &sums[channel]) }
      heights.append(reading.height)
      rows.append(reading.values)
    }
    self.heights = heights
    var values = Self.summary(of: rows)
    var peaks: [FoundPeak] = []
    var distinct: [FoundPeak] = []
    var distinctColor: [FoundPeak] = []
    for channel in 0..<3 {
      guard !sums[channel].isEmpty else {
        values += TileMeasurer.none.dropFirst(Self.firstPeakName)
        continue
      }
      let count = Float(rows.count)
      for index in sums[channel].indices { sums[channel][index] /= count }
      let scale: Float = channel == 0 ? 1 : 0.5
      if channel == 0 {
        tools.luma.statistics.measure(sums[channel])
        values += tools.luma.statistics.values.dropFirst(Self.firstPeakName)
        peaks += tools.luma.found(tools.luma.statistics.peaks, scale: scale, isColor: false)
        distinct = tools.luma.found(tools.luma.statistics.distinct, scale: scale, isColor: false)
      } else {
        tools.color.statistics.measure(sums[channel])
        values += tools.color.statistics.values.dropFirst(Self.firstPeakName)
        peaks += tools.color.found(tools.color.statistics.peaks, scale: scale, isColor: true)
        distinctColor += tools.color.found(tools.color.statistics.distinct, scale: scale, isColor: true)
      }
    }
    self.distinct = distinct
    self.distinctColor = distinctColor
    meanSpectrum = sums[0]
    self.peaks = peaks.sorted { $0.height > $1.height }
    self.values = values
  }

  /// Returns mean, maximum, minimum and standard deviation over the tiles for each value.
  private static func summary(of rows: [[Float]]) -> [Float] {
    let count = Float(rows.count)
    return rows[0].indices.flatMap { index in
      var (sum, most, least) = (Float(0), -Float.infinity, Float.infinity)
      for row in rows {
        sum += row[index]
        most = max(most, row[index])
        least = min(least, row[index])
      }
      let mean = sum / count
      let variance = rows.reduce(0) { $0 + ($1[index] - mean) * ($1[index] - mean) } / count
      return [mean, most, least, variance.squareRoot()]
    }
  }
}
