internal import MienCore
public import MienScanFormat

/// Converts a scan to the files of another format, frame by frame; ``finish()`` returns the lists of frames.
public struct ScanExporter: Sendable {
  public let header: ScanHeader
  private var writer: any ScanFolderWriter
  private let stepsPerStep: Double
  private let world: WorldAlignment
  /// Number of frames written so far; frames that the format cannot represent do not count.
  public private(set) var frameCount = 0
  private var addedCount = 0
  private var clipped = 0

  public init(_ format: ScanExportFormat, _ header: ScanHeader) {
    self.header = header
    writer =
      switch format {
      case .stray: StrayWriter(header)
      case .tum: TUMWriter(header)
      case .arKitScenes: ARKitScenesWriter(header)
      case .record3D, .record3DArchive: Record3DWriter(header)
      case .scanner3D: Scanner3DWriter(header)
      }
    world = writer.world
    stepsPerStep = Double(header.micrometersPerStep) / Double(writer.micrometersPerStep)
  }

  /// English messages about data that the format cannot represent; complete after ``finish()``.
  public var notes: [String] {
    var notes = writer.notes
    if stepsPerStep != stepsPerStep.rounded() {
      notes.append("Depth was rounded to steps of \(Double(writer.micrometersPerStep) / 1000) mm.")
    }
    if clipped > 0 {
      notes.append("\(clipped) samples are farther away than the format can represent and became holes.")
    }
    return notes
  }

  /// Returns the files of the next frame.
  ///
  /// - Throws: ``ScanError``: `refused` if its size differs from the header's, `tooMuch` if it exceeds the format's
  ///   limit.
  public mutating func add(_ frame: ScanFrame) throws(ScanError) -> [ExportedFile] {
    guard frame.width == header.width, frame.height == header.height else {
      throw ScanError(.refused, "the map does not have the scan's size", frame: addedCount)
    }
    var depth = frame.depth
    if stepsPerStep != 1 {
      for place in depth.indices {
        let steps = (Double(depth[place]) * stepsPerStep).rounded()
        if steps > 65_535 { clipped += 1 }
        depth[place] = steps > 65_535 ? 0 : UInt16(steps)
      }
    }
    let files = try writer.add(frame, depth: depth, pose: standing(frame.pose), number: addedCount)
    addedCount += 1
    if !files.isEmpty { frameCount += 1 }
    return files
  }

  /// Returns the files of an image; none if the format cannot represent it.
  public mutating func add(_ image: ScanImage) -> [ExportedFile] {
    writer.add(image, pose: standing(image.pose))
  }

  /// Returns the files that list the frames.
  public mutating func finish() -> [ExportedFile] { writer.finish() }

  /// Converts a pose to the format's world coordinates.
  private func standing(_ pose: CameraPose?) -> CameraPose? { pose?.standing(from: header.world, to: world) }
}

/// Writes the files of one format.
protocol ScanFolderWriter: Sendable {
  /// Depth resolution of the format.
  var micrometersPerStep: Int { get }
  /// World orientation of the format.
  var world: WorldAlignment { get }
  var notes: [String] { get }
  /// - Parameters:
  ///   - depth: depth of the frame, in the format's steps.
  ///   - pose: pose of the frame, in the format's world coordinates.
  ///   - number: index of the frame in the scan.
  mutating func add(
    _ frame: ScanFrame, depth: [UInt16], pose: CameraPose?, number: Int
  ) throws(ScanError) -> [ExportedFile]
  /// - Parameter pose: pose of the image, in the format's world coordinates.
  mutating func add(_ image: ScanImage, pose: CameraPose?) -> [ExportedFile]
  mutating func finish() -> [ExportedFile]
}

extension CameraPose {
  /// The rotation as a unit quaternion (x, y, z, w) with nonnegative w.
  var quaternion: SIMD4<Double> {
    let (r, u, b) = (SIMD3<Double>(right), SIMD3<Double>(up), SIMD3<Double>(back))
    // Four times the squares of the components; dividing by the largest one is numerically stable.
    let squares = SIMD4(
      1 + r.x - u.y - b.z, 1 - r.x + u.y - b.z, 1 - r.x - u.y + b.z, 1 + r.x + u.y + b.z)
    let raw: SIMD4<Double> =
      switch squares.max() {
      case squares.w: SIMD4(u.z - b.y, b.x - r.z, r.y - u.x, squares.w)
      case squares.x: SIMD4(squares.x, r.y + u.x, b.x + r.z, u.z - b.y)
      case squares.y: SIMD4(r.y + u.x, squares.y, u.z + b.y, b.x - r.z)
      default: SIMD4(b.x + r.z, u.z + b.y, squares.z, r.y - u.x)
      }
    let unit = raw / (raw * raw).sum().squareRoot()
    return unit.w < 0 ? -unit : unit
  }
}

/// Third-party formats for exporting scans.
public enum ScanExportFormat: String, Sendable, CaseIterable {
  /// Folder in the format of Stray Scanner.
  case stray
  /// Folder in the format of the TUM RGB-D benchmark.
  case tum
  /// Folder with one video in the format of the ARKitScenes dataset.
  case arKitScenes = "arkitscenes"
  /// Folder that a Record3D archive unpacks to.
  case record3D = "record3d"
  /// Record3D archive: the files of ``record3D`` in one ZIP archive.
  case record3DArchive = "r3d"
  /// Folder as 3D Scanner App exports it when all data is shared.
  case scanner3D = "3dscannerapp"

  /// `true` if the files belong in one archive (see ``ZipWriter``) rather than in a folder.
  public var isArchive: Bool { self == .record3DArchive }
}

/// A file of an exported scan.
public struct ExportedFile: Sendable {
  /// Path relative to the scan's folder or archive, with `/` as the separator.
  public let name: String
  public let bytes: [UInt8]
}

extension CameraPose {
  /// Returns the same camera in another world orientation, converting between y-up and z-up. A world of unknown
  /// orientation is not converted.
  func standing(from: WorldAlignment, to: WorldAlignment) -> CameraPose? {
    switch (from, to) {
    case (.yUp, .zUp): turned { SIMD3($0.x, -$0.z, $0.y) }
    case (.zUp, .yUp): turned { SIMD3($0.x, $0.z, -$0.y) }
    default: self
    }
  }

  private func turned(_ turn: (SIMD3<Float>) -> SIMD3<Float>) -> CameraPose? {
    try? CameraPose(right: turn(right), up: turn(up), back: turn(back), position: turn(position))
  }
}
