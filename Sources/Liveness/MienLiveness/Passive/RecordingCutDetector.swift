public import MienCore

/// Detects cuts between recordings at the prompts: the face or the picture jumps within one frame whenever the prompt changes.
///
/// A head moves along a path. Each step between two frames is compared with what the motion before it and after it
/// explains; the residual of a cut is large, even if the poses in the recordings match to within a few degrees.
/// Recordings that were shifted, turned and scaled so that the faces fit jump in the rest of the picture: background,
/// clothes and light. Residuals at a certain delay after each prompt are compared with those of the same check at other
/// times, so that a lively person, a coarse camera and an unsteady hand do not matter. No person reacts within 0.2 s,
/// and a reaction begins gradually; therefore later windows count less.
struct RecordingCutDetector: Sendable {
  /// Frames per second below which the detector's error rates are not known.
  static let minimumFrameRate = 7.5
  /// Frames per second below which neither the later windows nor the picture count: a fast turn takes only two frames.
  static let fullFrameRate = 11.0

  /// One frame: center of the face, vector between the eyes and vector from the bridge of the nose to its tip, in pixels.
  private struct FrameRecord: Sendable {
    var at = MonotonicInstant.zero
    var points = SIMD8<Float>.zero
    var eyeDistance: Float = 0
    /// Cells of the whole picture; `nil` without pixels, and not saved: after a restart, a few steps are not measured.
    var picture: FrameFingerprint?
    /// Time of the prompt since which this is the first frame.
    var prompt: MonotonicInstant?
  }

  /// Number of frames that one residual depends on: the step from the third to the fourth, and two steps on either side.
  private static let depth = 6
  /// Fractions of the step's duration for which the motion on one side may have continued.
  private static let shares: [Float] = [0, 0.2, 0.4, 0.6, 0.8, 1]
  /// Largest sum of the two fractions.
  private static let largestShare: Float = 1.21

  private let settings: CutSettings
  private var ring = ContiguousArray(repeating: FrameRecord(), count: RecordingCutDetector.depth)
  private var seen = 0
  private var prompt: MonotonicInstant?
  private var faceSteps = PromptWindows()
  private var pictureSteps = PromptWindows()

  init(_ settings: CutSettings) { self.settings = settings }

  /// Marks that the prompt changed with the frame of this time: later frames may show a reaction.
  mutating func promptChanged(at time: MonotonicInstant) { prompt = time }

  /// - Parameter picture: cells of the frame's whole picture; `nil` if it has too little contrast, or for an
  ///   observation of the client.
  mutating func process(_ features: FaceFeatures, picture: FrameFingerprint?) {
    var record = FrameRecord(at: features.at, eyeDistance: features.eyeDistance, picture: picture)
    let nose = features.nose * features.eyeDistance
    record.points = SIMD8(
      features.center.x, features.center.y, features.eyes.x, features.eyes.y, nose.x, nose.y, 0, 0)
    if let prompt, features.at > prompt {
      record.prompt = prompt
      self.prompt = nil
    }
    for index in 1..<Self.depth { ring[index - 1] = ring[index] }
    ring[Self.depth - 1] = record
    seen += 1
    guard seen > 2 else { return }
    let isMeasured = seen >= Self.depth && hasNoGap
    let (time, prompt) = (ring[3].at, ring[3].prompt)
    let face = isMeasured ? faceResidual.map { min($0, settings.largestResidual) } : nil
    faceSteps.process(face, at: time, prompt: prompt, settings)
    let picture = isMeasured ? pictureResidual.map { min($0, settings.largestPictureResidual) } : nil
    pictureSteps.process(picture, at: time, prompt: prompt, settings)
  }

  private var hasNoGap: Bool {
    (1..<Self.depth).allSatisfy { index in
      let step = ring[index].at.since(ring[index - 1].at)
      return step > .zero && step <= settings.longestStep
    }
  }

  /// Time of the step from the third to the fourth frame, with the uncertainty of the capture times, in seconds.
  private var stepTime: Float { Float(seconds(2, 3) + settings.timing) }

  /// Residual of the face's step from the third to the fourth frame, in eye distances.
  private var faceResidual: Float? {
    let step = (ring[3].points - ring[2].points) / ring[3].eyeDistance
    let before = velocity(0, 2) * stepTime
    let after = velocity(3, 5) * stepTime
    var least = Float.infinity
    for first in Self.shares {
      let remainder = step - before * first
      for second in Self.shares where first + second < Self.largestShare {
        let unexplained = remainder - after * second
        least = min(least, (unexplained * unexplained).sum())
      }
    }
    return least.isFinite ? least.squareRoot() : nil
  }

