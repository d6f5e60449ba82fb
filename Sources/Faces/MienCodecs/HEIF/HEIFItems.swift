/// The items of a HEIF file, as its boxes describe them (ISO/IEC 23008-12, ISO/IEC 14496-12 section 8.11).
///
/// Only tables are read, no item's data. Their sizes are limited, because each entry costs time and memory; the limits
/// are far above the sizes in files that phones write.
struct HEIFItems {
  struct Item {
    var type = ""
    /// Media type of an item of type `mime`.
    var contentType = ""
    /// Places of the data: in the file, or in ``HEIFItems/innerData``.
    var extents: [Range<Int>] = []
    var isInner = false
    /// `false` for data in other files and for construction from other items.
    var isReadable = true
    var properties: [(property: Int, isEssential: Bool)] = []
  }

  struct Property {
    let type: String
    let content: BoxReader
  }

  struct Reference {
    let type: String
    let from: Int
    let to: [Int]
  }

  /// Limits on the tables. A photo of 48 megapixels with its depth map and mattes has about 300 items and references.
  private enum Most {
    static let topLevelBoxes = 256
    static let items = 2000
    static let properties = 4000
    static let references = 8000
    static let extents = 8000
    static let associations = 16_000
  }

  private(set) var primary = 0
  private(set) var items: [Int: Item] = [:]
  private(set) var properties: [Property] = []
  private(set) var references: [Reference] = []
  /// The content of the box `idat`.
  private var innerData = 0..<0
  private let bytes: [UInt8]
  private var associations = 0

  /// Reads the tables of `bytes`, which may be the beginning of a file only.
  ///
  /// - Throws: ``ImageCodecError``: `notAImage` if there are no items, `corrupt`, and `tooLarge` above the limits.
  init(_ bytes: [UInt8]) throws(ImageCodecError) {
    self.bytes = bytes
    var file = BoxReader(bytes, 0..<bytes.count)
    var count = 0
    while let box = try file.box(cutting: true) {
      count += 1
      guard count <= Most.topLevelBoxes else { throw Self.tooMany("boxes") }
      guard box.type == "meta" else { continue }
      try readMeta(box.content)
      return
    }
    throw ImageCodecError(.notAImage, "the HEIF file describes no picture")
  }

  /// Number of bytes of the file.
  var size: Int { bytes.count }

  /// Returns the data of an item; at most `most` bytes.
  func data(of item: Item, most: Int) throws(ImageCodecError) -> [UInt8] {
    guard item.isReadable else { throw ImageCodecError(.unsupported, "a HEIF item whose data is elsewhere") }
    var data: [UInt8] = []
    for extent in item.extents {
      let (start, available) = item.isInner ? (innerData.lowerBound, innerData.count) : (0, bytes.count)
      guard extent.upperBound <= available, extent.count <= most - data.count else {
        throw ImageCodecError(.corrupt, "damaged HEIF: an item's data lies outside the file")
      }
      data += bytes[start + extent.lowerBound..<start + extent.upperBound]
    }
    return data
  }

  /// Returns the properties of an item, in the order in which they apply.
  func properties(of item: Item) throws(ImageCodecError) -> [(property: Property, isEssential: Bool)] {
    var found: [(property: Property, isEssential: Bool)] = []
    for association in item.properties {
      guard properties.indices.contains(association.property) else {
        throw ImageCodecError(.corrupt, "damaged HEIF: a property is missing")
      }
      found.append((properties[association.property], association.isEssential))
    }
    return found
  }

  private static func tooMany(_ what: String) -> ImageCodecError {
    ImageCodecError(.tooLarge, "the HEIF file has more \(what) than are read")
  }

  private mutating func readMeta(_ content: BoxReader) throws(ImageCodecError) {
    var meta = content
    _ = try meta.fullBox()
    for (type, content) in try meta.boxes(most: Most.topLevelBoxes) {
      switch type {
      case "hdlr": try readHandler(content)
      case "pitm": try readPrimary(content)
      case "iinf": try readInfos(content)
      case "iloc": try readLocations(content)
      case "iref": try readReferences(content)
      case "iprp": try readProperties(content)
      case "idat": innerData = content.range
      default: break
      }
    }
    guard items[primary] != nil else {
      throw ImageCodecError(.notAImage, "the HEIF file has no primary picture")
    }
  }

  private func readHandler(_ content: BoxReader) throws(ImageCodecError) {
    var content = content
    _ = try content.fullBox()
    _ = try content.number(4)
    guard try content.code() == "pict" else {
      throw ImageCodecError(.notAImage, "the HEIF file describes something other than pictures")
    }
  }

