import MienImaging
import MienCore
import Testing

@testable import MienScanFormat
@testable import MienReconstruction

@Suite struct `Facial distance measurements` {
  private let ahead = HeadScene.looking(from: [0, 0, 0.45], at: .zero)

  @Test(arguments: [(0.3, 5), (0.45, 0), (0.8, -8)] as [(Float, Float)])
  func `a known face is measured correctly`(away: Float, side: Float) throws {
    let scene = EggScene(step: 0.0001)
    var generator = SmoothNoise(seed: 1, width: 1, height: 1)
    let pose = HeadScene.looking(from: [side / 100, 0.03, away], at: .zero)
    var measurer = FaceMeasurer(scene.header)
    #expect(measurer.add(scene.view(from: pose, using: &generator), scene.frame(from: pose, using: &generator)) == nil)
    #expect(measurer.measurements.map(\.measure) == FaceMeasure.allCases)
    for row in measurer.measurements {
      #expect(abs(row.meters - EggScene.length(of: row.measure)) < 0.0012, "\(row.measure)")
      #expect(row.views == 1)
    }
  }

  @Test func `an image from another camera intersects the same surface`() throws {
    let scene = EggScene(step: 0.0001)
    var generator = SmoothNoise(seed: 2, width: 1, height: 1)
    let frame = scene.frame(from: HeadScene.looking(from: [0.08, 0.05, 0.5], at: .zero), using: &generator)
    var measurer = FaceMeasurer(scene.header)
    #expect(measurer.add(scene.view(from: ahead, using: &generator), frame) == nil)
    for row in measurer.measurements {
      #expect(abs(row.meters - EggScene.length(of: row.measure)) < 0.0015, "\(row.measure)")
    }
    // Without the view's own pose, depth is sampled beside the points.
    var view = scene.view(from: ahead, using: &generator)
    view.pose = nil
    var careless = FaceMeasurer(scene.header)
    _ = careless.add(view, frame)
    let worst = careless.measurements.map { abs($0.meters - EggScene.length(of: $0.measure)) }.max()
    #expect(worst.map { $0 > 0.003 } ?? true)
  }

  @Test func `more views reduce noise and keep the shared bias`() throws {
    let scene = EggScene()
    var generator = SmoothNoise(seed: 3, width: 1, height: 1)
    var measurer = FaceMeasurer(scene.header)
    for number in 0..<16 {
      let pose = HeadScene.looking(from: [Float(number - 8) * 0.01, 0.01, 0.5], at: .zero)
      let frame = scene.frame(from: pose, noise: 0.003, using: &generator)
      #expect(measurer.add(scene.view(from: pose, jitter: 0.0008, using: &generator), frame) == nil)
    }
    for row in measurer.measurements {
      let off = abs(row.meters - EggScene.length(of: row.measure))
      #expect(off < 0.0015 + row.expandedUncertainty, "\(row.measure)")
      // Placement error of two landmarks, a fortieth of the interpupillary distance each.
      #expect(row.standardUncertainty > 0.024 * 0.063 * 1.3, "\(row.measure)")
      #expect(row.expandedUncertainty < 0.0065, "\(row.measure)")
      #expect(row.views == 16)
      #expect(row.randomPart < 0.001, "\(row.measure)")
    }
    #expect(measurer.viewCount == 16)
  }

  @Test func `a hole at an eye reduces certainty and a large one removes the measurement`() throws {
    let scene = EggScene(step: 0.0001)
    var generator = SmoothNoise(seed: 4, width: 1, height: 1)
    func pupils(hole: Float) throws -> FaceMeasurement? {
      let eye = try #require(scene.camera.pixel(of: ahead.camera(EggScene.place(of: .pupilRight))))
      let frame = scene.frame(from: ahead, using: &generator) { x, y in
        let (across, down) = (Float(x) - eye.x, Float(y) - eye.y)
        return across * across + down * down < hole * hole
      }
      var measurer = FaceMeasurer(scene.header)
      let obstacle = measurer.add(scene.view(from: ahead, using: &generator), frame)
      #expect(obstacle == (hole > 6 ? .noDepth : nil))
      return measurer.measurements.first { $0.measure == .interpupillaryDistance }
    }
    let whole = try #require(try pupils(hole: 0))
    let small = try #require(try pupils(hole: 3))
    #expect(small.randomPart > whole.randomPart)
    #expect(abs(small.meters - whole.meters) < 0.002)
    #expect(try pupils(hole: 8) == nil)
  }

  @Test func `unreliable views are identified with their reasons`() throws {
    let scene = EggScene()
    var generator = SmoothNoise(seed: 5, width: 1, height: 1)
    var measurer = FaceMeasurer(scene.header)
    let frame = scene.frame(from: ahead, using: &generator)
    #expect(measurer.add(scene.view(from: ahead, yaw: 40, using: &generator), frame) == .turned)
    #expect(measurer.add(scene.view(from: ahead, yaw: .nan, using: &generator), frame) == .turned)
    #expect(measurer.add(scene.view(from: ahead, using: &generator), empty(scene)) == .noDepth)
    // A poster of a face, twice as far away as a face would be.
    #expect(measurer.add(scene.view(from: ahead, using: &generator), scaled(scene, by: 2)) == .doesNotFit)
    #expect(measurer.viewCount == 0)
    #expect(measurer.measurements.isEmpty)
    var view = scene.view(from: ahead, using: &generator)
    view.camera.fx = 0
    #expect(measurer.add(view, frame) == .noDepth)
    view.camera = scene.camera
    view.landmarks = try #require(Landmarks([SIMD3<Float>](repeating: SIMD3(repeating: .nan), count: 478)))
    #expect(measurer.add(view, frame) == .noDepth)
    view.landmarks = try #require(Landmarks([SIMD3<Float>](repeating: SIMD3(repeating: 1e30), count: 478)))
    #expect(measurer.add(view, frame) == .noDepth)
    view.landmarks = try #require(Landmarks([SIMD3<Float>](repeating: SIMD3(repeating: 0.5), count: 478)))
    #expect(measurer.add(view, frame) != nil)
  }

