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

  @Test func `a wave is two points in its spectrum, as far from the middle as it has periods`() throws {
    let side = 64
    let samples = ContiguousArray((0..<side * side).map { $0 % side % 8 < 4 ? UInt8(40) : 200 })
    let plane = try #require(Plane(width: side, height: side, samples: samples))
    let frame = try #require(SceneDrawings.spectrum(plane))
    let bright = (0..<side).filter { frame[$0, side / 2].red > 250 }
    #expect(bright.contains(side / 2 + 8) && bright.contains(side / 2 - 8))
    #expect(frame[side / 2 + 8, 3].red < 250 && frame[side / 2, side / 2 + 8].red < 250)
    #expect(SceneDrawings.spectrum(Plane()) == nil)
  }

  @Test func `tiles are red where there is much and blue where there is nothing`() throws {
    let plane = try #require(Plane(width: 4, height: 2, samples: [9, 9, 9, 9, 9, 9, 9, 9]))
    let marks = [TileMark(x: 0, y: 0, size: 1, height: 9), TileMark(x: 3, y: 1, size: 9, height: 0)]
    let frame = try #require(SceneDrawings.tiles(marks, over: plane))
    #expect(frame[0, 0].red > frame[0, 0].blue && frame[3, 1].blue > frame[3, 1].red)
    #expect(frame[1, 0].red == frame[1, 0].blue)
    #expect(SceneDrawings.tiles([], over: plane) == nil)
  }
}
