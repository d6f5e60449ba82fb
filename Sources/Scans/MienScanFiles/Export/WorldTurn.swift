internal import MienDepth

extension CameraPose {
  /// The same camera in the axes of another world: z up where y was, or y where z was. A world of which nothing is known
  /// stays as it is.
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
