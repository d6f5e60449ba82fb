internal import MienCore
internal import RealModule

/// Judges whether a face follows a sequence of colors.
///
/// The screen adds a share of light to the face, so that the logarithms of its color ratios follow those of the shown colors,
/// times that share: the *gain*. The means of the ratios over each color are compared as *steps* from color to color, which
/// slow drift does not disturb. The comparison is repeated with the answer's delay, with and without the background as the
/// reference for automatic white balance, and at several strengths of the screen; the best one counts.
///
/// Gains must also differ over the face, since the tip of the nose is nearer to the screen than the cheeks are and faces it:
/// a picture on paper or on another screen has one gain.
public enum LightJudge {
  /// Outcome of a sequence.
  public enum Outcome: Hashable, Sendable {
    /// The face follows the sequence, with gains that differ over it.
    case followed
    /// The face changes its color clearly, and not as the sequence does.
    case foreign
    /// The face follows the sequence like a flat picture.
    case flat
    /// The sequence cannot be assessed: too little light of the screen, or too much change of other light.
    case unclear
    /// A color has no frame.
    case tooFewFrames
  }

  /// Measures of a sequence.
  public struct Measures: Hashable, Sendable {
    public var outcome: Outcome
    /// Correlation of the steps, −1…1.
    public var correlation = 0.0
    /// Share of the screen's light in the light on the face.
    public var gain = 0.0
    /// Standard deviation per step of what the sequence does not explain.
    public var residual = 0.0
    /// All change of the face, as a share of light.
    public var response = 0.0
    /// Delay of the answer in seconds.
    public var delay = 0.0
    /// Largest difference of two gains over the face, relative to the gain, and its standard error.
    public var relief = 0.0
    public var reliefError = 0.0

    init(_ outcome: Outcome) { self.outcome = outcome }
  }

  /// Share of each color's time that is ignored at its beginning, while the color fades in.
  fileprivate static let fading = 0.4
  /// Steps of the search for the delay in seconds, and its end: later answers are recognized, but not accepted.
  private static let delayStep = 0.05
  private static let longestDelay = 1.2
  /// Strengths of the screen for which the steps are predicted: they are not proportional to strong light.
  private static let strengths = [0.1, 0.5, 2]

  public static func judge(
    _ frames: [LightFrame], colors: [LightColor], settings: LightSettings = .standard
  ) -> Measures {
    let shown = [.pearl] + colors
    let plain = steps(shown.map { predicted($0, strength: 0) })
    let models = strengths.map { strength in steps(shown.map { predicted($0, strength: strength) }) }
    let hasBackground = frames.count { !$0.background.x.isNaN } * 10 >= frames.count * 9
    var best: Fit?
    var late: Fit?
    for number in 0...Int(longestDelay / delayStep) {
      let delay = Double(number) * delayStep
      let isLate = delay > settings.delay.inSeconds + 0.001
      guard let means = Means(frames, delay: delay, colors: colors.count, needsAll: !isLate) else { continue }
      for usesBackground in hasBackground ? [false, true] : [false] {
        let signal = steps(means.face(usesBackground))
        for model in models {
          let fit = Fit(signal, model: model, plain: plain, means: means, delay: delay)
          if isLate {
            if fit.correlation > late?.correlation ?? -1 { late = fit }
          } else if fit.correlation > best?.correlation ?? -1 {
            best = fit
          }
        }
      }
    }
    guard let best else { return Measures(.tooFewFrames) }
    return measures(best, late, settings)
  }

  private static func measures(_ best: Fit, _ late: Fit?, _ settings: LightSettings) -> Measures {
    var measures = Measures(.unclear)
    measures.correlation = best.correlation
    measures.gain = best.gain
    measures.residual = best.residual
    measures.response = best.response
    measures.delay = best.delay
    if best.gain > 0 {
      let (difference, error) = best.relief
      measures.relief = difference / best.gain
      measures.reliefError = error / best.gain
    }
    guard best.correlation >= settings.correlation, best.gain >= settings.gain,
      best.residual <= settings.residual + settings.residualGrowth * best.gain
    else {
      // An answer after the longest delay is no attack.
      let follows = max(best.correlation, late?.correlation ?? -1)
      if best.response >= settings.foreignResponse, follows < settings.foreignCorrelation {
        measures.outcome = .foreign
      }
      return measures
    }
    if measures.relief >= max(settings.relief, settings.reliefErrors * measures.reliefError) {
      measures.outcome = .followed
    } else if measures.relief + 3 * measures.reliefError < settings.relief {
      measures.outcome = .flat
    }
    return measures
  }

  /// Color ratios that light of a color adds per share of light; the palette's mean is the unit.
  private static func predicted(_ color: LightColor, strength: Double) -> SIMD2<Double> {
    let light = color.linear / unit
    guard strength > 0 else { return SIMD2(light.z - light.y, light.x - light.y) }
    let sum = SIMD3(repeating: 1.0) + strength * light
    return SIMD2(.log(sum.z / sum.y), .log(sum.x / sum.y)) / strength
  }

