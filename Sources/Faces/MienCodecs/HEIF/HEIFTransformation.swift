internal import MienImaging

/// Cropping and turning that a HEIF picture's properties ask for (ISO/IEC 23008-12, sections 6.5.9 to 6.5.12).
///
/// EXIF in the same file repeats the orientation and is ignored for it.
struct HEIFTransformation: Hashable {
  /// The part to be shown, in pixels of the decoded picture; `nil` for all of it.
  private(set) var crop: Crop?
  private(set) var orientation = Orientation.upright

  struct Crop: Hashable {
    let x: Int
    let y: Int
    let width: Int
    let height: Int
  }

  var isNone: Bool { self == HEIFTransformation() }

  /// Adds a property that applies after those before.
  ///
  /// - Throws: ``ImageCodecError`` with `unsupported` if the picture would be cropped after it was turned, which writers
  ///   do not do, and `corrupt` if no pixels are left.
  mutating func add(_ type: String, _ content: BoxReader, width: Int, height: Int) throws(ImageCodecError) {
    var content = content
    switch type {
    case "irot":
      for _ in 0..<(try content.number(1) & 3) { orientation = orientation.turnedLeft }
    case "imir": orientation = try content.number(1) & 1 == 0 ? orientation.flipped : orientation.mirrored
    default:
      guard isNone else { throw ImageCodecError(.unsupported, "a HEIF picture that is cropped after it is turned") }
      crop = try Self.crop(&content, width: width, height: height)
    }
  }

  /// Reads a clean aperture (ISO/IEC 14496-12, section 12.1.4.1): its size and its center's distance from the picture's.
  private static func crop(_ content: inout BoxReader, width: Int, height: Int) throws(ImageCodecError) -> Crop? {
    func fraction(_ content: inout BoxReader) throws(ImageCodecError) -> Double {
      let (above, below) = (try content.signed(), try content.number(4))
      guard below > 0 else { throw ImageCodecError(.corrupt, "damaged HEIF: a fraction without denominator") }
      return Double(above) / Double(below)
    }
    func part(_ length: Double, _ offset: Double, of whole: Int) -> Range<Int>? {
      let start = (Double(whole - 1) / 2 + offset - (length - 1) / 2).rounded()
      guard length >= 1, start >= 0, start + length.rounded(.down) <= Double(whole) else { return nil }
      return Int(start)..<Int(start) + Int(length)
    }
    let (cropWidth, cropHeight) = (try fraction(&content), try fraction(&content))
    let (right, down) = (try fraction(&content), try fraction(&content))
    guard let columns = part(cropWidth, right, of: width), let rows = part(cropHeight, down, of: height) else {
      throw ImageCodecError(.corrupt, "damaged HEIF: a part outside the picture")
    }
    guard columns.count < width || rows.count < height else { return nil }
    return Crop(x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
  }
}

extension Orientation {
  /// The orientation followed by a quarter turn counterclockwise.
  fileprivate var turnedLeft: Orientation {
    switch self {
    case .upright: .quarterLeft
    case .quarterLeft: .upsideDown
    case .upsideDown: .quarterRight
    case .quarterRight: .upright
    case .mirrored: .mirroredQuarterLeft
    case .mirroredQuarterLeft: .mirroredUpsideDown
    case .mirroredUpsideDown: .mirroredQuarterRight
    case .mirroredQuarterRight: .mirrored
    }
  }

  /// The orientation followed by an exchange of left and right.
  fileprivate var mirrored: Orientation {
    switch self {
    case .upright: .mirrored
    case .mirrored: .upright
    case .upsideDown: .mirroredUpsideDown
    case .mirroredUpsideDown: .upsideDown
    case .mirroredQuarterLeft: .quarterRight
    case .quarterRight: .mirroredQuarterLeft
    case .mirroredQuarterRight: .quarterLeft
    case .quarterLeft: .mirroredQuarterRight
    }
  }

  /// The orientation followed by an exchange of top and bottom.
  fileprivate var flipped: Orientation { turnedLeft.turnedLeft.mirrored }
}
