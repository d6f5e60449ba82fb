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
  @Option(help: "Voxel size, such as 2mm (default: chosen by distance, 2 to 10 mm).")
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
  @Option(help: "Also write an image of the surface (PNG).", completion: .file())
  var image: String?
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
    let work = ReconstructionRun(
      scan, voxel: voxel?.meters, range: range?.meters, confidence: confidence, refines: !takesPoses,
      closes: !leavesLoops, onSkipped: Terminal.note)
    var progress = Terminal.Progress()
    var (mesh, report, correction) = try work.make { progress.show($0, of: $1, what: "of \(input)") }
    if let triangles { mesh = mesh.decimated(to: triangles) }
    let chosen = format ?? Self.format(of: output) ?? .ply
    let skin: EncodedTexture?
    let isTextured = texture && (chosen.carriesTexture || image != nil)
    (mesh, skin) = try await work.colored(mesh, correction, textureSize: isTextured ? textureSize : nil)
    if scan.header.world == .zUp { mesh = mesh.rotatedToYUp() }
    let target = place(of: input, as: chosen)
    try OutputFile.write(try chosen.bytes(of: mesh, texture: skin), to: target)
    if chosen == .obj {
      let folder = URL(fileURLWithPath: target).deletingLastPathComponent().path
      let materials = skin == nil ? OBJWriter.materials : OBJWriter.texturedMaterials
      try OutputFile.write(materials.utf8, to: "\(folder)/scan.mtl")
      if let skin { try OutputFile.write(skin.jpeg, to: "\(folder)/scan.jpg") }
    }
    if let cloud {
      try OutputFile.write(PointCloud(mesh).sampledDown(voxel: cloud.meters).ply, to: target + ".points.ply")
    }
    if let image { try draw(mesh, skin?.texture, to: image) }
    try Terminal.say(
      json
        ? report.json(of: mesh, skin?.texture, voxel: work.voxel)
        : report.words(of: mesh, skin?.texture, voxel: work.voxel))
  }

  private func place(of input: String, as format: MeshFormat) -> String {
    guard inputs.count > 1 else { return output }
    return "\(output)/\(URL(fileURLWithPath: input).deletingPathExtension().lastPathComponent).\(format.rawValue)"
  }

  private func draw(_ mesh: SurfaceMesh, _ texture: SurfaceTexture?, to path: String) throws {
    guard let pose = MeshRenderer.camera(on: mesh, yaw: 25, pitch: 15),
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
