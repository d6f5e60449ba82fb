public import MienImaging

/// Measurements of one tile.
///
/// One core can measure tiles while another is still decoding the rest of the image (see ``StreamingTileMeasurer``).
public struct TileMeasurement: Sendable {
  /// The measured tile.
  let tile: YCbCrImage
  /// Statistics of the tile.
  let values: [Float]
  /// Greatest height of a luma peak.
  let height: Float
  /// Logarithmic spectra of luma and, if present, of the color differences.
  let spectra: [ContiguousArray<Float>]
  /// Measurements for the texture check; nil if they were not computed.
  var flat: FlatStatistics.Blocks?

  /// Returns `true` if the measurements belong to this tile, compared sample by sample.
  func isOf(_ other: YCbCrImage) -> Bool {
    func isSame(_ a: Plane, _ b: Plane) -> Bool { a.width == b.width && a.samples == b.samples }
    return isSame(tile.luma, other.luma) && isSame(tile.blue, other.blue) && isSame(tile.red, other.red)
  }
}

extension TileMeasurement: CustomStringConvertible, CustomReflectable {
  public var description: String { "TileMeasurement(\(tile.width)×\(tile.height))" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Measures tiles as they arrive, before the image is complete; must not be used by several threads at a time.
public struct StreamingTileMeasurer {
  private var tools: TileMeasurer?
  private var flat = FlatStatistics()
  private var size = 0

  /// Creates a measurer without state.
  public init() {}

  /// Measures a tile of a `SampledImage`; returns nil if its size is not one of the checks' tile sizes.
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
