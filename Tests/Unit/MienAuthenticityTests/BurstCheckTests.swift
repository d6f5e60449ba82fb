import MienAuthenticity
import MienImaging
import MienCore
import Testing

@Suite struct `Burst checks` {
  static func read(_ frames: [Plane]) -> DetectionResults {
    let burst = frames.enumerated().map {
      BurstFrame(luma: $1, at: MonotonicInstant(nanoseconds: Int64($0) * 33_000_000))
    }
    return CaptureAnalyzer().analyze(CaptureInput(image: YCbCrImage(luma: Scenes.blobs(64, 64)), burst: burst))
  }

  /// Returns a textured plane shifted by whole samples; `near` shifts a disc in the center further.
  static func frame(_ shift: Int, near: Int = 0) -> Plane {
    func tone(_ x: Int, _ y: Int) -> Float {
      var generator = Scenes.Noise(state: UInt64(truncatingIfNeeded: (x / 6) &* 7919 &+ (y / 6) &* 104_729))
      return 40 + 170 * generator.next()
    }
    return Scenes.drawn(160, 160) { x, y in
      let isNear = (x - 80) * (x - 80) + (y - 80) * (y - 80) < 1600
      return tone(x + 400 - (isNear ? near : shift), y + 400 + (isNear ? 77 : 0))
    }
  }

  @Test func `a plane has no residual and a foreground object has parallax`() throws {
    let still = Self.frame(0)
    let flat = Self.read(
      [0, 2, 4, 6].map { shift in
        Scenes.drawn(160, 160) { x, y in Float(still.samples[y * 160 + max(0, x - shift)]) }
      })
    #expect(try #require(flat.burst?.residualParallax) < 0.1)
    #expect(flat[.parallax]?.assessment?.verdict != .genuine)
    let scene = Self.read([0, 2, 4, 6].map { Self.frame($0, near: 0) })
    #expect(try #require(scene.burst?.residualParallax) > 0.15)
    #expect(scene[.parallax]?.assessment?.verdict == .genuine)
  }

  @Test func `parallax is not assessed without camera movement`() {
    #expect(
      Self.read(Array(repeating: Self.frame(0), count: 4))[.parallax]?.outcome == .notAssessed(.cameraDidNotMove))
  }

  @Test func `beating light is flicker and fading light is not`() throws {
    func frames(_ light: (Int) -> Float) -> [Plane] {
      (0..<8).map { time in Scenes.adding(Self.frame(0)) { _, _ in light(time) } }
    }
    let beating = Self.read(frames { $0 % 2 == 0 ? 12 : -12 })
    let fading = Self.read(frames { Float($0) * 3 })
    #expect(beating[.flicker]?.assessment?.verdict == .suspect)
    #expect(fading[.flicker]?.assessment?.verdict == .genuine)
  }

  @Test func `bands moving over static content are detected`() throws {
    let frames = (0..<6).map { time in
      Scenes.adding(Self.frame(0)) { _, y in 14 * Scenes.wave(Float(y) / 40 + Float(time) * 0.3) }
    }
    #expect(Self.read(frames)[.bandMotion]?.assessment?.verdict == .suspect)
    #expect(
      Self.read(Array(repeating: Self.frame(0), count: 6))[.bandMotion]?.assessment?.verdict == .genuine)
  }

  @Test func `frames with an extreme aspect ratio are not assessed`() {
    let long = Self.read(Array(repeating: Scenes.drawn(128, 2049) { x, y in Float((x + y) % 250) }, count: 5))
    #expect(long[.bandMotion]?.outcome == .notAssessed(.imageTooSmall) && long.burst == nil)
  }

  @Test func `too few frames or frames with mixed sizes are not assessed`() {
    for frames in [[], [Self.frame(0)], [Self.frame(0), Self.frame(0), Scenes.blobs(200, 200)]] {
      #expect(Self.read(frames)[.flicker]?.outcome == .notAssessed(.tooFewFrames))
      #expect(Self.read(frames).burst == nil)
    }
  }
}
