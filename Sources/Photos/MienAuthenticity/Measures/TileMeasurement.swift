public import MienImaging

/// What the checks measure in one tile.
///
/// Tiles can be measured by one core while another still reads the rest of their picture (see ``StreamingTileMeasurer``).
public struct TileMeasurement: Sendable {
  /// What was measured.
  let tile: YCbCrImage
  /// Statistics of the tile.
  let values: [Float]
  /// The greatest height of a peak in luma.
  let height: Float
  /// Logarithmic spectra: luma's, and those of the colour differences where there are any.
  let spectra: [ContiguousArray<Float>]
  /// What the texture check needs of the tile; nil when it was not measured with the rest.
  var flat: FlatStatistics.Blocks?

  /// True when these are the measures of the tile, sample for sample.
  func isOf(_ other: YCbCrImage) -> Bool {
    func isSame(_ a: Plane, _ b: Plane) -> Bool { a.width == b.width && a.samples == b.samples }
    return isSame(tile.luma, other.luma) && isSame(tile.blue, other.blue) && isSame(tile.red, other.red)
  }
}

extension TileMeasurement: CustomStringConvertible, CustomReflectable {
  public var description: String { "TileReading(\(tile.width)×\(tile.height))" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Measures tiles as they come, before their picture is whole; used by one thread at a time.
public struct StreamingTileMeasurer {
  private var tools: TileMeasurer?
  private var flat = FlatStatistics()
  private var size = 0

  /// A meter that has measured nothing yet.
  public init() {}

  /// Measures a tile of a ``SampledImage``; nil when it has no size that the checks' tiles have.
  public mutating func read(_ tile: YCbCrImage) -> TileMeasurement? {
    guard tile.width == tile.height, TileGrid.sizes.contains(tile.width) else { return nil }
    if size != tile.width {
      size = tile.width
      tools = TileMeasurer(size: size)
    }
    var reading = tools?.read(tile, .checks)
    reading?.flat = flat.measure(tile.luma)
    return reading
  }
}
