import MienCore
import Testing

@testable import MienChecks

private func observation(
  at milliseconds: Double, yaw: Float = 0, sharpness: Float? = 30, faces: Int = 1, blink: Float? = 0, x: Float = 0.3
) throws -> FaceObservation {
  var blendshapes = Blendshapes()
  blendshapes[.eyeBlinkLeft] = blink
  let face = ObservedFace(
    box: FaceBox(x: x, y: 0.2, width: 0.4, height: 0.6), presence: try #require(Score(1)),
    pose: HeadPose(yaw: yaw, pitch: 0, roll: 0), blendshapes: blendshapes,
    landmarks: try #require(Landmarks([SIMD3<Float>](repeating: .zero, count: Landmarks.count))))
  return FaceObservation(
    at: MonotonicInstant.zero + .milliseconds(milliseconds), frameWidth: 640, frameHeight: 480, brightness: 128,
    sharpness: sharpness, faceCount: faces, face: face)
}

@Suite struct `Audit image selection` {
  @Test func `the reference image is taken during the tasks even if an earlier image was better`() throws {
    var selector = AuditImageSelector(audits: 1)
    // Another person is visible before tracking starts, in a sharper image than the subject's.
    selector.offer([1], try observation(at: 0, sharpness: 200), mayBeReference: false)
    selector.offer([2], try observation(at: 1000, sharpness: 20))
    selector.offer([3], try observation(at: 2000, sharpness: 30))
    selector.offer([4], try observation(at: 3000, sharpness: 10))
    #expect(selector.images(passed: true).map(\.bytes) == [[3], [1]])
    #expect(selector.images(passed: true).map(\.kind) == [.reference, .audit])
    // After a possible change of person, the selection starts over.
    selector.clearReference()
    #expect(selector.images(passed: true).allSatisfy { $0.kind == .audit })
    selector.offer([5], try observation(at: 4000, sharpness: 5))
    #expect(selector.images(passed: true).first?.bytes == [5])
  }

  @Test func `the most frontal and sharpest images are kept, best first and apart in time`() throws {
    var selector = AuditImageSelector(audits: 2)
    let frames: [(yaw: Float, sharpness: Float)] = [(40, 30), (5, 30), (0, 31), (30, 90), (0, 60), (0, 10), (60, 99)]
    for (index, frame) in frames.enumerated() {
      selector.offer(
        [UInt8(index)], try observation(at: Double(index) * 500, yaw: frame.yaw, sharpness: frame.sharpness))
    }
    #expect(selector.images(passed: true).map(\.bytes) == [[4], [2], [1]])
    #expect(selector.images(passed: true).map(\.kind) == [.reference, .audit, .audit])
    #expect(selector.images(passed: false).map(\.bytes) == [[4], [2]], "no reference for a check that failed")
  }

  @Test func `only the best of images close in time is kept`() throws {
    var selector = AuditImageSelector(audits: 4)
    for (index, sharpness) in [Float(20), 40, 30].enumerated() {
      selector.offer([UInt8(index)], try observation(at: Double(index) * 100, sharpness: sharpness))
    }
    #expect(selector.images(passed: true).map(\.bytes) == [[1]])
  }

  @Test func `no more images are kept than requested`() throws {
    for (asked, most) in [(-1, 1), (0, 1), (4, 5), (1_000_000_000, 5)] {
      var selector = AuditImageSelector(audits: asked)
      for index in 0..<200 { selector.offer([UInt8(index)], try observation(at: Double(index) * 500)) }
      #expect(selector.images(passed: true).count == most)
    }
  }

  @Test func `unsuitable images are ignored`() throws {
    var selector = AuditImageSelector(audits: 4)
    selector.offer([1], try observation(at: 0, sharpness: nil))
    selector.offer([2], try observation(at: 1000, faces: 2))
    selector.offer([3], try observation(at: 2000, x: 0.7))
    selector.offer([4], try observation(at: 3000, yaw: 85))
    selector.offer([5], try observation(at: 4000, yaw: .nan))
    selector.offer([UInt8](repeating: 6, count: StoredImage.maximumBytes + 1), try observation(at: 5000))
    #expect(selector.images(passed: true).isEmpty)
    selector.offer([7], try observation(at: 6000, blink: 0.9))
    selector.offer([8], try observation(at: 7000, blink: nil))
    #expect(selector.images(passed: true).map(\.bytes) == [[8], [7]], "open eyes come first")
  }

  @Test func `quality falls with the squared cosine of the yaw`() throws {
    let front = try #require(AuditImageSelector.quality(of: try observation(at: 0)))
    let turned = try #require(AuditImageSelector.quality(of: try observation(at: 0, yaw: 60)))
    #expect(abs(turned / front - 0.25) < 0.002)
  }
}
