public import MienImaging
internal import RealModule

/// Exposure measures of a photo, following ISO/IEC 29794-5 in the closed forms of its reference implementation (OFIQ
/// 1.0).
///
/// Each has a native value and a score from 0 to 100. They use the BT.709 luma in a rectangle (the face, if one was
/// found), whereas the standard uses the landmark outline in an aligned image; values are close, but not identical.
public struct ImageMeasures: Hashable, Sendable {
  /// Native value and its score, 0 to 100.
  public struct Measure: Hashable, Sendable {
    public let native: Double
    public let score: Double
  }

  /// Mean luma, 0 to 1; score 100 · σ(m; 0.2, 0.05) · (1 − σ(m; 0.8, 0.05)).
  public let luminanceMean: Measure
  /// Variance of the luma; score 100 · sin(π · 60v / (60v + 1)).
  public let luminanceVariance: Measure
  /// Share of luma 0…25; score 120 · (0.832 − σ(s; 0.92, 0.05)).
  public let underExposure: Measure
  /// Share of luma 247…255; score 1 / (s + 0.01).
  public let overExposure: Measure
  /// Entropy of the luma histogram in bits; score 12.5 · bits.
  public let dynamicRange: Measure

  /// Measures a region of an image; returns nil if the region has no pixels.
  ///
  /// - Parameters:
  ///   - frame: the image.
  ///   - x: columns in pixels; the part outside the image is ignored.
  ///   - y: rows in pixels.
  public init?(_ frame: Frame, x: Range<Float>, y: Range<Float>) {
    func inside(_ range: Range<Float>, _ size: Int) -> Range<Int>? {
      guard range.lowerBound.isFinite, range.upperBound.isFinite else { return nil }
      let low = Int(min(max(range.lowerBound, 0), Float(size)))
      let high = Int(min(max(range.upperBound.rounded(.up), 0), Float(size)))
      return low < high ? low..<high : nil
    }
    guard let columns = inside(x, frame.width), let rows = inside(y, frame.height) else { return nil }
    var histogram = ContiguousArray<Int>(repeating: 0, count: 256)
    for row in rows {
      for column in columns {
        let pixel = frame.pixels[row * frame.width + column]
        let luma = 2126 * Int(pixel.red) + 7152 * Int(pixel.green) + 722 * Int(pixel.blue)
        histogram[(luma + 5000) / 10_000] += 1
      }
    }
    self.init(histogram: histogram.map(Double.init), total: Double(rows.count * columns.count))
  }

  private init(histogram: [Double], total: Double) {
    let shares = histogram.map { $0 / total }
    let mean = shares.enumerated().reduce(0) { $0 + $1.element * Double($1.offset) / 255 }
    luminanceMean = Measure(
      native: mean,
      score: (100 * SmallMath.sigmoid(mean, middle: 0.2, width: 0.05)
        * (1 - SmallMath.sigmoid(mean, middle: 0.8, width: 0.05))).rounded())
    let variance = shares.enumerated().reduce(0) { sum, entry in
      let distance = Double(entry.offset) / 255 - mean
      return sum + entry.element * distance * distance
    }
    luminanceVariance = Measure(
      native: variance, score: (100 * Double.sin(.pi * 60 * variance / (60 * variance + 1))).rounded())
    let dark = shares[0...25].reduce(0, +)
    underExposure = Measure(
      native: dark,
      score: min(100, max(0, (120 * (0.832 - SmallMath.sigmoid(dark, middle: 0.92, width: 0.05))).rounded())))
    let bright = shares[247...255].reduce(0, +)
    overExposure = Measure(native: bright, score: min(100, (1 / (bright + 0.01)).rounded()))
    let entropy = shares.reduce(0) { $0 - ($1 > 0 ? $1 * Double.log2($1) : 0) }
    dynamicRange = Measure(native: entropy, score: min(100, 12.5 * entropy))
  }
}
