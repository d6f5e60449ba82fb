/// Metadata items of a HEIF file that describe one of its pictures.
enum HEIFMetadata {
  /// Maximum size of an item of metadata.
  private static let mostBytes = 1 << 20

  /// Returns the EXIF block of the primary picture, from the TIFF header on; `nil` if there is none within `bytes`, which
  /// may be the beginning of a file.
  static func exif(in bytes: [UInt8]) -> ArraySlice<UInt8>? {
    do throws(ImageCodecError) {
      let file = try HEIFItems(bytes)
      guard let item = item("Exif", of: file.primary, in: file) else { return nil }
      let data = try file.data(of: item, most: mostBytes)
      // The distance from here to the TIFF header (ISO/IEC 23008-12, section A.2.1).
      var reader = BoxReader(data, 0..<data.count)
      try reader.skip(reader.number(4))
      return data[reader.range]
    } catch {
      return nil
    }
  }

  /// Returns the XMP packet of a picture; `nil` if there is none.
  static func xmp(of picture: Int, in file: HEIFItems) -> String? {
    guard let item = item("mime", of: picture, in: file),
      let data = try? file.data(of: item, most: mostBytes)
    else { return nil }
    return String(decoding: data, as: UTF8.self)
  }

  private static func item(_ type: String, of picture: Int, in file: HEIFItems) -> HEIFItems.Item? {
    for reference in file.references where reference.type == "cdsc" && reference.to.contains(picture) {
      if let item = file.items[reference.from], item.type == type,
        type != "mime" || item.contentType == "application/rdf+xml"
      {
        return item
      }
    }
    return nil
  }
}
