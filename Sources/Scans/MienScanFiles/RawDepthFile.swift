internal import Foundation
internal import MienScanFormat
internal import MienReconstruction
internal import MienCore

/// Reads a raw `depth_scan.bin`: concatenated depth maps without a header, optionally next to a `metadata.json`.
///
/// It is read if the sender specifies the size and type of its samples, or if exactly one plausible layout matches its
/// length (and the number of frames in the metadata). Otherwise it is rejected with a list of the matching layouts. The
/// intrinsics are typical values of the sensor, because the format does not include them; there are no poses.
public struct RawDepthFile: Sendable {
  /// Storage type of a sample.
  public enum Samples: String, Sendable, CaseIterable {
    /// Little-endian 16-bit integers in millimeters (or the specified unit).
    case whole16 = "u16"
    /// Little-endian 32-bit floats in meters.
    case float32 = "f32"
    /// Little-endian 16-bit floats in meters.
    case float16 = "f16"

    var bytes: Int { self == .float32 ? 4 : 2 }

    /// - Parameter pixel: name used in metadata: `uint16_mm`, `float32_m` or `float16_m`.
    public init?(pixel: String) {
      switch pixel {
      case "uint16_mm": self = .whole16
      case "float32_m": self = .float32
      case "float16_m": self = .float16
      default: return nil
      }
    }
  }

  let header: ScanHeader
  let count: Int
  let remarks: [ScanDiagnostic]
  private let bytes: any ByteSource
  private let layout: Layout
  /// `true` if the floats are millimeters, which some programs write.
  private let isInMillimeters: Bool
  private let tree: (any FileTree)?
  private let photos: [String]

  private struct Layout: Hashable {
    let width: Int
    let height: Int
    let samples: Samples
    var frameBytes: Int { width * height * samples.bytes }
    var words: String { "\(width)×\(height) \(samples.rawValue)" }
  }

  /// Metadata written by the original application.
  private struct Metadata: Decodable {
    let device: String?
    let photo_count: Int?
    let depth_frame_count: Int?
    let total_depth_bytes: Int?
    let depth_width: Int?
    let depth_height: Int?
    let depth_format: Format?

    /// Format as written next to maps uploaded separately; earlier folders have only the sample type.
    struct Format: Decodable {
      let width: Int?
      let height: Int?
      let samples: Samples?

      private enum CodingKeys: String, CodingKey { case width, height, pixel }

      init(from decoder: any Decoder) throws {
        if let name = try? decoder.singleValueContainer().decode(String.self) {
          (width, height, samples) = (nil, nil, Samples(rawValue: name))
          return
        }
        let object = try decoder.container(keyedBy: CodingKeys.self)
        width = try object.decodeIfPresent(Int.self, forKey: .width)
        height = try object.decodeIfPresent(Int.self, forKey: .height)
        samples = try object.decodeIfPresent(String.self, forKey: .pixel).map { pixel in
          guard let samples = Samples(pixel: pixel) else {
            throw DecodingError.dataCorruptedError(forKey: .pixel, in: object, debugDescription: "no such samples")
          }
          return samples
        }
      }
    }
  }

  static func recognizes(_ tree: any FileTree) -> Bool { tree.has("depth_scan.bin") }

  /// Reads a folder with `depth_scan.bin`, `metadata.json` and the photos.
  init(folder: any FileTree, _ hints: ScanImporter.Hints) throws(ScanError) {
    var hints = hints
    var device = ""
    var diagnostics: [ScanDiagnostic] = []
    if folder.has("metadata.json") {
      let bytes = try folder.bytes("metadata.json", limit: 1 << 20)
      guard let metadata = try? JSONDecoder().decode(Metadata.self, from: Data(bytes)) else {
        throw ScanError(.damaged, "metadata.json does not have the expected form (Documentation/guides/Scans.md)")
      }
      device = String(metadata.device?.prefix(50) ?? "")
      if hints.frameCount == nil { hints.frameCount = metadata.depth_frame_count }
      if hints.byteCount == nil { hints.byteCount = metadata.total_depth_bytes }
      let format = metadata.depth_format
      if hints.size == nil, let width = format?.width ?? metadata.depth_width,
        let height = format?.height ?? metadata.depth_height
      {
        hints.size = (width, height)
      }
      if hints.samples == nil { hints.samples = format?.samples }
      if let photos = metadata.photo_count, photos != 3 {
        diagnostics.append(ScanDiagnostic(.notePhotosNotThree, ["announced": "\(photos)"]))
      }
    }
    let images = folder.names.filter { name in
      [".jpg", ".jpeg", ".png"].contains { name.lowercased().hasSuffix($0) }
    }
    // Photos next to the depth file or, if there are none, those in subfolders.
    let beside = images.filter { !$0.contains("/") }
    let photos = beside.isEmpty ? images : beside
    try self.init(
      try folder.pieces("depth_scan.bin", limit: 1 << 30), hints, device: device, remarks: diagnostics, tree: folder,
      photos: photos)
  }

  init(_ bytes: [UInt8], _ hints: ScanImporter.Hints) throws(ScanError) {
    try self.init(InMemoryByteSource(bytes), hints)
  }

  init(_ bytes: any ByteSource, _ hints: ScanImporter.Hints) throws(ScanError) {
    try self.init(bytes, hints, device: "", remarks: [], tree: nil, photos: [])
  }

