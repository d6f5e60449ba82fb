import MienCore
import Testing

@Suite struct `Core values` {
  @Test(arguments: [-0.001, 1.001, .nan, .infinity, -.infinity])
  func `an invalid score is rejected`(value: Double) { #expect(Score(value) == nil) }

  @Test(arguments: ["", "a b", "ä", "../x", "a\n", String(repeating: "a", count: 65)])
  func `identifiers reject characters that are unsafe in a path`(text: String) {
    #expect(CheckID(text) == nil)
    #expect(PersonID(text) == nil)
  }

  @Test func `identifiers accept every documented form`() {
    #expect(CheckID("AZaz09-_")?.text == "AZaz09-_")
    #expect(PersonID(String(repeating: "a", count: 64)) != nil)
  }

  @Test func `instants saturate instead of trapping`() {
    let end = MonotonicInstant(nanoseconds: .max)
    let start = MonotonicInstant(nanoseconds: .min)
    #expect(end + .seconds(1) == end)
    #expect(start + .seconds(-1) == start)
    #expect(end.since(start) == Interval(nanoseconds: .max))
    #expect(start.since(end) == Interval(nanoseconds: .min))
    #expect(MonotonicInstant(seconds: .nan) == nil)
    #expect(MonotonicInstant(seconds: 1e300) == nil)
    #expect(MonotonicInstant(seconds: 1.5)?.nanoseconds == 1_500_000_000)
    #expect(Interval.seconds(.infinity) > .zero)
    #expect(Interval.seconds(.nan) == .zero)
  }

  @Test func `an unmeasured coefficient is not zero`() {
    var shapes = Blendshapes()
    #expect(shapes[.tongueOut] == nil)
    shapes[.tongueOut] = 0
    #expect(shapes[.tongueOut] == 0)
    #expect(shapes.measuredCount == 1)
    shapes[.tongueOut] = nil
    #expect(shapes[.tongueOut] == nil)
    shapes[.noseSneerRight] = .nan
    #expect(!shapes.isPlausible)
  }

  @Test func `there are 52 blend shapes, each found by its name`() {
    #expect(BlendshapeName.allCases.count == Blendshapes.count)
    for name in BlendshapeName.allCases { #expect(BlendshapeName(text: name.text) == name) }
    #expect(BlendshapeName(text: "_neutral") == nil)
  }

  @Test func `sides are opposite and yaw is positive to the subject's left`() {
    #expect(Side.subjectLeft.opposite == .subjectRight)
    #expect(Side.subjectLeft.yawSign == 1 && Side.subjectRight.yawSign == -1)
  }

  @Test func `poses and boxes out of range are implausible`() {
    #expect(!HeadPose(yaw: .nan, pitch: 0, roll: 0).isPlausible)
    #expect(!HeadPose(yaw: 1e9, pitch: 0, roll: 0).isPlausible)
    #expect(!FaceBox(x: 0, y: 0, width: 0, height: 1).isPlausible)
    #expect(!FaceBox(x: .infinity, y: 0, width: 1, height: 1).isPlausible)
    #expect(FaceBox(x: -0.1, y: 0, width: 1.2, height: 1).isPlausible)
  }

  @Test func `depth frames reject mismatched sizes`() {
    let camera = PinholeIntrinsics(fx: 1, fy: 1, cx: 0, cy: 0)
    let box = FaceBox(x: 0, y: 0, width: 1, height: 1)
    func make(_ width: Int, _ height: Int, _ count: Int, unit: Int = 1000) -> DepthFrame? {
      DepthFrame(
        width: width, height: height, samples: [UInt16](repeating: 1, count: count), micrometersPerStep: unit,
        intrinsics: camera, face: box, at: .zero)
    }
    #expect(make(2, 2, 4) != nil)
    #expect(make(2, 2, 5) == nil)
    #expect(make(0, 2, 0) == nil)
    #expect(make(5000, 1, 5000) == nil)
    #expect(make(2, 2, 4, unit: 0) == nil)
  }
}
