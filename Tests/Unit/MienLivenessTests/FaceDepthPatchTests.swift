import MienCore
import Testing

@testable import MienLiveness

@Suite struct `Face depth patch` {
  @Test func `integer coordinates are sample centers`() throws {
    let lens = PinholeIntrinsics(fx: 100, fy: 100, cx: 50, cy: 49.5)
    let frame = try #require(
      DepthFrame(
        width: 101, height: 100, samples: [UInt16](repeating: 5000, count: 101 * 100), micrometersPerStep: 100,
        intrinsics: lens, face: FaceBox(x: 0, y: 0, width: 1, height: 1), at: .zero))
    let settings = try #require(DepthMeasuringSettings(grid: 30))
    let patch = try #require(FaceDepthPatch(frame, settings))
    for cell in patch.cells {
      let (column, row) = (50 + cell.position.x / 500 * 100, 49.5 + cell.position.y / 500 * 100)
      #expect(abs(column - column.rounded()) < 1e-6 && abs(row - row.rounded()) < 1e-6)
    }
  }
}