  private init(
    _ bytes: any ByteSource, _ hints: ScanImporter.Hints, device: String, remarks: [ScanDiagnostic],
    tree: (any FileTree)?,
    photos: [String]
  ) throws(ScanError) {
    guard bytes.count > 0 else { throw ScanError(.missing, "depth_scan.bin is empty", byte: 0) }
    if let announced = hints.byteCount, announced != bytes.count {
      throw ScanError(
        .refused, "the metadata announces \(announced) bytes of depth, depth_scan.bin has \(bytes.count)")
    }
    if let frames = hints.frameCount, frames <= 0 || frames > 100_000 {
      throw ScanError(.refused, "the metadata announces \(frames) frames")
    }
    let layout = try Self.layout(bytes.count, hints)
    self.layout = layout
    count = bytes.count / layout.frameBytes
    let micrometers = hints.micrometersPerStep ?? 1000
    guard
      let header = ScanHeader(
        device: device, sensor: layout.width >= 480 ? .trueDepth : .lidar, width: layout.width, height: layout.height,
        micrometersPerStep: micrometers, world: .unleveled, clock: .start)
    else { throw ScanError(.refused, "\(layout.words) is not a supported size or unit") }
    self.header = header
    self.bytes = bytes
    self.tree = tree
    self.photos = photos
    // The map in the middle: the first ones of a recording may be empty.
    let middle = bytes.bytes(at: count / 2 * layout.frameBytes, count: layout.frameBytes)[...]
    isInMillimeters =
      layout.samples != .whole16 && DepthQuantizer.areMillimeters(middle, half: layout.samples == .float16)
    let words = layout.words + (isInMillimeters ? " mm" : "")
    self.remarks = remarks + [ScanDiagnostic(.noteReadAs, ["layout": words]), ScanDiagnostic(.noteUsualCamera)]
  }

  private static let sizes = [
    (256, 192), (192, 256), (320, 240), (240, 320), (640, 480), (480, 640), (768, 576), (960, 720),
  ]

  private static func layout(_ length: Int, _ hints: ScanImporter.Hints) throws(ScanError) -> Layout {
    let sizes = hints.size.map { [$0] } ?? Self.sizes
    guard sizes.allSatisfy({ (1...4096).contains($0.0) && (1...4096).contains($0.1) }) else {
      throw ScanError(.refused, "a map must have 1 to 4096 pixels per side")
    }
    let kinds = hints.samples.map { [$0] } ?? Samples.allCases
    let fitting = sizes.flatMap { size in
      kinds.map { Layout(width: size.0, height: size.1, samples: $0) }
    }.filter { layout in
      length % layout.frameBytes == 0
        && (hints.frameCount.map { length / layout.frameBytes == $0 } ?? (length / layout.frameBytes <= 100_000))
    }
    if let only = fitting.first, fitting.count == 1 { return only }
    guard !fitting.isEmpty else {
      throw ScanError(
        .refused,
        "depth_scan.bin has \(length) bytes"
          + (hints.frameCount.map { " for \($0) frames, \(Double(length) / Double($0)) a frame" } ?? "")
          + (hints.size.map { "; maps of \($0.width)×\($0.height) do not fit that" }
            ?? "; no size and kind of samples fits that"))
    }
    let named = fitting.map { "\($0.words) × \(length / $0.frameBytes) frames" }.joined(separator: ", ")
    throw ScanError(.refused, "depth_scan.bin does not state the size of its maps; it could be \(named)")
  }

  var imageCount: Int { photos.count }

  func frame(at number: Int) throws(ScanError) -> ScanFrame {
    let start = number * layout.frameBytes
    let map = bytes.bytes(at: start, count: layout.frameBytes)[...]
    guard map.count == layout.frameBytes else {
      throw ScanError(.cutShort, "depth_scan.bin can no longer be read", byte: start, frame: number)
    }
    let depth: [UInt16]
    switch layout.samples {
    case .whole16:
      depth = stride(from: map.startIndex, to: map.endIndex, by: 2).map { UInt16(map[$0]) | UInt16(map[$0 + 1]) << 8 }
    case .float32, .float16:
      let floats = DepthQuantizer.floats(map, half: layout.samples == .float16)
      depth = try DepthQuantizer.steps(
        isInMillimeters ? floats.map { $0 / 1000 } : floats, micrometersPerStep: header.micrometersPerStep,
        frame: number)
    }
    // A phone's wide camera covers about 66° with 256 samples; the front camera about 60° with 640.
    let focal = Float(max(layout.width, layout.height)) * (header.sensor == .lidar ? 0.83 : 0.92)
    let intrinsics = PinholeIntrinsics(
      fx: focal, fy: focal, cx: Float(layout.width - 1) / 2, cy: Float(layout.height - 1) / 2)
    return try DepthImageReader.frame(
      header, depth: depth, confidence: nil, pose: nil, intrinsics: intrinsics, seconds: Double(number) / 30,
      number: number)
  }

  func image(at number: Int) throws(ScanError) -> ScanImage {
    guard let tree else { throw ScanError(.missing, "there are no pictures") }
    return try DepthImageReader.image(tree, photos[number], role: .photo, pose: nil, intrinsics: nil, seconds: nil)
  }
}

extension RawDepthFile: ScanSource {}
