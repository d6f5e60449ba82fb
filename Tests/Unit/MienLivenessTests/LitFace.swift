import MienCore
import MienLiveness
import RealModule

/// Simulated face that a screen lights.
struct LitFace {
  /// Share of the screen's light in the light on the face.
  var gain: Double
  /// Standard deviation of the drift of the color ratios per half second.
  var drift = 0.007
  /// Noise of the color of a part in one frame.
  var noise = 0.003
  /// Gains of forehead, nose, right and left cheek relative to the mean.
  var relief = SIMD4(0.97, 1.14, 0.95, 0.94)
  /// Gain of the background; `nil` if none is visible.
  var background: Double?
  /// Share of every change that automatic white balance removes at once.
  var whiteBalance = 0.0
  /// Time in which the screen fades to a color, and delay of what the camera sees.
  var fade = 0.15
  var delay = 0.1

  private var shown: [(at: Double, color: LightColor)] = []
  private var drifted = SIMD2<Double>.zero
  private var last: Double?

  init(gain: Double) { self.gain = gain }

  /// Gain for which all parts answer alike, as a picture does.
  static func flat(_ gain: Double) -> LitFace {
    var face = LitFace(gain: gain)
    face.relief = SIMD4(repeating: 1)
    return face
  }

  private static let unit =
    LightColor.sequence.reduce(0) { $0 + $1.linear.sum() } / Double(3 * LightColor.sequence.count)

  /// Returns the colors of a frame; `color` is shown from now on.
  mutating func face(at time: Double, showing color: LightColor, _ generator: inout SeededGenerator) -> FaceLight {
    if shown.last?.color != color { shown.append((time, color)) }
    let step = drift * ((time - (last ?? time)) / 0.5).squareRoot()
    last = time
    drifted += step * SIMD2(Double(generator.normal()), Double(generator.normal()))
    let screen = light(at: time - delay) / Self.unit
    let balance = SIMD3(repeating: 1.0) + whiteBalance * gain * screen
    func part(_ relief: Double) -> SIMD3<Float> {
      let sum = (SIMD3(repeating: 1.0) + gain * relief * screen) / balance
      let common = SIMD3(drifted.y, 0, drifted.x)
      var color = SIMD3<Float>.zero
      for channel in 0..<3 {
        let disturbed = common[channel] + noise * Double(generator.normal())
        color[channel] = Float(0.2 * sum[channel] * Double.exp(disturbed))
      }
      return color
    }
    var face = FaceLight(
      forehead: part(relief[0]), nose: part(relief[1]), rightCheek: part(relief[2]), leftCheek: part(relief[3]))
    if let background { face.background = part(background) }
    return face
  }

  private func light(at time: Double) -> SIMD3<Double> {
    guard let index = shown.lastIndex(where: { $0.at <= time }) else { return LightColor.pearl.linear }
    let before = index > 0 ? shown[index - 1].color.linear : LightColor.pearl.linear
    let share = min((time - shown[index].at) / fade, 1)
    return share * shown[index].color.linear + (1 - share) * before
  }
}