  /// Residual of the picture's step from the third to the fourth frame: by how much each cell changed more than at the
  /// fastest of the steps before and after it, as the mean of the square roots, so that a few cells with much contrast do not decide.
  private var pictureResidual: Float? {
    guard let before2 = ring[0].picture, let before1 = ring[1].picture, let before = ring[2].picture,
      let after = ring[3].picture, let after1 = ring[4].picture, let after2 = ring[5].picture
    else { return nil }
    let time = stepTime
    let shares = (
      time / Float(seconds(0, 2)), time / Float(seconds(1, 2)), time / Float(seconds(3, 4)), time / Float(seconds(3, 5))
    )
    func change(_ one: FrameFingerprint, _ other: FrameFingerprint, _ cell: Int) -> Float {
      Float(abs(Int(one.cells[cell]) - Int(other.cells[cell])))
    }
    var sum: Float = 0
    for cell in before.cells.indices {
      let explained = max(
        change(before2, before, cell) * shares.0, change(before1, before, cell) * shares.1,
        change(after, after1, cell) * shares.2, change(after, after2, cell) * shares.3)
      sum += max(0, change(before, after, cell) - explained).squareRoot()
    }
    return sum / (Float(before.cells.count) * FrameFingerprint.steps.squareRoot())
  }

  private func seconds(_ first: Int, _ last: Int) -> Double { ring[last].at.since(ring[first].at).inSeconds }

  /// Mean velocity between two frames in eye distances per second.
  private func velocity(_ first: Int, _ last: Int) -> SIMD8<Float> {
    (ring[last].points - ring[first].points) / (ring[3].eyeDistance * Float(seconds(first, last)))
  }

  /// Returns the finding of the detector. Native measure: standard errors by which the residuals after prompts exceed the others.
  ///
  /// - Parameter isFullRate: `true` if the frame rate is sufficient for the windows in which people begin to react, and for the
  ///   picture.
  func finding(isFullRate: Bool) -> Finding {
    let check = "recording-cuts"
    let face = faceSteps.excess(noise: settings.noise, countsLater: isFullRate, settings)
    let picture =
      isFullRate ? pictureSteps.excess(noise: settings.pictureNoise, countsLater: true, settings) : nil
    guard let native = [face, picture].compactMap(\.self).max() else {
      return Finding(check: check, result: .notAssessed(.tooFewFrames(seen)))
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
    coder.pass(&faceSteps)
    coder.pass(&pictureSteps)
    coder.require(seen >= 0)
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
  /// Residual of the picture of a still scene, as the mean of square roots of standard deviations, 0.001…0.5.
  public let pictureNoise: Double
  /// Largest residual that counts, in eye distances, 0.02…1, so that one jump does not decide.
  public let largestResidual: Float
  /// Largest residual of the picture that counts, 0.02…2, so that a lamp that is switched on does not decide.
  public let largestPictureResidual: Float
  /// Longest interval between two frames across which a step is measured, 50…1000 ms.
  public let longestStep: Interval
  /// Minimum number of prompts with a measured step, 2…100, and of other windows, 2…1000.
  public let minimumPrompts: Int
  public let minimumWindows: Int

  /// Returns `nil` if a value is outside its documented range.
  public init?(
    threshold: Double = 4.25, laterWeight: Double = 0.5, window: Double = 0.2, timing: Double = 0.07,
    noise: Double = 0.01, pictureNoise: Double = 0.03,
    largestResidual: Float = 0.15, largestPictureResidual: Float = 0.2, longestStep: Interval = .milliseconds(250),
    minimumPrompts: Int = 3,
    minimumWindows: Int = 6
  ) {
    guard (1...20).contains(threshold), (0...1).contains(laterWeight), (0.1...1).contains(window),
      (0...0.2).contains(timing),
      (0.001...0.1).contains(noise), (0.001...0.5).contains(pictureNoise), (0.02...1).contains(largestResidual),
      (0.02...2).contains(largestPictureResidual),
      (Interval.milliseconds(50)...Interval.milliseconds(1000)).contains(longestStep),
      (2...100).contains(minimumPrompts), (2...1000).contains(minimumWindows)
    else { return nil }
    self.threshold = threshold
    self.laterWeight = laterWeight
    self.window = window
    self.timing = timing
    self.noise = noise
    self.pictureNoise = pictureNoise
    self.largestResidual = largestResidual
    self.largestPictureResidual = largestPictureResidual
    self.longestStep = longestStep
    self.minimumPrompts = minimumPrompts
    self.minimumWindows = minimumWindows
  }
}
