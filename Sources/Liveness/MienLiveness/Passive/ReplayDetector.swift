internal import MienCore

/// Detects repeated sequences of frames, forward (a loop) or backward (back and forth).
///
/// Each frame is reduced to a signature of eight numbers: position and size of the face, the nose relative to the eyes, and the openings
/// of mouth and eyes, all in eye distances. One counter per lag holds the number of consecutive frames that matched at that lag, and one
/// per mirror point does the same for reversed sequences. A run counts only if the face moved in it. Signatures are stored as multiples
/// of 1/512 eye distance and grow with the frames, because thousands of checks may be active at once.
struct ReplayDetector: Sendable {
  private let settings: RepetitionSettings
  /// Eye distance of the first frame: a unit that does not change with the face.
  private var unit: Float?
  private var seen = 0
  private var signatures: ContiguousArray<SIMD8<Int16>> = []
  private var travels: ContiguousArray<Float> = []
  private var anchor = SIMD8<Float>(repeating: 0)
  private var travel: Float = 0
  /// Run length for each lag.
  private var forward: ContiguousArray<UInt16>
  /// Run length for each sum of the two frame numbers, which is constant along a mirrored sequence, modulo twice the memory.
  private var mirrored: ContiguousArray<UInt16>
  private(set) var longest = 0
  private(set) var longestMirrored = 0

  init(_ settings: RepetitionSettings) {
    self.settings = settings
    forward = ContiguousArray(repeating: 0, count: settings.memory)
    mirrored = ContiguousArray(repeating: 0, count: 2 * settings.memory)
  }

  mutating func process(_ features: FaceFeatures) {
    let unit = self.unit ?? features.eyeDistance
    self.unit = unit
    let signature = SIMD8(
      features.center.x / unit, features.center.y / unit, features.eyeDistance / unit, features.nose.x, features.nose.y,
      features.openings.x, features.openings.y, features.openings.z)
    let memory = settings.memory
    if seen == 0 { anchor = signature }
    // Only movement beyond the tolerance counts; otherwise tracker noise at rest would accumulate.
    let offset = signature - anchor
    let distance = (offset * offset).sum().squareRoot()
    if distance > 2 * settings.tolerance {
      travel += distance
      anchor = signature
    }
    let slot = seen % memory
    let whole = Self.whole(signature)
    if slot == signatures.count {
      signatures.append(whole)
      travels.append(travel)
    } else {
      signatures[slot] = whole
      travels[slot] = travel
    }
    // The two mirror points that start at this frame.
    mirrored[(2 * seen + 2 * memory - 1) % (2 * memory)] = 0
    mirrored[(2 * seen + 2 * memory - 2) % (2 * memory)] = 0
    compare(whole, slot)
    seen += 1
  }

  /// Resolution of a signature in fractions of an eye distance; ±62 eye distances fit.
  private static let parts: Float = 512

  private static func whole(_ signature: SIMD8<Float>) -> SIMD8<Int16> {
    let limit = SIMD8<Float>(repeating: 32_000)
    let scaled = (signature * parts).rounded(.toNearestOrEven)
    return SIMD8<Int16>(scaled.clamped(lowerBound: -limit, upperBound: limit))
  }

  private mutating func compare(_ signature: SIMD8<Int16>, _ slot: Int) {
    let memory = settings.memory
    let tolerance = Int16(max(1, (settings.tolerance * Self.parts).rounded(.up)))
    let limit = SIMD8<Int16>(repeating: tolerance)
    var other = slot
    var point = (2 * seen) % (2 * memory)
    for lag in 1..<max(1, min(seen + 1, memory)) {
      other = other == 0 ? memory - 1 : other - 1
      point = point == 0 ? 2 * memory - 1 : point - 1
      let difference = signature &- signatures[other]
      // The position alone excludes most frames, at a fraction of the cost of all eight components.
      let isNear = difference[0].magnitude < tolerance && difference[1].magnitude < tolerance
      guard isNear, all((difference .< limit) .& (difference .> (0 &- limit))) else {
        if forward[lag] != 0 { forward[lag] = 0 }
        if mirrored[point] != 0 { mirrored[point] = 0 }
        continue
      }
      if forward[lag] < .max { forward[lag] += 1 }
      if mirrored[point] < .max { mirrored[point] += 1 }
      // A slow movement resembles its own recent past: the face must have moved away in between.
      guard travel - travels[other] >= settings.minimumTravel else { continue }
      longest = max(longest, counted(Int(forward[lag]), slot, over: longest))
      longestMirrored = max(longestMirrored, counted(Int(mirrored[point]), slot, over: longestMirrored))
    }
  }

