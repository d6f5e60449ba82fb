import Foundation
import MienCodecs
import MienImaging

/// The picture that is measured: 4000 × 3000 pixels, as a phone stores it.
enum Photo {
  static let (width, height) = (4000, 3000)

  /// A picture of the full size: the given file, with its mirror image where it is too small, or one drawn here.
  static func make(from path: String?) throws -> [UInt8] {
    var frame = Frame()
    if let path {
      let bytes = [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
      var decoder = try ImageDecoder()
      try decoder.decode(bytes, into: &frame)
      if frame.width * frame.height >= width * height { return bytes }
    } else {
      frame = drawn()
    }
    let encoder = try JPEGEncoder()
    return try encoder.encode(mirrored(frame), quality: 92)
  }

  /// The frame and its mirror images side by side, so that no detail is made finer or coarser.
  private static func mirrored(_ source: Frame) -> Frame {
    func fold(_ place: Int, _ side: Int) -> Int {
      let turn = place % (2 * side)
      return turn < side ? turn : 2 * side - 1 - turn
    }
    var frame = Frame(width: width, height: height)
    for y in 0..<height {
      for x in 0..<width { frame[x, y] = source[fold(x, source.width), fold(y, source.height)] }
    }
    return frame
  }

  /// Soft light, stripes that grow finer, and the grain of a sensor: about the bytes of a real photograph.
  private static func drawn() -> Frame {
    var frame = Frame(width: width, height: height)
    var state: UInt64 = 0x9E37_79B9_7F4A_7C15
    for y in 0..<height {
      for x in 0..<width {
        state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
        let grain = Int(state >> 60) - 8 + Int(state >> 56 & 15) - 8
        let scene = 128 + 60 * sin(Double(x) / 310) * cos(Double(y) / 270) + 24 * sin(Double(x * x + y * y) / 90_000)
        let tone = UInt8(clamping: Int(scene) + grain / 2)
        frame[x, y] = Pixel(red: tone, green: UInt8(clamping: Int(tone) - 6), blue: UInt8(clamping: Int(tone) - 14))
      }
    }
    return frame
  }
}
