import MienCore
import Testing

@testable import MienScanFormat
@testable import MienReconstruction

@Suite struct `Depth maps in meters` {
  private let camera = PinholeIntrinsics(fx: 50, fy: 40, cx: 2, cy: 1)

  @Test func `a sample's position has the sign its pixel implies`() throws {
    var meters = ContiguousArray<Float>(repeating: 0, count: 15)
    meters[4] = 2
    meters[12] = 1
    let map = try #require(DepthMap(width: 5, height: 3, meters: meters, intrinsics: camera))
    #expect(map.point(x: 4, y: 0) == SIMD3<Float>(2 * 2.0 / 50, 2 * 1.0 / 40, -2))
    #expect(map.point(x: 2, y: 2) == SIMD3<Float>(0, -1.0 / 40, -1))
    #expect(map.point(x: 0, y: 0) == nil)
    #expect(map.point(x: 5, y: 0) == nil)
    let back = try #require(camera.pixel(of: SIMD3(0.08, 0.05, -2)))
    #expect(abs(back.x - 4) < 1e-5 && abs(back.y) < 1e-5)
    #expect(camera.pixel(of: SIMD3(0, 0, 1)) == nil)
  }

  @Test func `invalid distances are not measurements`() throws {
    let meters: ContiguousArray<Float> = [1, .nan, .infinity, -1]
    let map = try #require(DepthMap(width: 2, height: 2, meters: meters, intrinsics: camera))
    #expect(map.meters == [1, 0, 0, 0])
    #expect(DepthMap(width: 3, height: 2, meters: meters, intrinsics: camera) == nil)
    #expect(
      DepthMap(width: 2, height: 2, meters: meters, intrinsics: PinholeIntrinsics(fx: 0, fy: 1, cx: 0, cy: 0)) == nil)
  }

  @Test func `samples are filtered by range and confidence`() throws {
    let frame = try #require(
      ScanFrame(
        width: 3, height: 1, depth: [400, 500, 9000], confidence: [0, 1, 2], pose: nil, intrinsics: camera, at: .zero))
    let map = try #require(DepthMap(frame, metersPerStep: 0.001, keeping: DepthFilter(leastConfidence: 1)))
    #expect(map.meters == [0, 0.5, 0])
    let all = DepthFilter(range: 0.1...10, leastConfidence: 0)
    #expect(DepthMap(frame, metersPerStep: 0.001, keeping: all)?.validCount == 3)
  }

  @Test func `points floating between two surfaces are removed and the surfaces are kept`() throws {
    let (width, height) = (20, 12)
    var meters = ContiguousArray<Float>(repeating: 1, count: width * height)
    for y in 0..<height {
      for x in 0..<width {
        // A step from 0.5 m to 1 m with one column of mixed pixels, and an isolated outlier.
        if x < 9 { meters[y * width + x] = 0.5 }
        if x == 9 { meters[y * width + x] = 0.75 }
      }
    }
    meters[5 * width + 15] = 0.6
    var map = try #require(DepthMap(width: width, height: height, meters: meters, intrinsics: camera))
    map.dropEdges(DepthFilter())
    for y in 1..<(height - 1) {
      #expect(map.meters[y * width + 9] == 0)
      #expect(map.meters[y * width + 4] == 0.5)
      #expect(map.meters[y * width + 12] == 1)
    }
    #expect(map.meters[5 * width + 15] == 0)
  }

  @Test func `a bar of two pixels in front of a wall is kept, and the pixels mixed of both are removed`() throws {
    let (width, height) = (20, 12)
    var meters = ContiguousArray<Float>(repeating: 1, count: width * height)
    for y in 0..<height {
      meters[y * width + 8] = 0.75
      for x in 9...10 { meters[y * width + x] = 0.5 }
      meters[y * width + 11] = 0.75
    }
    var map = try #require(DepthMap(width: width, height: height, meters: meters, intrinsics: camera))
    var filter = DepthFilter()
    filter.outliersAllowedInFront = 5
    map.dropEdges(filter)
    for y in 1..<(height - 1) {
      let row = (7...12).map { map.meters[y * width + $0] }
      #expect(row == [0, 0, 0.5, 0.5, 0, 0])
    }
    // A filter without the exception removes the bar.
    var without = try #require(DepthMap(width: width, height: height, meters: meters, intrinsics: camera))
    without.dropEdges(DepthFilter())
    #expect(without.meters[5 * width + 9] == 0)
  }
}
