import MienAuthenticity
import MienCore
import MienImaging
import Testing

@Suite struct `Screens and prints in frames of a session` {
  private static let face = FaceBox(x: 0.36, y: 0.25, width: 0.28, height: 0.5)

  /// Returns the color at a place of a scene, 0…1 each: a face before a wall with a door and a lamp.
  private static func scene(_ x: Float, _ y: Float) -> SIMD3<Float> {
    let (u, v) = ((x - 0.5) / 0.14, (y - 0.5) / 0.25)
    let radius = u * u + v * v
    if radius < 1 {
      let isEye = abs(abs(u) - 0.4) < 0.15 && abs(v + 0.2) < 0.08
      let isMouth = abs(u) < 0.35 && abs(v - 0.5) < 0.06
      let shade = 1 - 0.35 * radius - 0.15 * u
      return isEye ? SIMD3(0.15, 0.12, 0.1) : isMouth ? SIMD3(0.5, 0.2, 0.2) * shade : SIMD3(0.8, 0.6, 0.5) * shade
    }
    if y > 0.72, abs(x - 0.5) < 0.1 + (y - 0.72) * 1.2 { return SIMD3(0.2, 0.25, 0.4) }
    if x > 0.8, x < 0.93, y > 0.2 { return SIMD3(0.4, 0.3, 0.2) }
    return SIMD3(0.55, 0.53, 0.5) * (1.1 - 0.5 * x) * (1.05 - 0.3 * y)
  }

  /// Renders 480 × 360 pixels with sensor noise.
  private static func frame(
    width: Int = 480, height: Int = 360, _ color: (Float, Float) -> SIMD3<Float>
  ) -> Frame {
    var frame = Frame(width: width, height: height)
    var state: UInt32 = 1
    for y in 0..<height {
      for x in 0..<width {
        state = state &* 1_664_525 &+ 1_013_904_223
        let noise = (Float(state >> 24) / 255 - 0.5) * 0.03
        let value = color(Float(x) / Float(width), Float(y) / Float(height)) + noise
        func byte(_ value: Float) -> UInt8 { UInt8(min(max(value, 0), 1) * 255) }
        frame[x, y] = Pixel(red: byte(value.x), green: byte(value.y), blue: byte(value.z))
      }
    }
    return frame
  }

  /// The scene on a bright phone with a dark border, held in a dim room.
  private static func phone(_ x: Float, _ y: Float) -> SIMD3<Float> {
    let (u, v) = (abs(x - 0.5), abs(y - 0.5))
    if u < 0.26, v < 0.46 {
      let grid = 1 + 0.12 * Float((Int(x * 480) + Int(y * 360)) % 3 - 1)
      return scene(x, y) * SIMD3(1.15, 1.3, 1.5) * grid + 0.06
    }
    return u < 0.29 && v < 0.5 ? SIMD3(repeating: 0.02) : SIMD3(0.16, 0.15, 0.14) * (0.6 + 0.4 * y)
  }

  private static func score(_ frame: Frame, face: FaceBox = face, steps: [UInt16]? = nil) -> RecaptureReading {
    var scorer = FrameScorer()
    return scorer.score(frame, face: face, lumaSteps: steps)
  }

  @Test func `a phone in the frame scores higher than the scene itself`() throws {
    guard case .score(let plain) = Self.score(Self.frame(Self.scene)),
      case .score(let screen) = Self.score(Self.frame(Self.phone))
    else {
      Issue.record("a frame was not scored")
      return
    }
    #expect(screen > plain + 0.5, "\(screen), \(plain)")
  }

  @Test func `a scorer gives the same score again after other frames`() {
    var scorer = FrameScorer()
    let (first, other) = (Self.frame(Self.scene), Self.frame(width: 360, height: 480, Self.phone))
    let before = scorer.score(first, face: Self.face, lumaSteps: nil)
    _ = scorer.score(other, face: Self.face, lumaSteps: nil)
    #expect(scorer.score(first, face: Self.face, lumaSteps: nil) == before)
  }

  @Test func `small and strongly compressed frames are not scored`() {
    let frame = Self.frame(Self.scene)
    #expect(Self.score(Self.frame(width: 200, height: 150, Self.scene)) == .tooSmall)
    #expect(Self.score(frame, face: FaceBox(x: 0.5, y: 0.5, width: 0.05, height: 0.1)) == .tooSmall)
    #expect(Self.score(Self.frame(width: 1600, height: 300, Self.scene)) == .tooSmall)
    #expect(Self.score(frame, steps: [UInt16](repeating: 130, count: 64)) == .tooCompressed)
    #expect(Self.score(frame, steps: [UInt16](repeating: 90, count: 64)) != .tooCompressed)
  }

  @Test func `odd boxes and plain frames do not trap`() {
    let boxes = [
      FaceBox(x: .nan, y: 0, width: 0.3, height: 0.3), FaceBox(x: -1, y: -1, width: 2, height: 2),
      FaceBox(x: 0.9, y: 0.9, width: 0.5, height: 0.5), FaceBox(x: 1.9, y: 1.9, width: 0.1, height: 0.1),
    ]
    for gray in [Pixel.black, Pixel(red: 255, green: 255, blue: 255)] {
      for box in boxes + [Self.face] {
        if case .score(let score) = Self.score(Frame(width: 480, height: 360, filledWith: gray), face: box) {
          #expect(score.isFinite)
        }
      }
    }
  }
}
