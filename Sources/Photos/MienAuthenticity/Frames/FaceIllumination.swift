import MienCore
import MienImaging
internal import RealModule

/// Light, contrast and sharpness of the face compared with the rest of the frame.
///
/// A screen emits light: the face on it is brighter and bluer than the room, its blacks are lifted or crushed, and its
/// sharpness is limited by the resolution of the screen.
enum FaceIllumination {
  static let names: [String] = [
    "size", "light", "contrast", "dark", "bright", "clipped", "sharpness", "sharper", "blue", "red", "margin",
  ].map { "face.\($0)" }

  static func measure(
    _ luma: Plane, _ frame: Frame, face: FaceBox, whole: Plane, colors: ColorCells
  ) -> [Float] {
    let (width, height) = (Float(frame.width), Float(frame.height))
    guard
      let rect = PixelRect(
        x: face.x * width..<(face.x + face.width) * width, y: face.y * height..<(face.y + face.height) * height,
        in: frame), rect.width >= 8, rect.height >= 8
    else { return [Float](repeating: 0, count: names.count) }
    let inner = tones(luma, rect)
    let all = tones(whole, PixelRect(x: 0, y: 0, width: whole.width, height: whole.height))
    let mean = ColorCells(frame, rect).cells.reduce(SIMD3<Float>.zero, +) / 256
    let other = colors.cells.reduce(SIMD3<Float>.zero, +) / 256
    let steps = (
      face: steps(luma, rect), all: steps(luma, PixelRect(x: 0, y: 0, width: luma.width, height: luma.height))
    )
    return [
      Float.log(Float(rect.height) / height), Float.log((inner.mean + 8) / (all.mean + 8)),
      Float.log((inner.spread + 4) / (all.spread + 4)), inner.dark / 255, inner.bright / 255, inner.clipped,
      Float.log(steps.face + 0.2), Float.log((steps.face + 0.2) / (steps.all + 0.2)), mean.x - other.x,
      mean.y - other.y,
      min(face.x, face.y, 1 - face.x - face.width, 1 - face.y - face.height),
    ]
  }

  private struct Tones {
    var mean: Float
    var spread: Float
    var dark: Float
    var bright: Float
    /// Share of samples at or above 250.
    var clipped: Float
  }

  private static func tones(_ plane: Plane, _ rect: PixelRect) -> Tones {
    let samples = plane.samples.span
    var histogram = [Int](repeating: 0, count: 256)
    let step = max(1, min(rect.width, rect.height) / 64)
    var count = 0
    for y in stride(from: rect.y, to: rect.y + rect.height, by: step) {
      for x in stride(from: rect.x, to: rect.x + rect.width, by: step) {
        histogram[Int(samples[y * plane.width + x])] += 1
        count += 1
      }
    }
    var (sum, square) = (0, 0)
    for (tone, number) in histogram.enumerated() {
      sum += tone * number
      square += tone * tone * number
    }
    func quantile(_ share: Float) -> Float {
      var left = share * Float(count)
      for (tone, number) in histogram.enumerated() {
        left -= Float(number)
        if left <= 0 { return Float(tone) }
      }
      return 255
    }
    let mean = Float(sum) / Float(count)
    let variance = max(Float(square) / Float(count) - mean * mean, 0)
    return Tones(
      mean: mean, spread: variance.squareRoot(), dark: quantile(0.02), bright: quantile(0.98),
      clipped: Float(histogram[250...].reduce(0, +)) / Float(count))
  }

  /// Returns the mean absolute Laplacian of every fourth sample.
  private static func steps(_ plane: Plane, _ rect: PixelRect) -> Float {
    let samples = plane.samples.span
    let width = plane.width
    var (sum, count) = (0, 0)
    for y in stride(from: max(rect.y, 1), to: min(rect.y + rect.height, plane.height - 1), by: 2) {
      for x in stride(from: max(rect.x, 1), to: min(rect.x + rect.width, width - 1), by: 2) {
        let at = y * width + x
        sum += abs(
          4 * Int(samples[at]) - Int(samples[at - 1]) - Int(samples[at + 1]) - Int(samples[at - width])
            - Int(samples[at + width]))
        count += 1
      }
    }
    return count > 0 ? Float(sum) / Float(count) : 0
  }
}
