internal import Foundation
internal import MienDepth
internal import MienModel

/// The folder that a Record3D archive unpacks to: see ``Record3D`` for what is in it.
///
/// Maps are LZFSE streams of blocks that are not packed, which every reader of LZFSE takes.
struct Record3DWriter: ScanFolderWriter {
  let micrometresPerStep = 1000
  private let header: ScanHeader
  private var poses: [[Double]] = []
  private var cameras: [[Double]] = []
  private var times: [Double] = []
  private var unposed = 0
  private var pictures = 0

  init(_ header: ScanHeader) { self.header = header }

  var notes: [String] {
    var notes: [String] = []
    if unposed > 0, unposed < times.count { notes.append("Poses were left out: \(unposed) frames have none.") }
    if pictures > 0 { notes.append("Pictures were left out: the format has one for each frame.") }
    return notes
  }

  mutating func add(_ frame: ScanFrame, depth: [UInt16], number: Int) -> [ExportedFile] {
    if let pose = frame.pose {
      let (q, p) = (pose.quaternion, SIMD3<Double>(pose.position))
      poses.append([q.x, q.y, q.z, q.w, p.x, p.y, p.z])
    } else {
      unposed += 1
    }
    let c = frame.intrinsics
    cameras.append([Double(c.fx), Double(c.fy), Double(c.cx), Double(c.cy)])
    times.append(frame.at.seconds)
    var metres: [UInt8] = []
    metres.reserveCapacity(depth.count * 4)
    for sample in depth {
      let bits = (Float(sample) / 1000).bitPattern
      for shift in [0, 8, 16, 24] as [UInt32] { metres.append(UInt8(truncatingIfNeeded: bits >> shift)) }
    }
    var files = [ExportedFile(name: "rgbd/\(number).depth", bytes: Self.stream(metres))]
    if let levels = frame.confidence {
      files.append(ExportedFile(name: "rgbd/\(number).conf", bytes: Self.stream(levels)))
    }
    return files
  }

  /// One block `bvx-` and the end `bvx$`.
  private static func stream(_ bytes: [UInt8]) -> [UInt8] {
    Array("bvx-".utf8) + [0, 8, 16, 24].map { UInt8(truncatingIfNeeded: bytes.count >> $0) } + bytes
      + Array("bvx$".utf8)
  }

  mutating func add(_ picture: ScanPicture) -> [ExportedFile] {
    pictures += 1
    return []
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
    let c = cameras.first ?? [1, 1, 0, 0]
    let span = times.last.map { $0 - times[0] } ?? .zero
    let metadata = Metadata(
      w: header.width, h: header.height, dw: header.width, dh: header.height,
      fps: span > 0 ? Double(times.count - 1) / span : 30, K: [c[0], 0, 0, 0, c[1], 0, c[2], c[3], 1],
      poses: unposed == 0 ? poses : nil, perFrameIntrinsicCoeffs: cameras, frameTimestamps: times)
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys]
    // Numbers of a scan are finite: instants, poses and intrinsics are refused otherwise.
    guard let data = try? encoder.encode(metadata) else { return [] }
    return [ExportedFile(name: "metadata", bytes: [UInt8](data))]
  }
}