  @Test func `the median of an even count is the mean of the middle two`() {
    #expect(SurfacePatch.middle([4, 1, 10, 2]) == 3)
    #expect(SurfacePatch.middle([4, 1, 2]) == 2 && SurfacePatch.middle([7]) == 7)
  }

  private func empty(_ scene: EggScene) -> ScanFrame {
    var generator = SmoothNoise(seed: 6, width: 1, height: 1)
    return scene.frame(from: ahead, using: &generator) { _, _ in true }
  }

  private func scaled(_ scene: EggScene, by scale: Float) -> ScanFrame {
    var generator = SmoothNoise(seed: 7, width: 1, height: 1)
    return scene.frame(from: ahead, scale: scale, using: &generator)
  }

  @Test func `printing reveals no face data`() throws {
    let scene = EggScene()
    var generator = SmoothNoise(seed: 8, width: 1, height: 1)
    var measurer = FaceMeasurer(scene.header)
    let view = scene.view(from: ahead, using: &generator)
    _ = measurer.add(view, scene.frame(from: ahead, using: &generator))
    var dumped = ""
    dump(measurer, to: &dumped)
    dump(view, to: &dumped)
    dump(measurer.measurements, to: &dumped)
    dumped += "\(measurer)\(view)\(measurer.measurements)"
    #expect(!dumped.contains("0."))
  }
}

@Suite struct `Matching images to depth frames` {
  private func frame(at milliseconds: Int64, _ pose: CameraPose?) throws -> ScanFrame {
    try #require(
      ScanFrame(
        width: 1, height: 1, depth: [1], confidence: nil, pose: pose,
        intrinsics: PinholeIntrinsics(fx: 1, fy: 1, cx: 0, cy: 0),
        at: MonotonicInstant(nanoseconds: milliseconds * 1_000_000)))
  }

  private func image(at milliseconds: Int64?, _ pose: CameraPose?) throws -> ScanImage {
    try #require(
      ScanImage(
        role: .photo, bytes: [1], pose: pose, intrinsics: nil,
        at: milliseconds.map { MonotonicInstant(nanoseconds: $0 * 1_000_000) }))
  }

  @Test func `images are matched by time, or by pose without one`() throws {
    let poses = (0..<10).map { HeadScene.looking(from: [Float($0) * 0.2 - 1, 0, 1], at: .zero) }
    var matcher = FrameMatcher()
    for (number, pose) in poses.enumerated() { matcher.add(try frame(at: Int64(number) * 100, pose), number: number) }
    #expect(matcher.frame(for: try image(at: 330, poses[3])) == 3)
    #expect(matcher.frame(for: try image(at: 1_000, poses[3])) == nil)
    #expect(matcher.frame(for: try image(at: 330, nil)) == nil)
    #expect(matcher.frame(for: try image(at: 310, nil)) == 3)
    #expect(matcher.frame(for: try image(at: nil, HeadScene.looking(from: [0.17, 0, 1], at: .zero))) == 6)
    #expect(matcher.frame(for: try image(at: nil, HeadScene.looking(from: [0, 0, -1], at: .zero))) == nil)
    #expect(matcher.frame(for: try image(at: nil, nil)) == nil)
    #expect(matcher.frame(for: try image(at: .max / 1_000_000, poses[0])) == nil)
    #expect(FrameMatcher().frame(for: try image(at: 0, poses[0])) == nil)
  }

  @Test(arguments: [Orientation.upright, .quarterRight, .quarterLeft, .upsideDown])
  func `image orientation follows from the camera pose`(orientation: Orientation) throws {
    let front = HeadScene.looking(from: [0, 0, 1], at: .zero)
    let (right, up) =
      switch orientation {
      case .quarterRight: (-front.up, front.right)
      case .quarterLeft: (front.up, -front.right)
      case .upsideDown: (-front.right, -front.up)
      default: (front.right, front.up)
      }
    let pose = try CameraPose(right: right, up: up, back: front.back, position: front.position)
    #expect(pose.orientation(in: .yUp) == orientation)
    #expect(pose.orientation(in: .unleveled) == nil)
    // Points that are higher in the world are higher in the rotated image.
    let above = try #require(
      PinholeIntrinsics(fx: 100, fy: 100, cx: 50, cy: 50).pixel(of: pose.camera([0, 0.2, 0])))
    let before = orientation.beforeTurning(x: 0.5, y: 0.3)
    #expect(abs(before.x - above.x / 100) < 1e-4)
    #expect(abs(before.y - above.y / 100) < 1e-4)
    #expect(HeadScene.looking(from: [0.01, 1, 0], at: .zero).orientation(in: .yUp) == nil)
  }
}
