internal import MienImaging

/// The images that accompany the primary one in a HEIC or AVIF file (ISO/IEC 23008-12, section 6.6.2.1).
///
/// Anyone can write them: they are claims, like everything in a file.
public enum EmbeddedImages {
  /// Kind of an embedded image, identified by its URN.
  public enum Kind: String, Hashable, Sendable, CaseIterable {
    case depth
    /// The share of each pixel that belongs to a person, for portrait effects.
    case portraitMatte = "portrait-matte"
    /// The share of each pixel that belongs to skin, hair, teeth, glasses or sky.
    case semanticMatte = "semantic-matte"
    /// The factor by which each pixel is brighter on a display with a high dynamic range.
    case gainMap = "gain-map"
    case transparency
    case other

    init(urn: String) {
      switch urn {
      case "urn:mpeg:hevc:2015:auxid:2", "urn:mpeg:mpegB:cicp:systems:auxiliary:depth": self = .depth
      case "urn:mpeg:hevc:2015:auxid:1", "urn:mpeg:mpegB:cicp:systems:auxiliary:alpha": self = .transparency
      case "urn:com:apple:photo:2018:aux:portraiteffectsmatte": self = .portraitMatte
      case "urn:com:apple:photo:2020:aux:hdrgainmap": self = .gainMap
      default: self = urn.hasPrefix("urn:com:apple:photo:2019:aux:semantic") ? .semanticMatte : .other
      }
    }
  }

  /// Maximum number of embedded images that are examined.
  private static let most = 32
  private static let limits = ImageLimits(pixels: 4096 * 4096)

  /// Returns the kinds of the images embedded in a file, each once; empty for other formats and damaged files. Nothing
  /// is decoded.
  public static func kinds(in bytes: [UInt8]) -> [Kind] {
    var kinds: [Kind] = []
    guard let file = file(bytes) else { return [] }
    for (_, kind) in images(in: file) where !kinds.contains(kind) { kinds.append(kind) }
    return kinds
  }

  /// Decodes the depth map that a phone has embedded; `nil` if there is none, or if the meaning of its values is not
  /// stated.
  ///
  /// - Throws: ``ImageCodecError`` if it is damaged.
  public static func depth(in bytes: [UInt8]) throws(ImageCodecError) -> EmbeddedDepth? {
    guard let file = file(bytes), let id = images(in: file).first(where: { $0.kind == .depth })?.id,
      let scale = HEIFMetadata.xmp(of: id, in: file).flatMap(DepthScale.init)
    else { return nil }
    let picture = try HEIFPicture(id, of: file, limits: limits)
    var frame = Frame()
    try HEIFDecoder.decode(picture, into: &frame)
    return EmbeddedDepth(width: frame.width, height: frame.height, meters: frame.pixels.map { scale.meters($0.red) })
  }

  private static func file(_ bytes: [UInt8]) -> HEIFItems? {
    switch ImageFormat.sniff(bytes) {
    case .heic, .avif: try? HEIFItems(bytes)
    default: nil
    }
  }

  private static func images(in file: HEIFItems) -> [(id: Int, kind: Kind)] {
    let references = file.references.lazy.filter { $0.type == "auxl" && $0.to.contains(file.primary) }
    return references.prefix(most).compactMap { reference in
      guard let item = file.items[reference.from],
        let urn = (try? HEIFProperties(item, of: file))?.auxiliaryKind
      else { return nil }
      return (reference.from, Kind(urn: urn))
    }
  }
}

/// A depth map embedded in an image file, in the orientation of the image as stored.
public struct EmbeddedDepth: Sendable {
  public let width: Int
  public let height: Int
  /// `width * height` depths in row-major order; NaN where nothing was measured. Many phones measure with an unknown
  /// scale factor: relative differences are meaningful, absolute lengths are not.
  public let meters: [Float]
}

extension EmbeddedDepth: CustomStringConvertible, CustomReflectable {
  public var description: String { "EmbeddedDepth(\(width)×\(height))" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// The meaning of a depth map's gray levels, as Apple's phones describe it in XMP (namespaces `pixeldatainfo` and
/// `depthData`).
struct DepthScale {
  private let isDisparity: Bool
  private let levels: ClosedRange<Float>
  /// Values of the first and the last level, in meters or, for a disparity, per meter.
  private let values: ClosedRange<Float>

  /// Returns `nil` if the packet does not say what the levels mean.
  init?(_ packet: String) {
    let packet = Array(packet.utf8)
    func value(_ name: String) -> String? { Self.value(name, in: packet) }
    func number(_ name: String) -> Float? { value(name).flatMap { Float($0) } }
    guard let kind = value("AuxiliaryImageType"), kind == "disparity" || kind == "depth",
      let low = number("FloatMinValue"), let high = number("FloatMaxValue"), low.isFinite, high.isFinite, low < high
    else { return nil }
    isDisparity = kind == "disparity"
    values = low...high
    let (first, last) = (number("IntMinValue") ?? 0, number("IntMaxValue") ?? 255)
    guard first < last, first >= 0, last <= 255 else { return nil }
    levels = first...last
  }

  func meters(_ level: UInt8) -> Float {
    let share = (Float(level) - levels.lowerBound) / (levels.upperBound - levels.lowerBound)
    let value = values.lowerBound + share * (values.upperBound - values.lowerBound)
    guard value > 0 else { return .nan }
    return isDisparity ? 1 / value : value
  }

  /// Returns the value of an element or attribute of at most 32 characters.
  private static func value(_ name: String, in packet: [UInt8]) -> String? {
    guard let place = packet.firstRange(of: Array(name.utf8))?.upperBound else { return nil }
    // `>value<` or `="value"`.
    let rest = packet[place...].drop { [0x3D, 0x3E, 0x22, 0x27].contains($0) }
    let text = rest.prefix(33).prefix { ![0x3C, 0x22, 0x27].contains($0) }
    return text.count <= 32 ? String(decoding: text, as: UTF8.self) : nil
  }
}
