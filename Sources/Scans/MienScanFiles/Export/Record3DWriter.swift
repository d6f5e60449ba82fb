internal import Foundation
internal import MienCodecs
internal import MienScanFormat
internal import MienCore

/// Writes the content of a Record3D archive, or the folder it unpacks to; see ``Record3D``.
///
/// Maps are LZFSE streams of uncompressed blocks, which every LZFSE decoder accepts; an archive compresses them itself.
struct Record3DWriter: ScanFolderWriter {
  let micrometersPerStep = 1000
  let world = WorldAlignment.yUp
  private let header: ScanHeader
  private var poses: [[Double]] = []
  private var cameras: [DoublePrecisionIntrinsics] = []
  private var times: [Double] = []
  private var unposed = 0
  private var places: ImageFrameMatcher
  /// Size of all images, as stored in the metadata; nil until the first image.
  private var imageSize: (width: Double, height: Double)?
  /// Intrinsics of the images in their own pixels, by frame number.
  private var images: [Int: DoublePrecisionIntrinsics] = [:]
  private var skippedImages = 0

  /// Maximum number of frames: the metadata of more would exceed the limits of readers, including ours.
  private static let mostFrames = 60_000

  init(_ header: ScanHeader) {
    self.header = header
    places = ImageFrameMatcher(header)
  }

  var notes: [String] {
    var notes: [String] = []
    if skippedImages > 0 {
      notes.append(
        "\(skippedImages) pictures were left out: the format takes JPEGs of one size that a frame's camera took with it."
      )
    }
    if !images.isEmpty, images.count < times.count {
      notes.append("\(times.count - images.count) frames have no picture; other programs expect one for each.")
    }
    return notes
  }

  mutating func add(
    _ frame: ScanFrame, depth: [UInt16], pose: CameraPose?, number: Int
  ) throws(ScanError) -> [ExportedFile] {
    guard times.count < Self.mostFrames else {
      throw ScanError(.tooMuch, "Record3D's metadata is limited to \(Self.mostFrames) frames", frame: number)
    }
    if let pose {
      let (q, p) = (pose.quaternion, SIMD3<Double>(pose.position))
      poses.append([q.x, q.y, q.z, q.w, p.x, p.y, p.z])
    } else {
      // The app writes zeros for a frame in which the device had lost its position.
      poses.append([Double](repeating: 0, count: 7))
      unposed += 1
    }
    places.add(frame, pose: pose, number: number)
    cameras.append(DoublePrecisionIntrinsics(frame.intrinsics))
    times.append(frame.at.seconds)
    var meters: [UInt8] = []
    meters.reserveCapacity(depth.count * 4)
    for sample in depth {
      let bits = (Float(sample) / 1000).bitPattern
      for shift in [0, 8, 16, 24] as [UInt32] { meters.append(UInt8(truncatingIfNeeded: bits >> shift)) }
    }
    var files = [ExportedFile(name: "rgbd/\(number).depth", bytes: Self.stream(meters))]
    if let levels = frame.confidence {
      files.append(ExportedFile(name: "rgbd/\(number).conf", bytes: Self.stream(levels)))
    }
    return files
  }

  /// Returns one `bvx-` block and the end marker `bvx$`.
  private static func stream(_ bytes: [UInt8]) -> [UInt8] {
    Array("bvx-".utf8) + [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: bytes.count >> $0) } + bytes
      + Array("bvx$".utf8)
  }

  mutating func add(_ image: ScanImage, pose: CameraPose?) -> [ExportedFile] {
    guard ImageFormat.sniff(image.bytes) == .jpeg, let place = places.take(image, pose: pose),
      matchesSize(place.size)
    else {
      skippedImages += 1
      return []
    }
    images[place.number] = place.camera
    return [ExportedFile(name: "rgbd/\(place.number).jpg", bytes: image.bytes)]
  }

  /// Returns `true` if an image has the same size as the others, in whole pixels; the first one defines the size.
  private mutating func matchesSize(_ size: (width: Double, height: Double)) -> Bool {
    guard size.width == size.width.rounded(), size.height == size.height.rounded() else { return false }
    if let imageSize { return imageSize == size }
    imageSize = size
    return true
  }

  private struct Metadata: Encodable {
    let w: Int
    let h: Int
    let dw: Int
    let dh: Int
    let fps: Double
    let K: [Double]
    let poses: [[Double]]?
    let perFrameIntrinsicCoeffs: [[Double]]
    let frameTimestamps: [Double]
  }

  mutating func finish() -> [ExportedFile] {
    // Intrinsics apply to the images; without images, to the maps.
    let size = imageSize ?? header.fineSize
    var scaled: [[Double]] = []
    for (number, camera) in cameras.enumerated() {
      let own = images[number] ?? camera.scaled(from: header.fineSize, to: size)
      scaled.append([own.fx, own.fy, own.cx, own.cy])
    }
    let c = scaled.first ?? [1, 1, 0, 0]
    let span = times.last.map { $0 - times[0] } ?? .zero
    let metadata = Metadata(
      w: Int(size.width), h: Int(size.height), dw: header.width, dh: header.height,
      fps: span > 0 ? Double(times.count - 1) / span : 30, K: [c[0], 0, 0, 0, c[1], 0, c[2], c[3], 1],
      poses: unposed < times.count ? poses : nil, perFrameIntrinsicCoeffs: scaled, frameTimestamps: times)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    // All numbers in a scan are finite, because invalid timestamps, poses and intrinsics are rejected.
    guard let data = try? encoder.encode(metadata) else { return [] }
    return [ExportedFile(name: "metadata", bytes: [UInt8](data))]
  }
}
