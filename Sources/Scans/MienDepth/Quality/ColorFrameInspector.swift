public import MienImaging

/// Grades the colour frames that were taken along while scanning: those that a quick hand has blurred, and those without light.
///
/// A dozen of them are looked at, spread over the scan.
public struct ColorFrameInspector: Sendable {
  /// So many are looked at, at most.
  public static let most = 12
  /// A longer side than this is reduced by a whole number before the sharpness is measured.
  private static let side = 320
  /// A picture below it is blurred: calibrated on the frames of phones and laptops, blurred by known movements
  /// (Documentation/Scanning.md).
  static let leastSharpness = 0.95
  /// Shares of the frames.
  private static let bounds = ScanQualitySettings.Bounds(good: 0.1, bad: 0.4)

  private var sharpness: [Double] = []
  private var dark = 0
  private var bright = 0
  private var count = 0

  public init() {}

  /// The numbers of the frames to look at, out of so many, in order.
  public static func chosen(of count: Int) -> [Int] {
    let chosen = min(max(count, 0), most)
    // In the middle of as many equal parts: neither where the hand begins to move nor where it comes to rest.
    return (0..<chosen).map { (2 * $0 + 1) * count / (2 * chosen) }
  }

  /// The next frame; an empty one is left out.
  public mutating func see(_ frame: Frame) {
    guard let light = ImageMeasures(frame, x: 0..<Float(frame.width), y: 0..<Float(frame.height)) else { return }
    count += 1
    if let found = Self.sharpness(of: frame) { sharpness.append(found) }
    // The bounds of a photo's light but for white: a face has none, while a room may have a lamp and a window in it.
    let isDim = light.luminanceMean.score < 50 && light.luminanceMean.native < 0.5
    if isDim || light.underExposure.score < 50 {
      dark += 1
    } else if light.luminanceMean.score < 50 || light.overExposure.native > 0.2 {
      bright += 1
    }
  }

  /// The findings; none when there was no colour frame.
  public var findings: [ScanFinding] { count == 0 ? [] : [blur, exposure] }

  private var blur: ScanFinding {
    guard !sharpness.isEmpty else {
      return ScanFinding(.colorSharpness, .notAssessed, value: nil, unit: "share", .colorSharpnessPlain)
    }
    let share = Double(sharpness.count { $0 < Self.leastSharpness }) / Double(sharpness.count)
    let grade = Self.bounds.grade(share)
    return ScanFinding(
      .colorSharpness, grade, value: share, unit: "share",
      [grade == .pass ? ScanDiagnostic(.colorSharpnessSharp) : Self.remark(.colorSharpnessBlurred, share)])
  }

  private var exposure: ScanFinding {
    let share = Double(dark + bright) / Double(count)
    let grade = Self.bounds.grade(share)
    guard grade != .pass else {
      return ScanFinding(.colorExposure, grade, value: share, unit: "share", .colorExposureWell)
    }
    return ScanFinding(
      .colorExposure, grade, value: share, unit: "share",
      [Self.remark(bright > dark ? .colorExposureBright : .colorExposureDark, share)])
  }

  private static func remark(_ code: ScanDiagnostic.Code, _ share: Double) -> ScanDiagnostic {
    ScanDiagnostic(code, ["percent": "\(Int((share * 100).rounded()))"])
  }

  /// How fast the luma's slope changes against how steep it is: mean |second difference| / mean |first difference|, along
  /// rows or along columns, whichever is less. A movement smooths its own direction only, and plain walls have little of either, which a
  /// measure of the edges alone takes for blur. About 1 to 1.6 for sharp frames; nil for a picture of one tone.
  static func sharpness(of frame: Frame) -> Double? {
    let factor = max(1, (max(frame.width, frame.height) + side - 1) / side)
    let (width, height) = (frame.width / factor, frame.height / factor)
    guard width >= 16, height >= 16 else { return nil }
    let luma = reduced(frame, by: factor, width, height)
    var (along, alongTwice, down, downTwice) = (0, 0, 0, 0)
    for y in 0..<height {
      let row = y * width
      for x in 1..<width { along += abs(luma[row + x] - luma[row + x - 1]) }
      for x in 2..<width { alongTwice += abs(luma[row + x] - 2 * luma[row + x - 1] + luma[row + x - 2]) }
    }
    for y in 1..<height {
      let row = y * width
      for x in 0..<width { down += abs(luma[row + x] - luma[row + x - width]) }
      guard y > 1 else { continue }
      for x in 0..<width {
        downTwice += abs(luma[row + x] - 2 * luma[row + x - width] + luma[row + x - 2 * width])
      }
    }
    // Half a step of 255 on the average: less is grain. The luma has eight bits more.
    guard along > 128 * width * height || down > 128 * width * height else { return nil }
    func ratio(_ second: Int, _ first: Int) -> Double { first == 0 ? .infinity : Double(second) / Double(first) }
    return min(ratio(alongTwice, along), ratio(downTwice, down))
  }

  /// The luma (BT.601 with weights of 256) of squares of `factor`, in 1/256 of a step.
  private static func reduced(_ frame: Frame, by factor: Int, _ width: Int, _ height: Int) -> ContiguousArray<Int> {
    var luma = ContiguousArray(repeating: 0, count: width * height)
    for y in 0..<height * factor {
      let (from, to) = (y * frame.width, y / factor * width)
      for x in 0..<width {
        var sum = 0
        for place in from + x * factor..<from + (x + 1) * factor {
          let pixel = frame.pixels[place]
          sum += 77 * Int(pixel.red) + 150 * Int(pixel.green) + 29 * Int(pixel.blue)
        }
        luma[to + x] += sum
      }
    }
    let area = factor * factor
    for place in luma.indices { luma[place] /= area }
    return luma
  }
}
