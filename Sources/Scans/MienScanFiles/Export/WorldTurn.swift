internal import MienScanFormat

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
