import ArgumentParser
import Foundation
import MienCodecs
import MienDepth
import MienImaging

/// `mien scan render`: pictures of a scan's depth and of a surface, to look at without a browser.
struct ScanRender: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "render", abstract: "Draw a scan's depth maps, or a mesh, into a PNG.",
    discussion: "Exit 0 when the picture was written, 2 when it could not be, 64 usage.")

  @Argument(help: "A scan (.mienscan), or a mesh (.ply as this program writes it).", completion: .file())
  var input: String
  @Option(name: .shortAndLong, help: "The PNG to write.", completion: .file())
  var output: String
  @Option(help: "A scan: this frame only, from 0; unless told, up to twelve of the whole scan side by side.")
  var frame: Int?
  @Option(parsing: .unconditional, help: "A mesh: turn the view to the right by so many degrees.")
  var yaw: Float = 0
  @Option(parsing: .unconditional, help: "A mesh: raise the view by so many degrees.")
  var pitch: Float = 10
  @Option(help: "A mesh: width of the picture in pixels.")
  var width = 960

  func validate() throws {
    if !(16...4000).contains(width) { throw ValidationError("--width is 16 to 4000.") }
    if !(-85...85).contains(pitch) { throw ValidationError("--pitch is -85 to 85.") }
    if !yaw.isFinite { throw ValidationError("--yaw is a number of degrees.") }
    if let frame, frame < 0 { throw ValidationError("--frame counts from 0.") }
  }

  func run() async throws {
    try await Terminal.reporting {
      let bytes = try Input.bytes(input)
      let picture = bytes.starts(with: Array("ply".utf8)) ? try drawn(ContiguousArray(bytes)) : try drawn(bytes)
      try Output.write(try PNGEncoder().encode(picture), to: output)
    }
  }

  private func drawn(_ ply: ContiguousArray<UInt8>) throws -> Frame {
    guard let mesh = SurfaceMesh(ply: ply) else { throw ToolError("\(input) is no mesh that can be read") }
    guard let pose = MeshPicture.camera(on: mesh, yaw: yaw, pitch: pitch),
      let frame = MeshPicture.draw(mesh, from: pose, width: width, height: width * 3 / 4)
    else { throw ToolError("\(input) cannot be drawn") }
    return frame
  }

  private func drawn(_ bytes: [UInt8]) throws -> Frame {
    do {
      let scan = try ScanReader(bytes)
      guard scan.count > 0 else { throw ToolError("\(input) has no frames") }
      if let frame {
        guard frame < scan.count else { throw ToolError("\(input) has frames 0 to \(scan.count - 1)") }
        return MeshPicture.draw(try scan.frame(at: frame))
      }
      let shown = min(12, scan.count)
      let frames = try (0..<shown).map { MeshPicture.draw(try scan.frame(at: $0 * scan.count / shown)) }
      return MeshPicture.sheet(frames, columns: min(4, shown))
    } catch let error as ScanError {
      throw ToolError("\(input): \(error.description)")
    }
  }
}
