import Foundation
import MienScanFormat
import MienReconstruction
import MienCore

/// Recording of the synthetic head: `count` × 16 floats (camera to world, row by row, ARKit's axes) and 256 × 192
/// floats (meters, 0 for none), little-endian. Noise of 0.4 mm, slightly correlated between neighbors.
struct Recording {
  static let count = 300
  static let width = 256
  static let height = 192
  static let camera = PinholeIntrinsics(fx: 230, fy: 230, cx: 127.5, cy: 95.5)
  private let numbers: [Float]

  init(_ path: String) throws { numbers = Self.floats(try Data(contentsOf: URL(fileURLWithPath: path))) }

  static func floats(_ data: Data) -> [Float] {
    var floats: [Float] = []
    floats.reserveCapacity(data.count / 4)
    var bits: UInt32 = 0
    for (place, byte) in data.enumerated() {
      bits = bits >> 8 | UInt32(byte) << 24
      if place % 4 == 3 { floats.append(Float(bitPattern: bits)) }
    }
    return floats
  }

  func frame(_ number: Int) -> (map: DepthMap, pose: CameraPose) {
    let start = number * (16 + Self.width * Self.height)
    let depth = ContiguousArray(numbers[(start + 16)..<(start + 16 + Self.width * Self.height)])
    guard let pose = try? CameraPose(rowMajor: Array(numbers[start..<(start + 16)])),
      let map = DepthMap(width: Self.width, height: Self.height, meters: depth, intrinsics: Self.camera)
    else { fatalError("this is not a recording") }
    return (map, pose)
  }

  static func write(to path: String) throws {
    let scene = HeadScene(width: width, height: height, focal: camera.fx)
    var generator = SmoothNoise(seed: 11, width: width, height: height)
    var data = Data()
    for number in 0..<count {
      let pose = HeadScene.pose(number, of: count)
      let map = scene.map(from: pose, noise: 0.0004, &generator)
      for value in pose.rowMajor + Array(map.meters) {
        for byte in 0..<4 { data.append(UInt8(truncatingIfNeeded: value.bitPattern >> (8 * byte))) }
      }
    }
    try data.write(to: URL(fileURLWithPath: path), options: .atomic)
  }
}
