import MienApple
import MienScanFormat
import MienCore
import Testing

/// Conversion of depth data from Apple's sensors to scan frames.
@Suite struct `Sensor depth adapter` {
  @Test func `meters are converted to whole steps and missing measurements to zero`() {
    #expect(
      DepthAdapter.steps(
        [0.5, 0.0004, 0.0006, 0, -1, .nan, .infinity, 65.535, 65.536, 1e30], step: DepthAdapter.lidarStep)
        == [500, 0, 1, 0, 0, 0, 0, 65_535, 0, 0])
    #expect(DepthAdapter.steps([0.3, 6.5535, 6.6], step: DepthAdapter.trueDepthStep) == [3000, 65_535, 0])
  }

  @Test(
    arguments: [(.middle, 959.5, 719.5), (.corner, 960, 720)] as [(DepthAdapter.PixelOrigin, Float, Float)])
  func `the principal point is preserved when intrinsics are scaled to the map`(
    origin: DepthAdapter.PixelOrigin, x: Float, y: Float
  ) throws {
    let scaled = try #require(
      DepthAdapter.intrinsics(
        ([1440, 0, 0], [0, 1430, 0], [x, y, 1]), from: origin, image: (1920, 1440), map: (256, 192)))
    #expect(scaled == PinholeIntrinsics(fx: 192, fy: 1430 * 192 / 1440, cx: 127.5, cy: 95.5))
    let same = DepthAdapter.intrinsics(
      ([1440, 0, 0], [0, 1430, 0], [961, 722, 1]), from: .middle, image: (1920, 1440), map: (1920, 1440))
    #expect(same == PinholeIntrinsics(fx: 1440, fy: 1430, cx: 961, cy: 722))
  }

  @Test func `invalid camera intrinsics are rejected`() {
    for bad in [(0, 1440), (.nan, 1440), (1920, -1), (.infinity, 1)] as [(Double, Double)] {
      #expect(
        DepthAdapter.intrinsics(([1, 0, 0], [0, 1, 0], [1, 1, 1]), from: .middle, image: bad, map: (256, 192))
          == nil)
    }
    #expect(
      DepthAdapter.intrinsics(
        ([0, 0, 0], [0, 1, 0], [1, 1, 1]), from: .corner, image: (10, 10), map: (10, 10)) == nil)
  }

  @Test func `pose columns are preserved`() throws {
    // Rotated 90° to the left about y, at a height of one meter: the camera looks along the world's −x.
    let pose = try #require(
      DepthAdapter.pose(TransformMatrix([0, 0, -1, 0], [0, 1, 0, 0], [1, 0, 0, 0], [2, 1, 3, 1])))
    #expect(pose.right == [0, 0, -1] && pose.back == [1, 0, 0] && pose.position == [2, 1, 3])
    #expect(pose.world([0, 0, -1]) == [1, 1, 3])
    #expect(pose.rowMajor == [0, 0, 1, 2, 0, 1, 0, 1, -1, 0, 0, 3, 0, 0, 0, 1])
    #expect(DepthAdapter.pose(TransformMatrix(.zero, .zero, .zero, .zero)) == nil)
    #expect(DepthAdapter.pose(TransformMatrix([1, 0, 0, 0], [0, 1, 0, 0], [0, 0, 1, 0], [1e9, 0, 0, 1])) == nil)
  }

  @Test func `a head turning before the camera becomes a camera orbiting the head`() throws {
    // The face is half a meter in front of the camera and looks to its own left, the image's right.
    let face = TransformMatrix([0, 0, -1, 0], [0, 1, 0, 0], [1, 0, 0, 0], [0, 0, -0.5, 1])
    let pose = try #require(DepthAdapter.pose(camera: .identity, aroundFace: face))
    // The nose points along the face's z: the camera is on the face's right and looks at it.
    #expect(pose.position == [-0.5, 0, 0] && pose.back == [-1, 0, 0] && pose.up == [0, 1, 0])
    #expect(pose.world([0, 0, -0.5]) == .zero)
    // The pose of the camera in the world has no influence.
    let capacity = TransformMatrix([0, 1, 0, 0], [-1, 0, 0, 0], [0, 0, 1, 0], [3, -2, 1, 1])
    let moved = try #require(DepthAdapter.pose(camera: capacity, aroundFace: capacity * face))
    #expect(moved.position == pose.position && moved.back == pose.back)
    let none = TransformMatrix(.zero, .zero, .zero, .zero)
    #expect(DepthAdapter.pose(camera: .identity, aroundFace: none) == nil)
    #expect(DepthAdapter.pose(camera: none, aroundFace: .identity) == nil)
  }

  @Test func `a frame has all values and an unknown confidence is low`() throws {
    let map = try #require(MetricDepthMap(width: 2, height: 1, meters: [0.4, .nan], confidence: [2, 7]))
    let intrinsics = PinholeIntrinsics(fx: 2, fy: 2, cx: 1, cy: 0.5)
    let frame = try #require(DepthAdapter.frame(map, step: 1000, pose: .identity, intrinsics: intrinsics, at: 3))
    #expect(frame.depth == [400, 0] && frame.confidence == [2, 0] && frame.pose == .identity)
    #expect(frame.at == MonotonicInstant(seconds: 3) && frame.intrinsics == intrinsics)
    #expect(DepthAdapter.frame(map, step: 1000, pose: nil, intrinsics: intrinsics, at: .nan) == nil)
  }

  @Test func `maps with mismatched sizes are rejected`() {
    #expect(MetricDepthMap(width: 2, height: 2, meters: [1, 1, 1]) == nil)
    #expect(MetricDepthMap(width: 0, height: 0, meters: []) == nil)
    #expect(MetricDepthMap(width: 1, height: 1, meters: [1], confidence: []) == nil)
    #expect(MetricDepthMap(width: 5000, height: 1, meters: Array(repeating: 1, count: 5000)) == nil)
  }
}