  private mutating func readPrimary(_ content: BoxReader) throws(ImageCodecError) {
    var content = content
    primary = try content.number(content.fullBox().version == 0 ? 2 : 4)
  }

  private mutating func readInfos(_ content: BoxReader) throws(ImageCodecError) {
    var content = content
    let count = try content.number(content.fullBox().version == 0 ? 2 : 4)
    guard count <= Most.items else { throw Self.tooMany("items") }
    for (type, entry) in try content.boxes(most: Most.items) where type == "infe" {
      var entry = entry
      let version = try entry.fullBox().version
      // Earlier versions have no type of item.
      guard version >= 2 else { continue }
      let id = try entry.number(version == 2 ? 2 : 4)
      _ = try entry.number(2)
      let kind = try entry.code()
      _ = entry.text()
      items[id, default: Item()].type = kind
      if kind == "mime" { items[id]?.contentType = entry.text() }
    }
  }

  private mutating func readLocations(_ content: BoxReader) throws(ImageCodecError) {
    var content = content
    let version = try content.fullBox().version
    let (sizes, more) = (try content.number(1), try content.number(1))
    let (offsetSize, lengthSize, baseSize) = (sizes >> 4, sizes & 15, more >> 4)
    let indexSize = version == 0 ? 0 : more & 15
    guard [offsetSize, lengthSize, baseSize, indexSize].allSatisfy({ [0, 4, 8].contains($0) }) else {
      throw ImageCodecError(.corrupt, "damaged HEIF: numbers of an impossible size")
    }
    let count = try content.number(version < 2 ? 2 : 4)
    guard count <= Most.items else { throw Self.tooMany("items") }
    var extents = 0
    for _ in 0..<count {
      let id = try content.number(version < 2 ? 2 : 4)
      let method = version == 0 ? 0 : try content.number(2) & 15
      let file = try content.number(2)
      let base = try content.number(baseSize)
      let number = try content.number(2)
      extents += number
      guard extents <= Most.extents else { throw Self.tooMany("extents") }
      var ranges: [Range<Int>] = []
      for _ in 0..<number {
        _ = try content.number(indexSize)
        let (offset, length) = (try content.number(offsetSize), try content.number(lengthSize))
        let (start, overflow) = base.addingReportingOverflow(offset)
        let (end, overflowAgain) = start.addingReportingOverflow(length)
        guard !overflow, !overflowAgain else { throw BoxReader.cutOff }
        ranges.append(start..<end)
      }
      items[id, default: Item()].extents = ranges
      items[id]?.isInner = method == 1
      items[id]?.isReadable = method <= 1 && file == 0
    }
  }

  private mutating func readReferences(_ content: BoxReader) throws(ImageCodecError) {
    var content = content
    let size = try content.fullBox().version == 0 ? 2 : 4
    var count = 0
    for (type, entry) in try content.boxes(most: Most.references) {
      var entry = entry
      let (from, number) = (try entry.number(size), try entry.number(2))
      count += number
      guard count <= Most.references else { throw Self.tooMany("references") }
      var targets: [Int] = []
      for _ in 0..<number { targets.append(try entry.number(size)) }
      references.append(Reference(type: type, from: from, to: targets))
    }
  }

  private mutating func readProperties(_ content: BoxReader) throws(ImageCodecError) {
    var content = content
    for (type, entry) in try content.boxes(most: Most.topLevelBoxes) {
      var entry = entry
      if type == "ipco" {
        properties = try entry.boxes(most: Most.properties).map { Property(type: $0.type, content: $0.content) }
      } else if type == "ipma" {
        try readAssociations(&entry)
      }
    }
  }

  private mutating func readAssociations(_ content: inout BoxReader) throws(ImageCodecError) {
    let (version, flags) = try content.fullBox()
    let count = try content.number(4)
    guard count <= Most.items else { throw Self.tooMany("items") }
    for _ in 0..<count {
      let id = try content.number(version == 0 ? 2 : 4)
      let number = try content.number(1)
      associations += number
      guard associations <= Most.associations else { throw Self.tooMany("associations") }
      for _ in 0..<number {
        let size = flags & 1 == 0 ? 1 : 2
        let value = try content.number(size)
        let bit = 1 << (8 * size - 1)
        // Property 0 means none; the others are counted from 1.
        guard value & (bit - 1) > 0 else { continue }
        items[id, default: Item()].properties.append((value & (bit - 1) - 1, value & bit != 0))
      }
    }
  }
}
