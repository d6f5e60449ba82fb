public import MienCore

/// Detects cuts between recordings at the prompts: the face jumps within one frame whenever the prompt changes.
///
/// A head moves along a path. Each step between two frames is compared with what the motion before it and after it explains; the
/// residual of a cut is large, also if the recordings fit each other to a few degrees. Residuals at a certain delay after each prompt
/// are compared with those of the same check at other times, so that a lively person, a coarse camera and an unsteady hand do not
/// matter. No person reacts within 0.2 s, and a reaction begins gradually; therefore later windows count less.
struct RecordingCutDetector: Sendable {
  /// Frames per second below which the detector was not measured.
  static let minimumFrameRate = 7.5
  /// Frames per second below which the later windows do not count: a fast turn takes only two frames.
  static let minimumFrameRateLater = 11.0

  /// One frame: center of the face, vector between the eyes and vector from the bridge of the nose to its tip, in pixels.
  private struct Place: Sendable {
    var at = MonotonicInstant.zero
    var points = SIMD8<Float>.zero
    var eyeDistance: Float = 0
    /// Time of the prompt since which this is the first frame.
    var prompt: MonotonicInstant?
  }

  /// Number of frames that one residual depends on: the step from the third to the fourth, and two steps on either side.
  private static let depth = 6
  /// Fractions of the step's duration for which the motion on one side may have continued.
  private static let shares: [Float] = [0, 0.2, 0.4, 0.6, 0.8, 1]
  /// Largest sum of the two fractions.
  private static let largestShare: Float = 1.21
  /// Time after a prompt within which the first measured step counts even if it ends after the window.
  private static let longestWait = 0.5

  private let settings: CutSettings
  private var ring = ContiguousArray(repeating: Place(), count: RecordingCutDetector.depth)
  private var seen = 0
  private var prompt: MonotonicInstant?
  /// Window to which residuals are attributed: its start, its number after a prompt, 0 for none, and its largest residual.
  private var start: MonotonicInstant?
  private var number = 0
  private var largest: Float?
  /// Count, sum and sum of squares of the largest residuals of all windows, and of the first, second and third ones after prompts.
  private var all = SIMD3<Double>.zero
  private var first = SIMD3<Double>.zero
  private var second = SIMD3<Double>.zero
  private var third = SIMD3<Double>.zero

  init(_ settings: CutSettings) { self.settings = settings }

  /// Marks that the prompt changed with the frame of this time: later frames may show a reaction.
  mutating func promptChanged(at time: MonotonicInstant) { prompt = time }

  mutating func process(_ features: FaceFeatures) {
    var place = Place(at: features.at, eyeDistance: features.eyeDistance)
    let nose = features.nose * features.eyeDistance
    place.points = SIMD8(
      features.center.x, features.center.y, features.eyes.x, features.eyes.y, nose.x, nose.y, 0, 0)
    if let prompt, features.at > prompt {
      place.prompt = prompt
      self.prompt = nil
    }
    for index in 1..<Self.depth { ring[index - 1] = ring[index] }
    ring[Self.depth - 1] = place
    seen += 1
    guard seen > 2 else { return }
    attribute(seen >= Self.depth ? residual : nil)
  }

  /// Residual of the step between the third and the fourth frame, in eye distances; `nil` across a gap.
  private var residual: Float? {
    let longest = settings.longestStep
    for index in 1..<Self.depth {
      let step = ring[index].at.since(ring[index - 1].at)
      guard step > .zero, step <= longest else { return nil }
    }
    let time = Float(ring[3].at.since(ring[2].at).inSeconds + settings.timing)
    let way = (ring[3].points - ring[2].points) / ring[3].eyeDistance
    let before = velocity(0, 2) * time
    let after = velocity(3, 5) * time
    var least = Float.infinity
    for first in Self.shares {
      let rest = way - before * first
      for second in Self.shares where first + second < Self.largestShare {
        let left = rest - after * second
        least = min(least, (left * left).sum())
      }
    }
    return least.isFinite ? least.squareRoot() : nil
  }

  /// Mean velocity between two frames in eye distances per second.
  private func velocity(_ first: Int, _ last: Int) -> SIMD8<Float> {
    let seconds = Float(ring[last].at.since(ring[first].at).inSeconds)
    return (ring[last].points - ring[first].points) / (ring[3].eyeDistance * seconds)
  }

  /// Attributes the residual of the step to the fourth frame to its window.
  private mutating func attribute(_ residual: Float?) {
    let place = ring[3]
    if let prompt = place.prompt {
      closeWindow()
      (start, number) = (prompt, 1)
    } else if let start {
      let age = place.at.since(start).inSeconds
      let isAwaited = number == 1 && largest == nil && age <= Self.longestWait
      if age > settings.window, !isAwaited {
        closeWindow()
        if (1...2).contains(number) {
          self.start = start + .seconds(settings.window)
          number += 1
        } else {
          (self.start, number) = (place.at, 0)
        }
      }
    } else {
      start = place.at
    }
    guard let residual else { return }
    let bounded = min(residual, settings.largestResidual)
    largest = largest.map { max($0, bounded) } ?? bounded
  }

