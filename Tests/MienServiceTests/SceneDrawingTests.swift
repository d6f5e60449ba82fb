import MienAuthenticity
import MienImaging
import Testing

@testable import MienService

@Suite struct `What is drawn for people` {
  @Test func `depth is light where it is near, and blue where nothing was measured`() throws {
    let depth = try #require(SceneDepth(width: 3, height: 1, metres: [1, 2, .nan]))
    let frame = try #require(SceneDrawings.depth(depth))
    #expect(frame[0, 0].red > frame[1, 0].red && frame[0, 0].red == frame[0, 0].blue)
    #expect(frame[2, 0].blue > frame[2, 0].red)
    let empty = try #require(SceneDepth(width: 1, height: 1, metres: [.nan]))
    #expect(SceneDrawings.depth(empty) == nil)
    let flat = try #require(SceneDepth(width: 2, height: 1, metres: [1, 1]))
    #expect(SceneDrawings.depth(flat) != nil)
  }

  @Test func `a drawing stands as its picture does, but for the spectrum, which has no top`() throws {
    let samples = ContiguousArray(repeating: UInt8(90), count: 128 * 64)
    let luma = try #require(Plane(width: 128, height: 64, samples: samples))
    let depth = try #require(SceneDepth(width: 2, height: 1, metres: [1, 2]))
    let picture = PlanarPicture(luma: luma, orientation: .quarterRight)
    let frames = SceneDrawings.frames(of: SceneCapture(picture: picture, depth: depth))
    #expect(frames.map(\.0) == [.depth, .spectrum, .tiles])
    #expect(frames[0].1.height == 2 && frames[0].1.width == 1)
    #expect(frames[1].1.height == frames[1].1.width)
    #expect(frames[2].1.height > frames[2].1.width)
    let small = SceneCapture(picture: PlanarPicture(luma: Plane()))
    #expect(SceneDrawings.frames(of: small).isEmpty)
  }
}