  /// Returns the length of a run that ends in `slot` if it is longer than `over` and the face moved in it; otherwise 0.
  private func counted(_ run: Int, _ slot: Int, over: Int) -> Int {
    guard run > over, run > 3 else { return 0 }
    let back = min(run, settings.memory - 1)
    let start = slot >= back ? slot - back : slot - back + settings.memory
    return travel - travels[start] >= settings.minimumTravel ? run : 0
  }

  /// Finding of the detector. Native measure: the longest repeated sequence in frames; a mirrored one is scaled by the ratio of the two
  /// thresholds.
  var finding: Finding {
    let check = "frames-repeated"
    guard seen >= settings.minimumFrames else {
      return Finding(check: check, result: .notAssessed(.tooFewFrames(seen)))
    }
    let threshold = Double(settings.longestStretch)
    let mirror = Double(longestMirrored) * threshold / Double(settings.longestMirroredStretch)
    let isMirror = mirror > Double(longest)
    return ScoreCalibration(calm: 0, threshold: threshold, worst: 3 * threshold).finding(
      check, max(Double(longest), mirror), because: isMirror ? "frames-mirrored" : "frames-repeated",
      version: PassiveSettings.version, frames: seen)
  }
}

extension ReplayDetector: BinaryStateCodable {
  mutating func pass(over coder: inout BinaryStateCoder) {
    coder.pass(&unit)
    coder.pass(&seen)
    coder.pass(&signatures)
    coder.pass(&travels)
    // Buffers that the next frame reads must have the expected size.
    coder.require(seen >= 0 && signatures.count == min(seen, settings.memory) && travels.count == signatures.count)
    coder.pass(&anchor)
    coder.pass(&travel)
    coder.pass(fixed: &forward)
    coder.pass(fixed: &mirrored)
    coder.pass(&longest)
    coder.pass(&longestMirrored)
  }
}

/// Settings for detecting that a check shows a recording of an earlier one (Documentation/reference/PassiveSignals.md
/// has the measurements).
public struct ReplaySettings: Hashable, Sendable {
  /// Version reported in findings; change it whenever a default changes.
  public static let version = "replay-1"

  /// Minimum distance of two fingerprints of a check, in standard deviations: images that hardly differ are no evidence.
  /// 0.02…1.
  public let step: Float
  /// Maximum distance at which an image counts as one of an earlier check, in standard deviations. 0.005…0.5, below `step`.
  public let tolerance: Float
  /// Minimum number of images of a check that is compared. 2…64.
  public let fewest: Int
  /// Minimum divisor of the share of matching images. 2…128.
  public let base: Int
  /// Share of images that match one earlier check, from which a check is suspect. 0.1…1.
  public let share: Double

  /// Returns `nil` if a value is outside its documented range.
  public init?(
    step: Float = 0.08, tolerance: Float = 0.04, fewest: Int = 8, base: Int = 16, share: Double = 0.5
  ) {
    guard (0.02...1).contains(step), (0.005...0.5).contains(tolerance), tolerance < step, (2...64).contains(fewest),
      (2...128).contains(base), (0.1...1).contains(share)
    else { return nil }
    self.step = step
    self.tolerance = tolerance
    self.fewest = fewest
    self.base = base
    self.share = share
  }

  /// Default settings.
  public static let standard: ReplaySettings = {
    guard let settings = ReplaySettings() else { preconditionFailure("the defaults are within their own ranges") }
    return settings
  }()
}
