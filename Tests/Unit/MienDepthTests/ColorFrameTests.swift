import MienImaging
import MienCore
import Testing

@testable import MienReconstruction

/// Color frames recorded during a scan.
@Suite struct `Color frame quality` {
  /// Renders discs and bars with noise, seen by a camera that moved sideways by a number of pixels.
  private func scene(_ seed: UInt64, moved: Int = 1, down: Int = 1, gain: Int = 256, offset: Int = 0) -> Frame {
    var state = seed &* 77
    func next(_ limit: Int) -> Int {
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Int(state >> 33) % limit
    }
    let (width, height) = (640, 480)
    var luma = [Int](repeating: 120, count: (width + 64) * (height + 64))
    for _ in 0..<150 {
      let (x, y, size, tone) = (next(width + 64), next(height + 64), 4 + next(60), next(256))
      let isDisc = next(2) == 0
      for row in max(0, y - size)..<min(height + 64, y + size) {
        for column in max(0, x - size)..<min(width + 64, x + size) {
          let (dx, dy) = (column - x, row - y)
          if !isDisc || dx * dx + dy * dy < size * size { luma[row * (width + 64) + column] = tone }
        }
      }
    }
    var frame = Frame(width: width, height: height)
    var pixels = frame.pixels
    for y in 0..<height {
      for x in 0..<width {
        var sum = 0
        for step in 0..<moved { for fall in 0..<down { sum += luma[(y + fall) * (width + 64) + x + step] } }
        let value = (sum / (moved * down) * gain >> 8) + offset + next(7) - 3
        let tone = UInt8(min(max(value, 0), 255))
        pixels[y * width + x] = Pixel(red: tone, green: tone, blue: tone)
      }
    }
    frame = Frame(width: width, height: height, pixels: pixels) ?? frame
    return frame
  }

  private func found(_ frames: [Frame]) -> [ScanFinding.Item: ScanFinding] {
    var inspector = ColorFrameInspector()
    for frame in frames { inspector.see(frame) }
    return Dictionary(uniqueKeysWithValues: inspector.findings.map { ($0.item, $0) })
  }

  @Test(arguments: 1...6) func `motion blur is distinguished from a plain scene in any direction`(seed: UInt64) throws {
    let sharp = try #require(ColorFrameInspector.sharpness(of: scene(seed)))
    let faint = try #require(ColorFrameInspector.sharpness(of: scene(seed, gain: 64, offset: 90)))
    #expect(sharp > ColorFrameInspector.leastSharpness && faint > ColorFrameInspector.leastSharpness)
    for (across, down) in [(16, 1), (1, 16), (12, 12)] {
      let blurred = try #require(ColorFrameInspector.sharpness(of: scene(seed, moved: across, down: down)))
      #expect(blurred < ColorFrameInspector.leastSharpness, "\(across), \(down): \(blurred) of \(sharp)")
    }
  }

  @Test func `grades depend on the share of affected frames`() throws {
    let sharp = (1...9).map { scene($0) }
    #expect(found(sharp)[.colorSharpness]?.grade == .pass && found(sharp)[.colorSharpness]?.value == 0)
    #expect(found(sharp)[.colorExposure]?.grade == .pass)
    let some = found(Array(sharp.prefix(8)) + (1...2).map { scene($0, moved: 20) })
    #expect(some[.colorSharpness]?.grade == .warn && some[.colorSharpness]?.value == 0.2)
    #expect(some[.colorSharpness]?.words.hasPrefix("Blurred: 20%") == true)
    let most = found(Array(sharp.prefix(1)) + (1...3).map { scene($0, moved: 20) })
    #expect(most[.colorSharpness]?.grade == .fail)
  }

  @Test func `underexposed and overexposed frames are reported`() throws {
    let dark = found((1...4).map { scene($0, gain: 20) })
    #expect(dark[.colorExposure]?.grade == .fail)
    #expect(dark[.colorExposure]?.words.hasPrefix("Too dark: 100%") == true)
    let bright = found((1...4).map { scene($0, gain: 128, offset: 220) })
    #expect(bright[.colorExposure]?.words.hasPrefix("Too bright: 100%") == true)
  }

  @Test func `images without content are not assessed and no frames give no findings`() throws {
    #expect(found([]).isEmpty && found([Frame()]).isEmpty)
    let plain = found([Frame(width: 200, height: 100, filledWith: Pixel(red: 99, green: 99, blue: 99))])
    #expect(plain[.colorSharpness]?.grade == .notAssessed && plain[.colorExposure]?.grade == .pass)
    #expect(found([Frame(width: 3, height: 2, filledWith: .black)])[.colorSharpness]?.grade == .notAssessed)
  }

  @Test func `twelve frames are selected evenly across the scan`() {
    #expect(ColorFrameInspector.chosen(of: 0).isEmpty && ColorFrameInspector.chosen(of: -3).isEmpty)
    #expect(ColorFrameInspector.chosen(of: 1) == [0] && ColorFrameInspector.chosen(of: 3) == [0, 1, 2])
    for count in [12, 13, 70, 299, 100_000] {
      let chosen = ColorFrameInspector.chosen(of: count)
      #expect(chosen.count == 12 && chosen == chosen.sorted() && Set(chosen).count == 12)
      #expect(chosen.allSatisfy { (0..<count).contains($0) })
    }
  }
}
