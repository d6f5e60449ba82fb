internal import MienImaging

/// A picture of a HEIF file: one coded image or a grid of them, and how to show it.
///
/// Derived pictures other than grids are rejected, as are grids of anything but coded images, so that no picture can
/// refer to itself.
struct HEIFPicture {
  /// Size of the whole, before cropping and turning.
  let width: Int
  let height: Int
  let columns: Int
  let tileWidth: Int
  let tileHeight: Int
  /// Coded images in row-major order; all of the same codec and size.
  let tiles: [HEIFCodedImage]
  /// Content of a box `colr` of type `nclx`; `nil` if the file has none.
  let colors: [UInt8]?
  let transformation: HEIFTransformation

  /// Reads a picture's tables and headers. Nothing is decoded.
  ///
  /// - Throws: ``ImageCodecError``; `tooLarge` above the limits.
  init(_ id: Int, of file: HEIFItems, limits: ImageLimits) throws(ImageCodecError) {
    guard let item = file.items[id] else { throw ImageCodecError(.corrupt, "damaged HEIF: a picture is missing") }
    let own = try HEIFProperties(item, of: file)
    try limits.check(width: own.width, height: own.height)
    (width, height) = (own.width, own.height)
    transformation = own.transformation
    // Overlapping extents must not make the coded data of a picture larger than the file.
    var remainingBytes = file.size
    guard item.type == "grid" else {
      tiles = [try Self.image(item, own, of: file, &remainingBytes)]
      (columns, tileWidth, tileHeight) = (1, own.width, own.height)
      colors = own.colors
      return
    }
    let grid = try Grid(file.data(of: item, most: 64))
    guard (grid.width, grid.height) == (own.width, own.height) else {
      throw ImageCodecError(.corrupt, "damaged HEIF: a grid of two sizes")
    }
    let parts = file.references.first { $0.type == "dimg" && $0.from == id }?.to ?? []
    guard parts.count == grid.columns * grid.rows else {
      throw ImageCodecError(.corrupt, "damaged HEIF: a grid with missing parts")
    }
    var (tiles, colors, size) = ([HEIFCodedImage](), own.colors, (width: 0, height: 0))
    for part in parts {
      guard let item = file.items[part] else {
        throw ImageCodecError(.corrupt, "damaged HEIF: a grid with missing parts")
      }
      let properties = try HEIFProperties(item, of: file)
      if tiles.isEmpty {
        size = (properties.width, properties.height)
        colors = colors ?? properties.colors
        // The tiles cover the whole, and none lies outside.
        guard size.width > 0, size.height > 0, (grid.width - 1) / size.width + 1 == grid.columns,
          (grid.height - 1) / size.height + 1 == grid.rows
        else { throw ImageCodecError(.corrupt, "damaged HEIF: a grid that its parts do not cover") }
        try limits.check(width: size.width, height: size.height)
      }
      guard (properties.width, properties.height) == size, properties.transformation.isNone,
        item.type == tiles.first?.codec.rawValue ?? item.type
      else { throw ImageCodecError(.unsupported, "a HEIF grid of different parts") }
      tiles.append(try Self.image(item, properties, of: file, &remainingBytes))
    }
    self.tiles = tiles
    self.colors = colors
    (columns, tileWidth, tileHeight) = (grid.columns, size.width, size.height)
  }

  private static func image(
    _ item: HEIFItems.Item, _ properties: HEIFProperties, of file: HEIFItems, _ remainingBytes: inout Int
  ) throws(ImageCodecError) -> HEIFCodedImage {
    guard let codec = HEIFCodedImage.Codec(rawValue: item.type) else {
      throw ImageCodecError(.unsupported, "a HEIF picture that is neither HEVC nor AV1")
    }
    guard let configuration = codec == .hevc ? properties.hevc : properties.av1 else {
      throw ImageCodecError(.corrupt, "damaged HEIF: a coded picture without its parameters")
    }
    let data = try file.data(of: item, most: remainingBytes)
    remainingBytes -= data.count
    return try HEIFCodedImage(
      codec: codec, width: properties.width, height: properties.height, configuration: configuration, data: data)
  }

  /// Content of an item of type `grid` (ISO/IEC 23008-12, section 6.6.2.3.2).
  private struct Grid {
    let columns: Int
    let rows: Int
    let width: Int
    let height: Int

    init(_ data: [UInt8]) throws(ImageCodecError) {
      var reader = BoxReader(data, 0..<data.count)
      _ = try reader.number(1)
      let size = try reader.number(1) & 1 == 0 ? 2 : 4
      rows = try reader.number(1) + 1
      columns = try reader.number(1) + 1
      width = try reader.number(size)
      height = try reader.number(size)
      guard width > 0, height > 0 else { throw ImageCodecError(.corrupt, "damaged HEIF: an empty grid") }
    }
  }
}

/// The properties of a HEIF picture that affect its pixels.
struct HEIFProperties {
  private(set) var width = 0
  private(set) var height = 0
  private(set) var hevc: [UInt8]?
  private(set) var av1: [UInt8]?
  private(set) var colors: [UInt8]?
  /// Name of an auxiliary image's kind, a URN.
  private(set) var auxiliaryKind: String?
  private(set) var transformation = HEIFTransformation()

  /// Properties that say nothing about the pixels as they are decoded here.
  private static let harmless: Set = ["pixi", "pasp", "clli", "mdcv", "amve", "a1lx", "rloc", "udes", "altt"]

  /// - Throws: ``ImageCodecError``; `unsupported` for a property without which the picture must not be shown and that is
  ///   not supported here.
  init(_ item: HEIFItems.Item, of file: HEIFItems) throws(ImageCodecError) {
    for (property, isEssential) in try file.properties(of: item) {
      var content = property.content
      switch property.type {
      case "ispe":
        _ = try content.fullBox()
        (width, height) = (try content.number(4), try content.number(4))
      case "hvcC": hevc = Array(content.bytes[content.range])
      case "av1C": av1 = Array(content.bytes[content.range])
      case "colr":
        let isListed = try content.code() == "nclx" && content.range.count >= 7
        if isListed, colors == nil { colors = Array(property.content.bytes[property.content.range].prefix(11)) }
      case "auxC":
        _ = try content.fullBox()
        auxiliaryKind = content.text()
      case "irot", "imir", "clap": try transformation.add(property.type, content, width: width, height: height)
      default:
        guard !isEssential || Self.harmless.contains(property.type) else {
          throw ImageCodecError(.unsupported, "a HEIF picture with the property \"\(property.type.prefix(4))\"")
        }
      }
    }
  }
}
