import Foundation
import MienApple
import MienCore
import MienRecordings
import MienScanFormat
import MienViewModels
import Testing

/// Depth captures of a face: from the sensor's landscape map to an upright transmitted one.
@Suite struct `Face depth captures` {
  /// Landscape map whose samples encode their position.
  private func map(width: Int = 6, height: Int = 4) throws -> MetricDepthMap {
    try #require(
      MetricDepthMap(width: width, height: height, meters: (0..<width * height).map { 1 + Float($0) / 100 }))
  }

  @Test func `a map and its intrinsics are turned alike`() throws {
    let map = try map()
    let upright = try #require(FaceDepthCapture.upright(map))
    #expect(upright.width == 4 && upright.height == 6)
    // The top left corner of the sensor becomes the top right one.
    #expect(upright.meters[3] == map.meters[0] && upright.meters[0] == map.meters[3 * 6])
    #expect(upright.meters[5 * 4] == map.meters[3 * 6 + 5])
    // A point in space projects to the same sample before and after.
    let lens = PinholeIntrinsics(fx: 5, fy: 7, cx: 2.5, cy: 1)
    let turned = FaceDepthCapture.upright(lens, height: 4)
    let (x, y, z) = (Float(0.1), Float(-0.2), Float(0.5))
    let (column, row) = (lens.fx * x / z + lens.cx, lens.fy * y / z + lens.cy)
    // Turned by 90° clockwise, the point is at (−y, x).
    #expect(abs(turned.fx * -y / z + turned.cx - (3 - row)) < 1e-5)
    #expect(abs(turned.fy * x / z + turned.cy - column) < 1e-5)
  }

  @Test(arguments: [1, 2, 3]) func `a reduced map keeps samples that were measured, with matching intrinsics`(
    factor: Int
  )
    throws
  {
    let map = try map(width: 12, height: 12)
    let lens = PinholeIntrinsics(fx: 24, fy: 24, cx: 6, cy: 5)
    let small = try #require(FaceDepthCapture.reduced(map, lens, by: factor))
    #expect(small.map.width == 12 / factor && small.map.height == 12 / factor)
    #expect(Set(small.map.meters).isSubset(of: Set(map.meters)))
    let first = (factor - 1) / 2
    #expect(small.map.meters[0] == map.meters[first * 12 + first])
    // Direction of the second kept column, in both maps.
    let before = (Float(first + factor) - lens.cx) / lens.fx
    #expect(abs((1 - small.intrinsics.cx) / small.intrinsics.fx - before) < 1e-6)
  }

  @Test func `a capture is one that the server reads, small enough for the window`() throws {
    var meters = [Float](repeating: 0.4, count: 640 * 480)
    meters[0] = .nan
    let map = try #require(MetricDepthMap(width: 640, height: 480, meters: meters))
    let face = FaceBox(x: 0.3, y: 0.25, width: 0.4, height: 0.5)
    let lens = PinholeIntrinsics(fx: 590, fy: 590, cx: 320, cy: 240)
    let bytes = try #require(FaceDepthCapture.encoded(map, lens, face: face, at: 12.5))
    #expect(bytes.count < 200_000)
    let frame = try #require(try DepthFrameCodec.read(ContiguousArray(bytes)).first)
    #expect(frame.width == 240 && frame.height == 320 && frame.face == face && frame.micrometersPerStep == 100)
    #expect(frame.samples.contains(4000) && frame.at == .zero + .seconds(12.5))
    #expect(FaceDepthCapture.encoded(map, lens, face: face, at: -1) == nil)
    #expect(FaceDepthCapture.encoded(map, lens, face: FaceBox(x: 0, y: 0, width: 0, height: 1), at: 1) == nil)
  }

  @Test func `the distance is that of the middle of the face, upright`() throws {
    // Rows of the sensor are columns of the upright picture: the left half is near.
    let meters = (0..<48).flatMap { row in [Float](repeating: row < 24 ? 0.9 : 0.4, count: 64) }
    let map = try #require(MetricDepthMap(width: 64, height: 48, meters: meters))
    #expect(map.distance(in: [0, 0.2, 0.4, 0.5]) == 0.4 && map.distance(in: [0.6, 0.2, 0.4, 0.5]) == 0.9)
    #expect(map.distance(in: [2, 2, 0.1, 0.1]) == nil)
    let preview = try #require(DepthPreview(map, widest: 12))
    #expect(preview.width == 12 && preview.height == 16)
    #expect(preview.gray[0] > preview.gray[11] && preview.gray.allSatisfy { $0 > 0 })
    let empty = try #require(MetricDepthMap(width: 2, height: 2, meters: [.nan, 0, -1, .infinity]))
    #expect(DepthPreview(empty)?.gray == [0, 0, 0, 0])
  }

  @Test func `the points of a scan are in the world, in front of the camera`() throws {
    let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).mienscan")
    defer { try? FileManager.default.removeItem(at: file) }
    #expect(ScanPoints(file) == nil)
    let header = try #require(
      ScanHeader(
        device: "iPhone14,2", sensor: .lidar, width: 32, height: 24, micrometersPerStep: 1000, world: .yUp, clock: .boot
      ))
    let recorder = try ScanFileRecorder(file: file, header: header)
    for number in 0..<5 {
      // Half of the picture is the room behind.
      let frame = try #require(
        ScanFrame(
          width: 32, height: 24, depth: (0..<32 * 24).map { $0 % 32 < 16 ? 500 : 3000 }, confidence: nil,
          pose: .identity, intrinsics: PinholeIntrinsics(fx: 30, fy: 30, cx: 15.5, cy: 11.5),
          at: .zero + .milliseconds(Double(number) * 33)))
      try recorder.append(frame)
    }
    _ = recorder.finish()
    let points = try #require(ScanPoints(file, most: 1000))
    #expect(!points.points.isEmpty && points.points.count <= 1000)
    #expect(points.points.allSatisfy { abs($0.z + 0.5) < 1e-5 && $0.x < 0 })
    #expect(abs(points.center.y) < 0.02 && "\(points)" == "ScanPoints(\(points.points.count))")
  }
}
