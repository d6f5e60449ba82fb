import ArgumentParser
import Foundation
import MienCodecs
import MienScanFormat
import MienReconstruction
import MienFiles
import MienImaging
import MienScanFiles
import MienScanPipeline

/// `mien scan reconstruct`: reconstructs a surface in meters from a scan.
struct ScanReconstructCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reconstruct", abstract: "Reconstruct a 3D surface from a scan.",
    discussion: """
      Filters the depth maps, refines the camera's path against the surface, and fuses the maps; without poses, the path is \
      computed from depth alone. Several inputs are processed one after the other into a folder. Output is written only \
      when a surface is complete, so the command can be interrupted at any time.

      Exit status: 0 all surfaces written, 2 a surface was not written, 64 usage error.
      """)

  @Argument(help: "Scans: files or folders, as mien scan info reads them.", completion: .file())
  var inputs: [String]
  @OptionGroup var hints: ScanInput
  @Option(name: .shortAndLong, help: "Output file, or a folder for several inputs.", completion: .file())
  var output: String
  @Option(help: "Voxel size, such as 2mm (default: chosen by distance, 2 to 10 mm, coarser for a large scene).")
  var voxel: LengthArgument?
  @Option(
    help: "\(Self.names); by default from the output's extension.", transform: { try Self.format(named: $0) })
  var format: MeshFormat?
  @Flag(name: .customLong("no-refine"), help: "Use the device's poses without refinement.")
  var takesPoses = false
  @Flag(name: .customLong("no-loops"), help: "Disable loop closure.")
  var leavesLoops = false
  @Option(help: "Depth range to use in meters, such as 0.2-1.5.")
  var range: DistanceRange?
  @Option(help: "Minimum sample confidence: 0, 1, or 2.")
  var confidence: UInt8 = 2
  @Option(help: "Maximum number of triangles; flat areas are simplified first.")
  var triangles: Int?
  @Flag(inversion: .prefixedNo, help: "Texture the surface with images whose cameras are known (glb, obj, usdz).")
  var texture = true
  @Option(name: .customLong("texture-size"), help: "Maximum texture width and height in pixels: 64 to 8192.")
  var textureSize = 4096
  @Option(help: "Also write a point cloud (PLY) next to the output, one point per cube of this size.")
  var cloud: LengthArgument?
  @Option(help: "Also write an image of what the cameras faced (PNG).", completion: .file())
  var image: String?
  @Flag(help: "Overwrite files next to an OBJ that another program wrote.")
  var force = false
  @Flag(help: "Print the report as one JSON object per input.")
  var json = false

  func validate() throws {
    if confidence > 2 { throw ValidationError("--confidence is 0, 1 or 2.") }
    if let voxel, !(0.0005...0.1).contains(voxel.meters) { throw ValidationError("--voxel is 0.5mm to 10cm.") }
    if let triangles, triangles < 4 { throw ValidationError("--triangles is at least 4.") }
    if !(64...8192).contains(textureSize) { throw ValidationError("--texture-size is 64 to 8192.") }
    if inputs.isEmpty { throw ValidationError("Name a scan.") }
    if inputs.count == 1, format == nil, Self.format(of: output) == nil {
      throw ValidationError("Give --format, or end the output's name in one of \(Self.names).")
    }
  }

  private static let names = MeshFormat.allCases.map(\.rawValue).joined(separator: ", ")

  private static func format(named name: String) throws -> MeshFormat {
    guard let format = MeshFormat(rawValue: name) else { throw ValidationError("--format is one of \(names).") }
    return format
  }

  static func format(of path: String) -> MeshFormat? {
    MeshFormat(rawValue: URL(fileURLWithPath: path).pathExtension.lowercased())
  }

  func run() async throws {
    try await Terminal.reporting {
      for input in inputs {
        do {
          try await reconstruct(input)
        } catch let error as ReconstructionError {
          throw OperationError("\(input): \(error.reason)")
        } catch let error as ScanError {
          throw OperationError("\(input): \(error.description)")
        }
      }
    }
  }

  private func reconstruct(_ input: String) async throws {
    try await hints.open(input) { try await reconstruct($0, of: input) }
  }

  private func reconstruct(_ scan: ScanImporter, of input: String) async throws {
    var options = ReconstructionRun.Options()
    options.voxel = voxel?.meters
    options.range = range?.meters
    options.confidence = confidence
    options.refinesPoses = !takesPoses
    options.closesLoops = !leavesLoops
    let work = ReconstructionRun(scan, options) { Terminal.note("\(input): \($0)") }
    var progress = Terminal.Progress()
    var made = try await work.make { _, done, total in progress.show(done, of: total, what: "of \(input)") }
    for remark in made.remarks { Terminal.note("\(input): \(remark.words)") }
    if let triangles { made.mesh = made.mesh.decimated(to: triangles) }
    let chosen = format ?? Self.format(of: output) ?? .ply
    let isTextured = texture && (chosen.carriesTexture || image != nil)
    var (mesh, skin) = try await work.colored(made, textureSize: isTextured ? textureSize : nil)
    var subject = image == nil ? nil : try Self.subject(of: scan, at: made.poses)
    if scan.header.world == .zUp {
      mesh = mesh.rotatedToYUp()
      subject = subject?.rotatedToYUp()
    }
    let target = place(of: input, as: chosen)
    try write(mesh, skin, to: target, as: chosen)
    if let cloud {
      try OutputFile.write(PointCloud(mesh).sampledDown(voxel: cloud.meters).ply, to: target + ".points.ply")
    }
    if let image { try draw(mesh, skin?.texture, of: subject, to: image) }
    try Terminal.say(
      json
        ? made.report.json(of: mesh, skin?.texture, voxel: made.voxel)
        : made.report.words(of: mesh, skin?.texture, voxel: made.voxel))
  }

  /// Writes a mesh; an OBJ with its material library and texture, which are named after it.
  private func write(_ mesh: SurfaceMesh, _ skin: EncodedTexture?, to target: String, as format: MeshFormat) throws {
    guard format == .obj else {
      return try OutputFile.write(try format.bytes(of: mesh, texture: skin), to: target)
    }
    let url = URL(fileURLWithPath: target)
    let files = OBJFiles(stem: url.deletingPathExtension().lastPathComponent)
    let folder = url.deletingLastPathComponent().path
    let library = "\(folder)/\(files.materialsName)"
    let image = "\(folder)/\(files.textureName)"
    if !force {
      let existing = FileManager.default.contents(atPath: library).map { String(decoding: $0, as: UTF8.self) }
      if let existing, !OBJFiles.isOurs(existing) { throw Self.foreign(library) }
      let isOurs = existing.map { $0.contains(files.textureLine) } ?? false
      if skin != nil, !isOurs, FileManager.default.fileExists(atPath: image) { throw Self.foreign(image) }
    }
    try OutputFile.write(try files.mesh(mesh, skin?.texture), to: target)
    try OutputFile.write(files.materials(isTextured: skin != nil).utf8, to: library)
    if let skin { try OutputFile.write(skin.jpeg, to: image) }
  }

  private static func foreign(_ path: String) -> OperationError {
    OperationError("\(path) is there already and not of an earlier run; name another output, or give --force.")
  }

  private func place(of input: String, as format: MeshFormat) -> String {
    guard inputs.count > 1 else { return output }
    return "\(output)/\(URL(fileURLWithPath: input).deletingPathExtension().lastPathComponent).\(format.rawValue)"
  }

  /// Returns the region that the cameras faced; nil if they faced no common point, as in a room.
  private static func subject(of scan: ScanImporter, at poses: [CameraPose?]) throws -> SubjectRegion? {
    var inspector = ScanInspector(scan.header, of: .object)
    var frames = ReadableFrames(scan) { _, _ in }
    while let frame = try frames.next() { inspector.see(frame) }
    return inspector.subject(at: poses)
  }

  private func draw(
    _ mesh: SurfaceMesh, _ texture: SurfaceTexture?, of subject: SubjectRegion?, to path: String
  ) throws {
    guard let pose = MeshRenderer.camera(on: mesh, subject, yaw: 25, pitch: 15),
      let frame = MeshRenderer.draw(mesh, texture, from: pose, width: 960, height: 720)
    else { throw OperationError("the mesh cannot be drawn") }
    try OutputFile.write(try PNGEncoder().encode(frame), to: path)
  }
}

/// Range of distances in meters, such as `0.2-1.5`.
struct DistanceRange: ExpressibleByArgument, Hashable {
  let meters: ClosedRange<Float>

  init?(argument: String) {
    let parts = argument.split(separator: "-", omittingEmptySubsequences: false).map { Float($0) }
    guard parts.count == 2, let near = parts[0], let far = parts[1], near >= 0, far.isFinite, near < far else {
      return nil
    }
    meters = near...far
  }
}
