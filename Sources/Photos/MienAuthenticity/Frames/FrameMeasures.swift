public import MienCore
public import MienImaging
internal import RealModule

/// Measures one frame of a session for signs of a screen or print: the whole frame, and the face with its surroundings.
///
/// Both parts are averaged down to a fixed number of samples first, so that the size of the frame and the fine noise of
/// its compression matter little. The storage is reused for the next frame; must be used by one thread at a time.
public struct FrameMeasures {
  /// Names of the measurements, in the order of the values.
  public static let names: [String] =
    PartMeasures.names.map { "whole.\($0)" } + PartMeasures.names.map { "around.\($0)" } + FaceIllumination.names

  /// Side of the square around the face, in sides of the face's box.
  static let surroundings: Float = 3.2
  /// Number of samples of the whole frame and of the surroundings.
  static let samples = (whole: 49_152, around: 25_600)
  /// Minimum side of the surroundings inside the frame, in pixels.
  static let minimumSide = 150

  private var luma = Plane()
  private var part = PartMeasures()

  public init() {}

  /// Returns the measurements, or `nil` if the frame or the face is too small.
  public mutating func measure(_ frame: Frame, face: FaceBox) -> [Float]? {
    guard let around = Self.surroundings(of: face, in: frame), frame.width * frame.height >= Self.samples.whole,
      max(frame.width, frame.height) <= 3 * min(frame.width, frame.height)
    else { return nil }
    luma.convert(frame)
    let whole = PixelRect(x: 0, y: 0, width: frame.width, height: frame.height)
    let small = luma.averaged(whole, to: Self.samples.whole)
    let near = luma.averaged(around, to: Self.samples.around)
    let colors = (whole: ColorCells(frame, whole), around: ColorCells(frame, around))
    var values = part.measure(small, colors.whole)
    values += part.measure(near, colors.around)
    values += FaceIllumination.measure(luma, frame, face: face, whole: small, colors: colors.whole)
    return values
  }

  /// Returns the part of the frame around the face; `nil` if it is too small or too narrow.
  static func surroundings(of face: FaceBox, in frame: Frame) -> PixelRect? {
    guard face.isPlausible else { return nil }
    let (width, height) = (Float(frame.width), Float(frame.height))
    let half = max(face.width * width, face.height * height) * surroundings / 2
    let center = SIMD2(face.centerX * width, face.centerY * height)
    guard
      let rect = PixelRect(
        x: center.x - half..<center.x + half, y: center.y - half..<center.y + half, in: frame),
      min(rect.width, rect.height) >= minimumSide, max(rect.width, rect.height) <= 3 * min(rect.width, rect.height)
    else { return nil }
    return rect
  }
}

/// A rectangle of whole pixels inside a frame.
struct PixelRect: Hashable {
  var x: Int
  var y: Int
  var width: Int
  var height: Int

  init(x: Int, y: Int, width: Int, height: Int) {
    (self.x, self.y, self.width, self.height) = (x, y, width, height)
  }

  /// Clamps the ranges to the frame; `nil` if nothing is left.
  init?(x: Range<Float>, y: Range<Float>, in frame: Frame) {
    func clamped(_ range: Range<Float>, _ size: Int) -> Range<Int>? {
      let lower = Int(min(max(range.lowerBound, 0), Float(size)))
      let upper = Int(min(max(range.upperBound.rounded(.up), 0), Float(size)))
      return lower < upper ? lower..<upper : nil
    }
    guard x.lowerBound.isFinite, x.upperBound.isFinite, y.lowerBound.isFinite, y.upperBound.isFinite,
      let columns = clamped(x, frame.width), let rows = clamped(y, frame.height)
    else { return nil }
    self.init(x: columns.lowerBound, y: rows.lowerBound, width: columns.count, height: rows.count)
  }
}

extension Plane {
  /// Fills the plane with the luma (ITU-R BT.601 weights) of a frame.
  mutating func convert(_ frame: Frame) {
    reshape(width: frame.width, height: frame.height)
    let pixels = frame.pixels.span
    writeSamples { target in
      for index in pixels.indices {
        let packed = pixels[index].packed
        let (red, green, blue) = (packed & 255, packed >> 8 & 255, packed >> 16 & 255)
        target[index] = UInt8(truncatingIfNeeded: (19595 &* red &+ 38470 &* green &+ 7471 &* blue &+ 32768) >> 16)
      }
    }
  }

  /// Returns a part averaged down to about `count` samples of the same shape; a part with fewer pixels is returned as
  /// it is.
  ///
  /// - Precondition: the part lies inside the plane.
  func averaged(_ rect: PixelRect, to count: Int) -> Plane {
    let scale = (Float(count) / Float(rect.width * rect.height)).squareRoot()
    guard scale < 1 else { return part(x: rect.x, y: rect.y, width: rect.width, height: rect.height) }
    let columns = max(1, Int((Float(rect.width) * scale).rounded()))
    let rows = max(1, Int((Float(rect.height) * scale).rounded()))
    var small = Plane()
    small.reshape(width: columns, height: rows)
    let borders = (0...columns).map { $0 * rect.width / columns }
    var sums = [UInt32](repeating: 0, count: rect.width)
    let samples = samples.span
    let width = self.width
    small.writeSamples { target in
      var sums = sums.mutableSpan
      for row in 0..<rows {
        let (top, bottom) = (rect.y + row * rect.height / rows, rect.y + (row + 1) * rect.height / rows)
        for x in 0..<rect.width { sums[x] = 0 }
        for y in top..<bottom {
          let line = samples.extracting(y * width + rect.x..<y * width + rect.x + rect.width)
          for x in 0..<rect.width { sums[x] &+= UInt32(line[x]) }
        }
        for column in 0..<columns {
          var sum: UInt32 = 0
          for x in borders[column]..<borders[column + 1] { sum &+= sums[x] }
          let area = UInt32((borders[column + 1] - borders[column]) * (bottom - top))
          target[row * columns + column] = UInt8(truncatingIfNeeded: (sum &+ area / 2) / area)
        }
      }
    }
    return small
  }
}

/// Measurements of one downscaled part of a frame.
struct PartMeasures {
  static let names: [String] =
    SceneLayout.names + GrainStatistics.names + SpectrumStatistics.names
    + ["banding", "bezel.best", "bezel"] + ColorCells.names

  private static let spectrumSize = 128
  private var grain = GrainStatistics()
  private var spectrum = TileSpectrum(size: PartMeasures.spectrumSize)
  private var statistics = SpectrumStatistics(map: SpectrumMap.of(size: PartMeasures.spectrumSize))

  /// Measures a plane whose shorter side has at least 64 samples.
  mutating func measure(_ plane: Plane, _ colors: ColorCells) -> [Float] {
    let side = min(plane.width, plane.height)
    var values = SceneLayout.measure(plane)
    values += grain.measure(plane, x: (plane.width - side) / 2, y: (plane.height - side) / 2, size: side)
    if side >= Self.spectrumSize {
      spectrum.measure(
        plane, x: (plane.width - Self.spectrumSize) / 2, y: (plane.height - Self.spectrumSize) / 2)
      statistics.measure(spectrum.logPower)
      values += statistics.values
    } else {
      values += [Float](repeating: 0, count: SpectrumStatistics.names.count)
    }
    let lines = BezelCheck().coverage(plane)
    return values + [Float(BandingCheck().native(plane)), lines.first, lines.second] + colors.values
  }
}
