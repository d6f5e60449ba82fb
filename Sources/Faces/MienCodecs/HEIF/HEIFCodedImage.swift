internal import MienCore

/// The coded data of one HEIF item, validated so that its decoding cost is known before it reaches a decoder.
struct HEIFCodedImage {
  enum Codec: String {
    case hevc = "hvc1"
    case av1 = "av01"
  }

  let codec: Codec
  let width: Int
  let height: Int
  /// Content of the box `hvcC` or `av1C`.
  let configuration: [UInt8]
  /// The coded picture, as in the file.
  let data: [UInt8]

  /// Maximum number of samples by which a side of a coded picture may exceed its declared size: encoders pad to blocks
  /// of at most 64 samples.
  private static let mostPadding = 128
  /// Maximum number of NAL units in a configuration, and of NAL units or OBUs in a picture.
  private static let mostUnits = 10_000
  /// Maximum number of frames of an AV1 item, which are layers of the same picture.
  private static let mostLayers = 4

  /// - Throws: ``ImageCodecError`` if the picture's own headers claim another size than the file, or more than one
  ///   picture.
  init(
    codec: Codec, width: Int, height: Int, configuration: [UInt8], data: [UInt8]
  ) throws(ImageCodecError) {
    self.codec = codec
    self.width = width
    self.height = height
    self.configuration = configuration
    self.data = data
    switch codec {
    case .hevc: try checkHEVC()
    case .av1: try checkAV1()
    }
  }

  private func check(_ size: CodedSize?) throws(ImageCodecError) {
    guard let size else { throw ImageCodecError(.corrupt, "damaged HEIF: a coded picture has no size") }
    guard (width...width + Self.mostPadding).contains(size.width),
      (height...height + Self.mostPadding).contains(size.height)
    else { throw ImageCodecError(.corrupt, "damaged HEIF: a picture's data has another size than declared") }
  }

  /// Walks the NAL units of configuration and picture (ISO/IEC 14496-15, section 8.3.3.1).
  private func checkHEVC() throws(ImageCodecError) {
    var reader = BoxReader(configuration, 0..<configuration.count)
    try reader.skip(21)
    let lengthSize = try reader.number(1) & 3 + 1
    var sizes = 0
    for _ in 0..<(try reader.number(1)) {
      _ = try reader.number(1)
      for _ in 0..<(try reader.number(2)) {
        let length = try reader.number(2)
        sizes += try checkUnit(&reader, length).isSize ? 1 : 0
      }
    }
    guard sizes > 0 else { throw ImageCodecError(.corrupt, "damaged HEIF: a coded picture has no size") }
    var (units, pictures) = (0, 0)
    var picture = BoxReader(data, 0..<data.count)
    while !picture.isAtEnd {
      units += 1
      guard units <= Self.mostUnits else { throw ImageCodecError(.tooLarge, "a HEIF picture in too many pieces") }
      let length = try picture.number(lengthSize)
      pictures += try checkUnit(&picture, length).isPicture ? 1 : 0
    }
    guard pictures == 1 else { throw ImageCodecError(.corrupt, "damaged HEIF: an item of \(pictures) pictures") }
  }

  /// Skips a NAL unit and returns whether it is a parameter set with a size, or begins a picture.
  private func checkUnit(
    _ reader: inout BoxReader, _ length: Int
  ) throws(ImageCodecError) -> (isSize: Bool, isPicture: Bool) {
    let start = reader.place
    try reader.skip(length)
    guard length >= 3 else { return (false, false) }
    let type = reader.bytes[start] >> 1 & 63
    if type == 33 {
      try check(CodedSize(hevc: reader.bytes[start..<start + length]))
      return (true, false)
    }
    return (false, type < 32 && reader.bytes[start + 2] & 0x80 != 0)
  }

