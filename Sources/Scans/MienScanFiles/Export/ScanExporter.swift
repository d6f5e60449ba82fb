public import MienDepth
internal import MienCore

/// Turns a scan into the files of another format, frame by frame; the lists of frames come with ``finish()``.
public struct ScanExporter: Sendable {
  public let header: ScanHeader
  private var writer: any ScanFolderWriter
  private let stepsPerStep: Double
  private let world: WorldAlignment
  /// How many frames were written so far; those that the format has no place for do not count.
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

  /// What the format cannot hold of this scan, in words for a person; complete after ``finish()``.
  public var notes: [String] {
    var notes = writer.notes
    if stepsPerStep != stepsPerStep.rounded() {
      notes.append("Depth was rounded to steps of \(Double(writer.micrometersPerStep) / 1000) mm.")
    }
    if clipped > 0 { notes.append("\(clipped) samples lie farther away than the format can say and became holes.") }
    return notes
  }

  /// The files of the next frame.
  ///
  /// - Throws: ``ScanError``: `refused` when its size is not the header's, `tooMuch` when it is one too many for the format.
  public mutating func add(_ frame: ScanFrame) throws(ScanError) -> [ExportedFile] {
    guard frame.width == header.width, frame.height == header.height else {
      throw ScanError(.refused, "the map is not of the scan's size", frame: addedCount)
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

  /// The files of a picture; none where the format has no place for it.
  public mutating func add(_ image: ScanImage) -> [ExportedFile] {
    writer.add(image, pose: standing(image.pose))
  }

  /// The files that list the frames.
  public mutating func finish() -> [ExportedFile] { writer.finish() }

  /// A pose in the format's world.
  private func standing(_ pose: CameraPose?) -> CameraPose? { pose?.standing(from: header.world, to: world) }
}

/// Writes the files of one format.
protocol ScanFolderWriter: Sendable {
  /// What a step of the format's depth is worth.
  var micrometersPerStep: Int { get }
  /// Which way the format's worlds stand.
  var world: WorldAlignment { get }
  var notes: [String] { get }
  /// - Parameters:
  ///   - depth: the frame's, in the format's steps.
  ///   - pose: the frame's, in the format's world.
  ///   - number: which frame of the scan it is.
  mutating func add(
    _ frame: ScanFrame, depth: [UInt16], pose: CameraPose?, number: Int
  ) throws(ScanError) -> [ExportedFile]
  /// - Parameter pose: the picture's, in the format's world.
  mutating func add(_ image: ScanImage, pose: CameraPose?) -> [ExportedFile]
  mutating func finish() -> [ExportedFile]
}

extension CameraPose {
  /// The rotation as a unit quaternion (x, y, z, w), w not negative.
  var quaternion: SIMD4<Double> {
    let (r, u, b) = (SIMD3<Double>(right), SIMD3<Double>(up), SIMD3<Double>(back))
    // Four times the squares of the parts; the largest one is the safe divisor.
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
