public import MienImaging

/// Grades the color frames captured during a scan: the share of motion-blurred and of badly exposed frames.
///
/// Inspects up to a dozen frames, spread over the scan.
public struct ColorFrameInspector: Sendable {
  /// Maximum number of frames inspected.
  public static let most = 12
  /// Images with a longer side than this are downscaled by an integer factor before sharpness is measured.
  private static let side = 320
  /// Sharpness below which an image counts as blurred, calibrated on frames of phones and laptops with known motion
  /// blur (Documentation/guides/Scans.md).
  static let leastSharpness = 0.95
  /// Bounds of the share of frames.
  private static let bounds = ScanQualitySettings.Bounds(good: 0.1, bad: 0.4)

  private var sharpness: [Double] = []
  private var dark = 0
  private var bright = 0
  private var count = 0

  public init() {}

  /// Returns the indices of the frames to inspect among `count`, in order.
  public static func chosen(of count: Int) -> [Int] {
    let chosen = min(max(count, 0), most)
    // Centers of equal parts, to avoid the start and end of the camera motion.
    return (0..<chosen).map { (2 * $0 + 1) * count / (2 * chosen) }
  }

  /// Inspects the next frame; empty frames are ignored.
  public mutating func see(_ frame: Frame) {
    guard let light = ImageMeasures(frame, x: 0..<Float(frame.width), y: 0..<Float(frame.height)) else { return }
    count += 1
    if let found = Self.sharpness(of: frame) { sharpness.append(found) }
    // Same bounds as for the exposure of photos, except for overexposure: a face has no white areas, but a scene may
    // contain a lamp or a window.
    let isDim = light.luminanceMean.score < 50 && light.luminanceMean.native < 0.5
    if isDim || light.underExposure.score < 50 {
      dark += 1
    } else if light.luminanceMean.score < 50 || light.overExposure.native > 0.2 {
      bright += 1
    }
  }

  /// Findings; empty without color frames.
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

  /// Returns how fast the luma slope changes relative to its steepness: mean |second difference| / mean |first
  /// difference|, along rows or columns, whichever is less. Motion blur smooths only its own direction, and featureless
  /// backgrounds have little of either, which a purely edge-based measure would mistake for blur. About 1 to 1.6 for
  /// sharp frames; nil for uniform images.
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
    // Half a step of 255 on average; anything less is noise. The luma has eight extra bits.
    guard along > 128 * width * height || down > 128 * width * height else { return nil }
    func ratio(_ second: Int, _ first: Int) -> Double { first == 0 ? .infinity : Double(second) / Double(first) }
    return min(ratio(alongTwice, along), ratio(downTwice, down))
  }

  /// Returns the mean luma (BT.601 with weights of 256) of `factor` × `factor` squares, in 1/256 of a step.
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
