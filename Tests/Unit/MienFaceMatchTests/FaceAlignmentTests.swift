import MienCore
import MienImaging
import Testing

@testable import MienFaceMatch

@Suite struct `Face alignment` {
  /// Landmarks of a frame of 400 × 300 pixels whose five points are the targets, scaled, rotated and moved.
  private static func landmarks(scale: Float, turned radians: (cos: Float, sin: Float), moved: SIMD2<Float>)
    -> Landmarks
  {
    var points = [SIMD3<Float>](repeating: SIMD3(0.5, 0.5, 0), count: Landmarks.count)
    for (index, target) in zip(FaceAlignment.landmarks, FaceAlignment.targets) {
      let x = (target.x * radians.cos - target.y * radians.sin) * scale + moved.x
      let y = (target.x * radians.sin + target.y * radians.cos) * scale + moved.y
      points[index] = SIMD3(x / 400, y / 300, 0)
    }
    guard let landmarks = Landmarks(points) else { preconditionFailure("the number of points is right") }
    return landmarks
  }

  /// A frame with a bright square of about 6 target pixels around the left iris' target, and a dark rest.
  private static func frame(_ at: SIMD2<Float>, radius: Float) -> Frame {
    var frame = Frame(width: 400, height: 300, filledWith: Pixel(red: 10, green: 20, blue: 30))
    for y in 0..<300 {
      for x in 0..<400 where abs(Float(x) - at.x) <= radius && abs(Float(y) - at.y) <= radius {
        frame[x, y] = Pixel(red: 250, green: 150, blue: 50)
      }
    }
    return frame
  }

  @Test(arguments: [(Float(0.7), Float(1), Float(0)), (1, 0.8, 0.6), (2, 0.96, -0.28)])
  func `a face is scaled, rotated and moved onto the targets`(scale: Float, cosine: Float, sine: Float) throws {
    let moved = SIMD2<Float>(120, 60)
    let iris = FaceAlignment.targets[0]
    let at =
      SIMD2(iris.x * cosine - iris.y * sine, iris.x * sine + iris.y * cosine) * scale + moved
    let frame = Self.frame(at, radius: 3 * scale)
    let landmarks = Self.landmarks(scale: scale, turned: (cosine, sine), moved: moved)
    let face = try #require(frame.aligned(landmarks))
    let place = Int(iris.y.rounded()) * AlignedFace.size + Int(iris.x.rounded())
    let plane = AlignedFace.size * AlignedFace.size
    #expect(face.samples[place] > 230 && face.samples[plane + place] > 140 && face.samples[2 * plane + place] > 40)
    // Ten pixels away is the background.
    #expect(face.samples[place + 10] == 10 && face.samples[plane + place + 10] == 20)
    #expect(abs(face.eyeDistance - 35.24 * scale) < 0.2)
  }

  @Test func `points that do not describe a face give no crop`() throws {
    let points = [SIMD3<Float>](repeating: SIMD3(0.5, 0.5, 0), count: Landmarks.count)
    let frame = Frame(width: 400, height: 300)
    #expect(frame.aligned(try #require(Landmarks(points))) == nil)
    let broken = [SIMD3<Float>](repeating: SIMD3(.nan, 0.5, 0), count: Landmarks.count)
    #expect(frame.aligned(try #require(Landmarks(broken))) == nil)
    #expect(Frame().aligned(Self.landmarks(scale: 1, turned: (1, 0), moved: .zero)) == nil)
  }

  @Test func `a face beyond the edge is filled with black`() throws {
    let frame = Frame(width: 400, height: 300, filledWith: Pixel(red: 200, green: 200, blue: 200))
    let landmarks = Self.landmarks(scale: 1, turned: (1, 0), moved: SIMD2(-30, 0))
    let face = try #require(frame.aligned(landmarks))
    #expect(face.samples[56 * 112 + 5] == 0 && face.samples[56 * 112 + 80] == 200)
  }
}
