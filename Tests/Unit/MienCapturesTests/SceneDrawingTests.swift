import MienAuthenticity
import MienImaging
import Testing

@testable import MienCaptures

@Suite struct `Scene visualizations` {
  @Test func `near depth is bright and missing depth is blue`() throws {
    let depth = try #require(CaptureDepthMap(width: 3, height: 1, meters: [1, 2, .nan]))
    let frame = try #require(AnalysisVisualizer.depth(depth))
    #expect(frame[0, 0].red > frame[1, 0].red && frame[0, 0].red == frame[0, 0].blue)
    #expect(frame[2, 0].blue > frame[2, 0].red)
    let empty = try #require(CaptureDepthMap(width: 1, height: 1, meters: [.nan]))
    #expect(AnalysisVisualizer.depth(empty) == nil)
    let flat = try #require(CaptureDepthMap(width: 2, height: 1, meters: [1, 1]))
    #expect(AnalysisVisualizer.depth(flat) != nil)
  }

  @Test func `a visualization has the image's orientation except for the spectrum`() throws {
    let samples = ContiguousArray(repeating: UInt8(90), count: 128 * 64)
    let luma = try #require(Plane(width: 128, height: 64, samples: samples))
    let depth = try #require(CaptureDepthMap(width: 2, height: 1, meters: [1, 2]))
    let image = YCbCrImage(luma: luma, orientation: .quarterRight)
    let frames = AnalysisVisualizer.frames(of: CaptureInput(image: image, depth: depth))
    #expect(frames.map(\.0) == [.depth, .spectrum, .tiles])
    #expect(frames[0].1.height == 2 && frames[0].1.width == 1)
    #expect(frames[1].1.height == frames[1].1.width)
    #expect(frames[2].1.height > frames[2].1.width)
    let small = CaptureInput(image: YCbCrImage(luma: Plane()))
    #expect(AnalysisVisualizer.frames(of: small).isEmpty)
  }
}
