// Fusion of depth maps of a synthetic head: time per frame and for the mesh, and the mesh's distance from the head.
//
//   FusionBenchmark scene FILE      writes 300 depth maps of 256×192 with poses (see Recording) for this and the peer
//   FusionBenchmark fuse FILE       60 of them with their true poses, at 4 mm and 2 mm: one JSON object per line
//   FusionBenchmark scan FILE       all 300: poses refined (with and without loop closure), given, and missing
//   FusionBenchmark error POINTS    distance of points (three 32-bit floats each) from the head

import Foundation
import MienScanFormat
import MienReconstruction
import MienCore

let arguments = CommandLine.arguments
guard arguments.count == 3 else {
  FileHandle.standardError.write(Data("FusionBenchmark scene|fuse|scan|error FILE\n".utf8))
  exit(64)
}
let path = arguments[2]

switch arguments[1] {
case "scene": try Recording.write(to: path)
case "fuse":
  let recording = try Recording(path)
  let frames = (0..<60).map { recording.frame($0 * 5) }
  for voxel in [Float(0.004), 0.002] { try fuse(frames, voxel: voxel) }
case "scan":
  let recording = try Recording(path)
  let frames = (0..<Recording.count).map { recording.frame($0) }
  for way in ["refined", "unclosed", "given", "none"] { try scan(frames, poses: way) }
case "error":
  let points = Recording.floats(try Data(contentsOf: URL(fileURLWithPath: path)))
  var positions: [SIMD3<Float>] = []
  for at in stride(from: 0, to: points.count - 2, by: 3) {
    positions.append(SIMD3(points[at], points[at + 1], points[at + 2]))
  }
  print("{\(distances(positions, from: .identity))}")
default: exit(64)
}

func milliseconds(_ work: () throws -> Void) rethrows -> Double {
  let clock = ContinuousClock()
  let start = clock.now
  try work()
  return (clock.now - start) / .milliseconds(1)
}

func median(_ values: [Double]) -> Double { values.sorted()[values.count / 2] }

func text(_ value: Double) -> String { String(format: "%.3f", value) }

func fuse(_ frames: [(map: DepthMap, pose: CameraPose)], voxel: Float) throws {
  guard var volume = VoxelVolume(voxel: voxel) else { return }
  let times = try frames.map { frame in try milliseconds { try volume.fuse(frame.map, from: frame.pose) } }
  var mesh = SurfaceMesh()
  let extraction = try (0..<7).map { _ in try milliseconds { mesh = try volume.surface() } }
  print(
    "{\"voxel_mm\":\(text(Double(voxel) * 1000)),\"frame_ms\":\(text(median(times))),"
      + "\"mesh_ms\":\(text(median(extraction))),\"triangles\":\(mesh.triangles.count),"
      + "\(distances(Array(mesh.positions), from: .identity))}")
}

func scan(_ frames: [(map: DepthMap, pose: CameraPose)], poses: String) throws {
  var settings = ReconstructionSettings(voxel: 0.002)
  settings.refinesPoses = poses != "given"
  settings.closesLoops = poses != "unclosed"
  let header = ScanHeader(
    device: "synthetic", sensor: .trueDepth, width: 256, height: 192, micrometersPerStep: 100, world: .yUp,
    clock: .start)
  guard let header, var maker = Reconstructor(header, settings: settings) else { return }
  var mesh = SurfaceMesh()
  let time = try milliseconds {
    for frame in frames { try maker.add(frame.map, from: poses == "none" ? nil : frame.pose) }
    _ = maker.closeLoops()
    while try maker.fuseAgain() {}
    mesh = try maker.surface().mesh
  }
  // Without poses, the first camera defines the origin.
  let first = poses == "none" ? frames[0].pose : .identity
  print(
    "{\"poses\":\"\(poses)\",\"scan_ms\":\(text(time)),\"triangles\":\(mesh.triangles.count),"
      + "\(distances(Array(mesh.positions), from: first))}")
}

func distances(_ positions: [SIMD3<Float>], from pose: CameraPose) -> String {
  let off = positions.map { abs(Double(HeadScene.distance(pose.world($0)))) * 1000 }.sorted()
  guard let worst = off.last else { return "\"mean_mm\":null" }
  return "\"mean_mm\":\(text(off.reduce(0, +) / Double(off.count))),\"p95_mm\":\(text(off[off.count * 95 / 100])),"
    + "\"max_mm\":\(text(worst))"
}
