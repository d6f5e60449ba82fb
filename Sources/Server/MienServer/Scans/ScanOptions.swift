internal import MienAPI
internal import MienPlatform
internal import MienScanService

extension ScanRecord.Options {
  /// - Throws: ``ServiceError`` `badValue` for a length out of range.
  init(_ body: CreateScanRequest) throws {
    self.init()
    if let millimeters = body.voxelMillimeters {
      guard let voxel = Self.whole(millimeters * 1000, in: Self.voxels) else {
        throw ServiceError(.badValue, "\"voxel_millimeters\" must be 0.5 to 100.")
      }
      self.voxel = voxel
    }
    guard let ends = body.rangeMillimeters else { return }
    let whole = ends.compactMap { Self.whole($0, in: 0...Self.farthest) }
    guard ends.count == 2, whole.count == 2, whole[0] < whole[1] else {
      throw ServiceError(
        .badValue, "\"range_millimeters\" must be two distances of 0 to \(Self.farthest), the nearer one first.")
    }
    range = whole[0]...whole[1]
  }

  private static func whole(_ value: Double, in range: ClosedRange<Int>) -> Int? {
    guard value.isFinite, let whole = Int(exactly: value.rounded()), range.contains(whole) else { return nil }
    return whole
  }
}