  private mutating func closeWindow() {
    guard let largest else { return }
    self.largest = nil
    let value = Double(largest)
    let sums = SIMD3(1, value, value * value)
    all += sums
    switch number {
    case 1: first += sums
    case 2: second += sums
    case 3: third += sums
    default: break
    }
  }

  /// Standard errors by which the residuals of some windows exceed those of all others; `nil` if there are too few.
  private func excess(of windows: SIMD3<Double>) -> Double? {
    let others = all - windows
    guard windows.x >= Double(settings.minimumPrompts), others.x >= Double(settings.minimumWindows) else { return nil }
    let mean = others.y / others.x
    let variance = max(others.z / others.x - mean * mean, 0) + settings.noise * settings.noise
    return (windows.y / windows.x - mean) * (windows.x / variance).squareRoot()
  }

  /// Returns the finding of the detector. Native measure: standard errors by which the residuals after prompts exceed the others.
  ///
  /// - Parameter countsLater: `true` if the frame rate is sufficient for the windows in which people begin to react.
  func finding(countsLater: Bool) -> Finding {
    let check = "recording-cuts"
    guard let atOnce = excess(of: first) else {
      return Finding(check: check, result: .notAssessed(.tooFewFrames(seen)))
    }
    var native = atOnce
    if countsLater {
      for windows in [second, third] {
        if let later = excess(of: windows) { native = max(native, settings.laterWeight * later) }
      }
    }
    let threshold = settings.threshold
    return ScoreCalibration(calm: threshold / 2, threshold: threshold, worst: 2 * threshold).finding(
      check, native, because: "cut-at-prompts", version: PassiveSettings.version,
      frames: seen)
  }
}

extension RecordingCutDetector: BinaryStateCodable {
  mutating func pass(over coder: inout BinaryStateCoder) {
    for index in ring.indices {
      coder.pass(&ring[index].at)
      coder.pass(&ring[index].points)
      coder.pass(&ring[index].eyeDistance)
      coder.pass(&ring[index].prompt)
    }
    coder.pass(&seen)
    coder.pass(&prompt)
    coder.pass(&start)
    coder.pass(&number)
    coder.pass(&largest)
    coder.pass(&all)
    coder.pass(&first)
    coder.pass(&second)
    coder.pass(&third)
    coder.require(seen >= 0 && (0...3).contains(number))
  }
}

/// Settings for detecting cuts between recordings. The initializer validates every value.
public struct CutSettings: Hashable, Sendable {
  /// Standard errors by which the residuals after prompts exceed the others, from which the check shows cuts, 1…20.
  public let threshold: Double
  /// Weight of the second and third window after a prompt, in which people begin to react, 0…1.
  public let laterWeight: Double
  /// Duration of the windows whose largest residuals are compared, in seconds, 0.1…1.
  public let window: Double
  /// Uncertainty of the capture time of a frame in seconds, 0…0.2. Cameras in dim light are slower than the browser samples them.
  public let timing: Double
  /// Residual of the tracker's noise in eye distances, 0.001…0.1, for people who hardly move.
  public let noise: Double
  /// Largest residual that counts, in eye distances, 0.02…1, so that one jump does not decide.
  public let largestResidual: Float
  /// Longest interval between two frames across which a step is measured, 50…1000 ms.
  public let longestStep: Interval
  /// Minimum number of prompts with a measured step, 2…100, and of other windows, 2…1000.
  public let minimumPrompts: Int
  public let minimumWindows: Int

  /// Returns `nil` if a value is outside its documented range.
  public init?(
    threshold: Double = 4.25, laterWeight: Double = 0.5, window: Double = 0.2, timing: Double = 0.07,
    noise: Double = 0.01,
    largestResidual: Float = 0.15, longestStep: Interval = .milliseconds(250), minimumPrompts: Int = 3,
    minimumWindows: Int = 6
  ) {
    guard (1...20).contains(threshold), (0...1).contains(laterWeight), (0.1...1).contains(window),
      (0...0.2).contains(timing),
      (0.001...0.1).contains(noise), (0.02...1).contains(largestResidual),
      (Interval.milliseconds(50)...Interval.milliseconds(1000)).contains(longestStep),
      (2...100).contains(minimumPrompts), (2...1000).contains(minimumWindows)
    else { return nil }
    self.threshold = threshold
    self.laterWeight = laterWeight
    self.window = window
    self.timing = timing
    self.noise = noise
    self.largestResidual = largestResidual
    self.longestStep = longestStep
    self.minimumPrompts = minimumPrompts
    self.minimumWindows = minimumWindows
  }
}
