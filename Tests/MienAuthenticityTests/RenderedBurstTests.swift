import MienAuthenticity
import MienImaging
import MienModel
import Testing

/// Bursts of a camera that moves sideways, rendered by casting a ray for each pixel.
private enum Rendered {
  /// Squares of light with soft borders, at a place of a surface in metres.
  private static func light(_ x: Float, _ y: Float, seed: Int) -> Float {
    let (u, v) = (x * 16 + 400, y * 16 + 400)
    let (column, row) = (Int(u), Int(v))
    func corner(_ x: Int, _ y: Int) -> Float {
      var dice = Scenes.Dice(state: UInt64(truncatingIfNeeded: x &* 7919 &+ y &* 104_729 &+ seed &* 65_537))
      return 30 + 190 * dice.next()
    }
    let (a, b) = (u - Float(column), v - Float(row))
    let top = corner(column, row) * (1 - a) + corner(column + 1, row) * a
    let bottom = corner(column, row + 1) * (1 - a) + corner(column + 1, row + 1) * a
    return top * (1 - b) + bottom * b
  }

  /// A wall that leans away by `tilt`, and a board in front of it where there is one.
  static func burst(tilt: Float, board: Float?, steps: Int = 4, step: Float = 0.012) -> [BurstFrame] {
    (0..<steps).map { number in
      let camera = Float(number) * step
      let luma = Scenes.drawn(160, 160) { x, y in
        let (dx, dy) = (Float(x - 80) / 200, Float(y - 80) / 200)
        if let board {
          let (near, level) = (camera + board * dx, board * dy)
          if abs(near) < board * 0.2, abs(level) < board * 0.25 { return light(near * 2, level * 2, seed: 2) }
        }
        let depth = (2 + tilt * camera) / (1 - tilt * dx)
        return light(camera + depth * dx, depth * dy, seed: 1)
      }
      return BurstFrame(luma: luma, at: Instant(nanoseconds: Int64(number) * 33_000_000))
    }
  }

  static func read(_ burst: [BurstFrame]) -> DetectionResults {
    SceneAnalyser().analyse(SceneCapture(picture: PlanarPicture(luma: Scenes.blobs(64, 64)), burst: burst))
  }
}

@Suite struct `Rendered bursts` {
  @Test(arguments: [0, 0.4, -0.8] as [Float])
  func `a flat copy leaves nothing, however it leans`(tilt: Float) throws {
    let results = Rendered.read(Rendered.burst(tilt: tilt, board: nil))
    let report = try #require(results.burst)
    #expect(try #require(report.movement) > 0.015)
    #expect(try #require(report.residualParallax) < 0.1)
    #expect(results[.parallax]?.assessment?.verdict != .genuine)
    #expect(try #require(report.seconds) == 0.099)
  }

  @Test func `a board before a wall leaves parallax`() throws {
    let results = Rendered.read(Rendered.burst(tilt: 0.2, board: 1))
    #expect(try #require(results.burst?.residualParallax) > 0.15)
    #expect(results[.parallax]?.assessment?.verdict == .genuine)
  }

  @Test func `a camera that moved far is compared over fewer frames`() throws {
    // Over all frames the wall moves by 15 samples, further than blocks are looked for.
    let results = Rendered.read(Rendered.burst(tilt: 0, board: nil, steps: 9, step: 0.019))
    let movement = try #require(results.burst?.movement)
    #expect(movement > 0.015 && movement < 12 / 160)
    #expect(results[.parallax]?.assessment?.verdict != .genuine)
  }

  @Test func `frames without times have no length`() throws {
    let burst = Rendered.burst(tilt: 0, board: nil).map { BurstFrame(luma: $0.luma, at: nil) }
    #expect(try #require(Rendered.read(burst).burst).seconds == nil)
  }

  @Test func `large frames are made small by whole factors, small ones are left alone`() {
    let large = Scenes.drawn(2400, 1800) { x, y in Float((x / 40 + y / 40) % 2 * 200) }
    let small = BurstFrame.small(large)
    #expect([small.width, small.height] == [1200, 900])
    #expect(small.samples[0] == 0 && small.samples[25] == 200)
    #expect(BurstFrame.small(small).samples == small.samples)
    let strip = Scenes.drawn(4_200_000 / 2, 1) { _, _ in 9 }
    #expect(BurstFrame.small(strip).width == strip.width, "too thin to be made small")
  }
}
