import Foundation
import MienCodecs
import MienImaging

/// Measured photo: 4000 × 3000 pixels, as stored by a phone.
enum Photo {
  static let (width, height) = (4000, 3000)

  /// Returns the given photo, extended by mirror images if it is too small, or a synthetic one.
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

  /// Tiles the frame with its mirror images, so that the scale of details does not change.
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

  /// Draws soft light, increasingly fine stripes and sensor noise, with a file size similar to that of a real photo.
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
