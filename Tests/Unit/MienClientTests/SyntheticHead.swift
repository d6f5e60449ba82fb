import Foundation
import MienApple
import MienCore
import MienScanFormat

/// Depth captures of a rendered head or board, as a landscape sensor measures them on a phone that is held upright.
enum SyntheticHead {
  private static let (width, height, focal) = (160, 120, 210.0)

  /// - Parameter seed: changes the noise, so that no capture repeats another.
  static func capture(_ seed: Int, flat: Bool = false) -> [UInt8] {
    var random = UInt64(seed) &* 0x9E37_79B9_7F4A_7C15 | 1
    func noise() -> Double {
      random ^= random << 13
      random ^= random >> 7
      random ^= random << 17
      return Double(random % 10_000) / 10_000 - 0.5
    }
    var meters = [Float](repeating: 0, count: width * height)
    for row in 0..<height {
      for column in 0..<width {
        // The upright picture is the sensor's turned by 90° clockwise: its x is −row, its y is the column.
        let x = -(Double(row) - Double(height - 1) / 2) / focal
        let y = (Double(column) - Double(width - 1) / 2) / focal
        var z = 400.0
        if !flat { for _ in 0..<4 { z = 400 - rise(x * z, y * z) } }
        meters[row * width + column] = Float((z + 1.5 * noise()) / 1000)
      }
    }
    let lens = PinholeIntrinsics(
      fx: Float(focal), fy: Float(focal), cx: Float(width - 1) / 2, cy: Float(height - 1) / 2)
    let wide = Float(150 * focal / 400 / Double(height))
    let high = Float(190 * focal / 400 / Double(width))
    let face = FaceBox(x: 0.5 - wide / 2, y: 0.5 - high / 2, width: wide, height: high)
    guard let map = MetricDepthMap(width: width, height: height, meters: meters) else { return [] }
    return FaceDepthCapture.encoded(map, lens, face: face, at: Double(seed) + 1) ?? []
  }

  /// Height of the front of an ellipsoid with nose, eye sockets and chin, in millimeters.
  private static func rise(_ x: Double, _ y: Double) -> Double {
    func bump(_ x: Double, _ y: Double, _ wide: Double, _ high: Double) -> Double {
      1 / pow(1 + pow(x / wide, 2) + pow(y / high, 2), 2)
    }
    var tall = 85 * max(0, 1 - pow(x / 88, 2) - pow(y / 125, 2)).squareRoot() - 85
    tall += 20 * bump(x, y - 12, 17, 24) - 8 * (bump(x - 32, y + 22, 17, 14) + bump(x + 32, y + 22, 17, 14))
    return tall + 6 * bump(x, y - 80, 22, 14)
  }
}