  /// Walks the OBUs of configuration and picture (AV1 specification, section 5.3).
  private func checkAV1() throws(ImageCodecError) {
    var (units, sizes, frames) = (0, 0, 0)
    let header = min(4, configuration.count)..<configuration.count
    for var reader in [BoxReader(configuration, header), BoxReader(data, 0..<data.count)] {
      while !reader.isAtEnd {
        units += 1
        guard units <= Self.mostUnits else { throw ImageCodecError(.tooLarge, "an AVIF picture in too many pieces") }
        let head = try reader.number(1)
        if head & 4 != 0 { try reader.skip(1) }
        let length = head & 2 == 0 ? reader.end - reader.place : try Self.leb128(&reader)
        let start = reader.place
        try reader.skip(length)
        switch head >> 3 & 15 {
        case 1:
          try check(CodedSize(av1: reader.bytes[start..<start + length]))
          sizes += 1
        case 3, 6: frames += 1
        default: break
        }
      }
    }
    guard sizes > 0 else { throw ImageCodecError(.corrupt, "damaged AVIF: a coded picture has no size") }
    guard (1...Self.mostLayers).contains(frames) else {
      throw ImageCodecError(.corrupt, "damaged AVIF: an item of \(frames) pictures")
    }
  }

  private static func leb128(_ reader: inout BoxReader) throws(ImageCodecError) -> Int {
    var value = 0
    for shift in stride(from: 0, to: 35, by: 7) {
      let byte = try reader.number(1)
      value |= (byte & 127) << shift
      if byte < 128 { return value }
    }
    throw BoxReader.cutOff
  }
}

extension HEIFCodedImage {
  /// Returns a HEIF file that contains only this picture: the only data of the original that libheif receives.
  ///
  /// Grids, references, metadata, color profiles and transformations are handled by this project, so libheif's code for
  /// them never runs on untrusted bytes.
  ///
  /// - Parameter colors: content of a box `colr` of type `nclx`; `nil` if the file has none.
  func file(colors: [UInt8]?) -> [UInt8] {
    let brand = codec == .hevc ? "heic" : "avif"
    var properties = Self.box("ispe", [0, 0, 0, 0], Self.number(width), Self.number(height))
    properties += Self.box(codec == .hevc ? "hvcC" : "av1C", configuration)
    if let colors { properties += Self.box("colr", colors) }
    // Associations of item 1 with all properties, of which the configuration is essential.
    let associations: [UInt8] = colors == nil ? [2, 1, 0x82] : [3, 1, 0x82, 3]
    let type = Self.box("ftyp", Array(brand.utf8), Self.number(0), Array("mif1".utf8), Array(brand.utf8))
    let entry = Self.box("infe", [2, 0, 0, 0, 0, 1, 0, 0], Array(codec.rawValue.utf8), [0])
    func file(dataStart: Int) -> [UInt8] {
      type
        + Self.box(
          "meta", [0, 0, 0, 0],
          Self.box("hdlr", [0, 0, 0, 0, 0, 0, 0, 0], Array("pict".utf8), [UInt8](repeating: 0, count: 13)),
          Self.box("pitm", [0, 0, 0, 0, 0, 1]), Self.box("iinf", [0, 0, 0, 0, 0, 1], entry),
          Self.box(
            "iprp", Self.box("ipco", properties),
            Self.box("ipma", [0, 0, 0, 0], Self.number(1), [0, 1], associations)),
          Self.box(
            "iloc", [0, 0, 0, 0, 0x44, 0, 0, 1, 0, 1, 0, 0, 0, 1], Self.number(dataStart), Self.number(data.count)))
    }
    let start = file(dataStart: 0).count + 8
    return file(dataStart: start) + Self.box("mdat", data)
  }

  private static func box(_ type: String, _ parts: [UInt8]...) -> [UInt8] {
    number(8 + parts.reduce(0) { $0 + $1.count }) + Array(type.utf8) + parts.joined()
  }

  private static func number(_ value: Int) -> [UInt8] {
    var bytes: [UInt8] = []
    bytes.append(bigEndian: UInt32(truncatingIfNeeded: value))
    return bytes
  }
}
