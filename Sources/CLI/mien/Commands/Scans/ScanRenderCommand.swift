import ArgumentParser
import Foundation
import MienCodecs
import MienScanFormat
import MienReconstruction
import MienFiles
import MienImaging
import MienScanFiles
import MienScanPipeline

/// `mien scan render`: renders a scan's depth maps or a mesh to an image.
struct ScanRenderCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render", abstract: "Render a scan's depth maps or a mesh to a PNG.",
    discussion: "Exit status: 0 written, 2 not written, 64 usage error.")

  @Argument(
    help: "A scan, as for mien scan info, or a mesh (.ply written by this program).", completion: .file())
  var input: String
  @OptionGroup var hints: ScanInput
  @Option(name: .shortAndLong, help: "Output PNG.", completion: .file())
  var output: String
  @Option(help: "Scan: render only this frame, starting at 0 (default: up to twelve frames of the scan side by side).")
  var frame: Int?
  @Option(parsing: .unconditional, help: "Mesh: rotate the view to the right by this many degrees.")
  var yaw: Float = 0
  @Option(parsing: .unconditional, help: "Mesh: raise the view by this many degrees.")
  var pitch: Float = 10
  @Option(help: "Mesh: image width in pixels.")
  var width = 960

  func validate() throws {
    if !(16...4000).contains(width) { throw ValidationError("--width is 16 to 4000.") }
    if !(-85...85).contains(pitch) { throw ValidationError("--pitch is -85 to 85.") }
    if !yaw.isFinite { throw ValidationError("--yaw is a number of degrees.") }
    if let frame, frame < 0 { throw ValidationError("--frame counts from 0.") }
  }

  func run() async throws {
    try await Terminal.reporting {
      let isMesh = URL(fileURLWithPath: input).pathExtension.lowercased() == "ply"
      let image = isMesh ? try drawnMesh() : try drawnScan()
      try OutputFile.write(try PNGEncoder().encode(image), to: output)
    }
  }

  private func drawnMesh() throws -> Frame {
    guard let mesh = SurfaceMesh(ply: ContiguousArray(try InputFile.bytes(input))) else {
      throw OperationError("\(input) is no mesh that can be read")
    }
    guard let pose = MeshRenderer.camera(on: mesh, yaw: yaw, pitch: pitch),
      let frame = MeshRenderer.draw(mesh, from: pose, width: width, height: width * 3 / 4)
    else { throw OperationError("\(input) cannot be drawn") }
    return frame
  }

  private func drawnScan() throws -> Frame {
    do {
      let scan = try hints.open(input)
      guard scan.frameCount > 0 else { throw OperationError("\(input) has no frames") }
      if let frame {
        guard frame < scan.frameCount else { throw OperationError("\(input) has frames 0 to \(scan.frameCount - 1)") }
        return MeshRenderer.draw(try scan.frame(at: frame))
      }
      let shown = min(12, scan.frameCount)
      let frames = try (0..<shown).map { MeshRenderer.draw(try scan.frame(at: $0 * scan.frameCount / shown)) }
      return MeshRenderer.sheet(frames, columns: min(4, shown))
    } catch let error as ScanError {
      throw OperationError("\(input): \(error.description)")
    }
  }
}
