public import MienImaging

/// Visualizations of an image's analysis, for human inspection.
public struct AnalysisVisualizations: Sendable {
  /// Mean luma spectrum of the tiles, with frequency 0 in the center; brighter is stronger.
  public let spectrum: Frame
  /// Downscaled grayscale image in file orientation; the redder a tile, the higher its strongest peak.
  public let tiles: Frame
}

extension CaptureAnalyzer {
  /// Renders the visualizations of an image; returns nil for images too small to be measured.
  ///
  /// - Parameter parts: outputs of the image's jobs; tiles measured there are not measured again.
  public func exhibits(_ image: SampledImage, from parts: [Part] = []) -> AnalysisVisualizations? {
    guard let measures = parts.compactMap(\.tiles).first ?? TileMeasures(image) else { return nil }
    return AnalysisVisualizations(spectrum: Self.spectrum(measures), tiles: Self.heat(image, measures))
  }

  private static func spectrum(_ measures: TileMeasures) -> Frame {
    let size = measures.grid.size
    let values = measures.meanSpectrum
    // ln of the power of white noise of 0.25 to 250 gray levels.
    let (low, high): (Float, Float) = (-2.8, 11)
    var frame = Frame(width: size, height: size)
    for y in 0..<size {
      for x in 0..<size {
        var (fy, fx) = (y - size / 2, x - size / 2)
        if fx < 0 { (fy, fx) = (-fy, -fx) }
        let column = min(fx, size / 2 - 1)
        let value = values[(fy + size) % size * (size / 2) + column]
        let tone = UInt8(min(max((value - low) / (high - low), 0), 1) * 255)
        frame[x, y] = Pixel(red: tone, green: tone, blue: tone)
      }
    }
    return frame
  }

  private static func heat(_ image: SampledImage, _ measures: TileMeasures) -> Frame {
    let coarse = image.coarse
    let factor = max(1, image.width / coarse.width)
    var frame = Frame(width: coarse.width, height: coarse.height)
    for (index, tone) in coarse.samples.enumerated() {
      frame[index % coarse.width, index / coarse.width] = Pixel(red: tone, green: tone, blue: tone)
    }
    let side = max(1, measures.grid.size / factor)
    for (corner, height) in zip(measures.grid.corners, measures.heights) {
      // Noise alone reaches about 1.5; a clear grid reaches 4 and more.
      let heat = min(max((height - 1.5) / 2.5, 0), 1)
      for y in corner.y / factor..<min(corner.y / factor + side, coarse.height) {
        for x in corner.x / factor..<min(corner.x / factor + side, coarse.width) {
          let old = frame[x, y]
          let isRim =
            y == corner.y / factor || x == corner.x / factor || y == corner.y / factor + side - 1
            || x == corner.x / factor + side - 1
          let weight = isRim ? max(0.35, heat) : heat * 0.5
          func mixed(_ value: UInt8, _ target: Float) -> UInt8 {
            UInt8(Float(value) + (target - Float(value)) * weight)
          }
          frame[x, y] = Pixel(red: mixed(old.red, 230), green: mixed(old.green, 60), blue: mixed(old.blue, 40))
        }
      }
    }
    return frame
  }
}
