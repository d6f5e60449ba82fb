@testable import MienCodecs

/// Builds HEIF files of any structure from the coded images of other files.
struct HEIFBuilder {
  struct Item {
    var type: String
    var data: [UInt8]
    /// Properties, counted from 1.
    var properties: [UInt8] = []
    var contentType = ""
  }

  var brand = "heic"
  var primary = 1
  /// Items with the numbers 1, 2 and so on.
  var items: [Item] = []
  /// Boxes.
  var properties: [[UInt8]] = []
  var references: [(type: String, from: Int, to: [Int])] = []

  static func box(_ type: String, _ content: [UInt8]...) -> [UInt8] {
    PNGWriter.number(8 + content.reduce(0) { $0 + $1.count }) + Array(type.utf8) + content.joined()
  }

  static func two(_ number: Int) -> [UInt8] { [UInt8(number >> 8 & 255), UInt8(number & 255)] }

  static func size(_ width: Int, _ height: Int) -> [UInt8] {
    box("ispe", [0, 0, 0, 0], PNGWriter.number(width), PNGWriter.number(height))
  }

  /// Returns the coded data and the configuration box of a file's only image.
  static func coded(_ file: [UInt8]) throws -> (data: [UInt8], configuration: [UInt8]) {
    let items = try HEIFItems(file)
    // The primary item must not be a grid, which heif-enc writes for sides that are no multiples of 8.
    guard let item = items.items[items.primary], item.type != "grid",
      let box = items.properties.first(where: { ["hvcC", "av1C"].contains($0.type) })
    else { throw BoxReader.cutOff }
    return (
      try items.data(of: item, most: file.count), Self.box(box.type, Array(box.content.bytes[box.content.range]))
    )
  }

  func file() -> [UInt8] {
    let infos = items.enumerated().map { index, item in
      Self.box(
        "infe", [2, 0, 0, 0], Self.two(index + 1), [0, 0], Array(item.type.utf8), [0],
        item.type == "mime" ? Array(item.contentType.utf8) + [0] : [])
    }
    let associations = items.enumerated().map { index, item in
      Self.two(index + 1) + [UInt8(item.properties.count)] + item.properties
    }
    let links = references.map { reference in
      let targets = reference.to.flatMap(Self.two)
      return Self.box(reference.type, Self.two(reference.from), Self.two(reference.to.count), targets)
    }
    func file(dataStart: Int) -> [UInt8] {
      var offset = dataStart
      var locations: [UInt8] = []
      for (index, item) in items.enumerated() {
        locations += Self.two(index + 1) + [0, 0, 0, 1] + PNGWriter.number(offset) + PNGWriter.number(item.data.count)
        offset += item.data.count
      }
      return Self.box("ftyp", Array(brand.utf8), [0, 0, 0, 0], Array("mif1".utf8), Array(brand.utf8))
        + Self.box(
          "meta", [0, 0, 0, 0],
          Self.box("hdlr", [0, 0, 0, 0, 0, 0, 0, 0], Array("pict".utf8), [UInt8](repeating: 0, count: 13)),
          Self.box("pitm", [0, 0, 0, 0], Self.two(primary)),
          Self.box("iinf", [0, 0, 0, 0], Self.two(items.count), Array(infos.joined())),
          Self.box("iref", [0, 0, 0, 0], Array(links.joined())),
          Self.box(
            "iprp", Self.box("ipco", Array(properties.joined())),
            Self.box("ipma", [0, 0, 0, 0], PNGWriter.number(items.count), Array(associations.joined()))),
          Self.box("iloc", [0, 0, 0, 0, 0x44, 0], Self.two(items.count), locations))
    }
    return file(dataStart: file(dataStart: 0).count + 8) + Self.box("mdat", Array(items.map(\.data).joined()))
  }

  /// Returns a builder of one coded image with the size and the configuration of ``DrawnPhotos/heic``.
  static func single() throws -> HEIFBuilder {
    let coded = try coded(DrawnPhotos.heic)
    var builder = HEIFBuilder()
    builder.properties = [size(96, 64), coded.configuration]
    builder.items = [Item(type: "hvc1", data: coded.data, properties: [1, 0x82])]
    return builder
  }

  /// Returns a builder of a grid of the same coded image, as phones write it: tiles first, then the grid, which is
  /// primary.
  static func grid(columns: Int, rows: Int, width: Int, height: Int) throws -> HEIFBuilder {
    var builder = try single()
    let tile = builder.items[0]
    let count = columns * rows
    builder.items = Array(repeating: tile, count: count)
    builder.properties.append(size(width, height))
    builder.items.append(
      Item(
        type: "grid", data: [0, 0, UInt8(rows - 1), UInt8(columns - 1)] + two(width) + two(height), properties: [3]))
    builder.primary = count + 1
    builder.references = [("dimg", count + 1, Array(1...count))]
    return builder
  }

  /// Adds a depth map as an iPhone does: gray levels, whose meaning is in XMP.
  mutating func addDepth(_ packet: String) throws {
    let coded = try Self.coded(DrawnPhotos.heicDepth)
    properties += [coded.configuration, Self.box("auxC", [0, 0, 0, 0], Array("urn:mpeg:hevc:2015:auxid:2".utf8), [0])]
    let configuration = UInt8(properties.count - 1)
    items.append(Item(type: "hvc1", data: coded.data, properties: [1, 0x80 | configuration, 0x80 | configuration + 1]))
    references.append(("auxl", items.count, [primary]))
    let depth = items.count
    items.append(Item(type: "mime", data: Array(packet.utf8), contentType: "application/rdf+xml"))
    references.append(("cdsc", items.count, [depth]))
  }
}