  /// Mean of the palette's channels.
  private static let unit =
    LightColor.sequence.reduce(0) { $0 + $1.linear.sum() } / Double(3 * LightColor.sequence.count)

  fileprivate static func steps(_ values: [SIMD2<Double>]) -> [SIMD2<Double>] {
    zip(values.dropFirst(), values).map { $0 - $1 }
  }
}

/// Means of the color ratios over each color.
private struct Means {
  private var sums: [SIMD8<Double>]
  private var backgrounds: [SIMD2<Double>]

  /// Returns `nil` if a color has no frame; the last one needs none if not all are needed.
  init?(_ frames: [LightFrame], delay: Double, colors: Int, needsAll: Bool) {
    sums = Array(repeating: .zero, count: colors + 1)
    backgrounds = Array(repeating: .zero, count: colors + 1)
    var counts = Array(repeating: 0.0, count: colors + 1)
    var visible = counts
    let dwell = LightTask.dwell.inSeconds
    for frame in frames {
      let since = (Double(frame.after) - delay) / dwell
      let index = since < 0 ? 0 : Int(since) + 1
      guard index <= colors, since < 0 || since - since.rounded(.down) >= LightJudge.fading else { continue }
      sums[index] += SIMD8<Double>(frame.face)
      counts[index] += 1
      guard !frame.background.x.isNaN else { continue }
      backgrounds[index] += SIMD2<Double>(frame.background)
      visible[index] += 1
    }
    if !needsAll, counts[colors] == 0 {
      sums.removeLast()
      backgrounds.removeLast()
      counts.removeLast()
    }
    guard counts.allSatisfy({ $0 > 0 }) else { return nil }
    for index in sums.indices {
      sums[index] /= counts[index]
      backgrounds[index] /= visible[index]
    }
  }

  /// Mean of the parts of the face, relative to the background if that is used and visible in every color.
  func face(_ usesBackground: Bool) -> [SIMD2<Double>] {
    sums.indices.map { index in
      let mean = (part(0, index) + part(1, index) + part(2, index) + part(3, index)) / 4
      return usesBackground ? mean - backgrounds[index] : mean
    }
  }

  /// Differences of two parts of the face that white balance does not change: nose and cheeks, forehead and cheeks, the cheeks.
  var contrasts: [[SIMD2<Double>]] {
    let indices = sums.indices
    return [
      indices.map { part(1, $0) - (part(2, $0) + part(3, $0)) / 2 },
      indices.map { part(0, $0) - (part(2, $0) + part(3, $0)) / 2 },
      indices.map { part(2, $0) - part(3, $0) },
    ]
  }

  private func part(_ number: Int, _ index: Int) -> SIMD2<Double> {
    SIMD2(sums[index][2 * number], sums[index][2 * number + 1])
  }
}

/// Least-squares fit of predicted steps to those of a face.
private struct Fit {
  let correlation: Double
  let gain: Double
  let residual: Double
  let response: Double
  let delay: Double
  private let means: Means
  private let model: [SIMD2<Double>]
  /// Converts the model's slope to a share of light.
  private let scale: Double

  init(
    _ signal: [SIMD2<Double>], model: [SIMD2<Double>], plain: [SIMD2<Double>], means: Means, delay: Double
  ) {
    let model = Array(model.prefix(signal.count))
    let plain = Self.product(plain.prefix(signal.count), plain.prefix(signal.count))
    let energy = Self.product(model, model)
    let shared = Self.product(model, signal)
    let whole = Self.product(signal, signal)
    scale = (energy / plain).squareRoot()
    // NaN for a background that is not visible in every color.
    correlation = whole > 0 ? shared / (energy * whole).squareRoot() : whole.isNaN ? -1 : 0
    gain = shared / energy * scale
    residual = Self.deviation(whole, shared, energy, signal.count)
    response = (whole / plain).squareRoot()
    self.delay = delay
    self.means = means
    self.model = model
  }

  /// The clearest difference of two gains over the face, and its standard error.
  var relief: (difference: Double, error: Double) {
    let energy = Self.product(model, model)
    var clearest = (difference: 0.0, error: Double.infinity)
    for contrast in means.contrasts {
      let signal = LightJudge.steps(contrast)
      let shared = Self.product(model, signal)
      let deviation = Self.deviation(Self.product(signal, signal), shared, energy, signal.count)
      let difference = abs(shared / energy) * scale
      // Quantized pixels have steps of a ten-thousandth.
      let error = max(deviation, 0.0001) / energy.squareRoot() * scale
      if difference * clearest.error > clearest.difference * error || clearest.error.isInfinite {
        clearest = (difference, error)
      }
    }
    return clearest
  }

  private static func deviation(_ whole: Double, _ shared: Double, _ energy: Double, _ count: Int) -> Double {
    (max(whole - shared * shared / energy, 0) / Double(2 * count - 1)).squareRoot()
  }

  private static func product(_ left: some Sequence<SIMD2<Double>>, _ right: some Sequence<SIMD2<Double>>) -> Double {
    zip(left, right).reduce(0) { $0 + ($1.0 * $1.1).sum() }
  }
}
