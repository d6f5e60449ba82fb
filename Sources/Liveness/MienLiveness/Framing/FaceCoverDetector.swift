public import MienCore

/// Recognizes that something covers both eyes or the mouth, from the contrast in the last second of frames.
///
/// A frame is not assessed if the head is turned away or the face is small. Documentation/reference/FaceCover.md has the error rates.
public struct FaceCoverDetector: Sendable {
  /// Thresholds, measured on clips of uncovered faces and of the same faces with a hand, a mask, a scarf, dark glasses, or a bar.
  public struct Settings: Hashable, Sendable {
    /// Contrast of the eyes below which they are covered.
    public var faintEyes: Float = 0.03
    /// Contrast of the eyes below which they are covered if it is also small compared with the mouth.
    public var weakEyes: Float = 0.062
    public var eyesToMouth: Float = 0.62
    /// Contrast across the mouth, relative to the eyes, below which it is covered.
    public var faintMouth: Float = 0.2
    /// The same if the lips are no redder than the skin around them.
    public var weakMouth: Float = 0.4
    public var lipRedness: Float = 1
    /// Fraction of the frames that must show the cover.
    public var share = 0.8
    /// Time over which frames are compared.
    public var window = Interval.seconds(1)
    /// Minimum number of frames in that time.
    public var frames = 5
    /// Maximum angle in degrees of the head to any side.
    public var maximumAngle: Float = 25

    public init() {}
  }

  private struct FrameAssessment: Sendable {
    var at: MonotonicInstant
    var hasCoveredEyes: Bool
    var hasCoveredMouth: Bool
  }

  public let settings: Settings
  private var assessments: [FrameAssessment] = []

  public init(settings: Settings = Settings()) {
    self.settings = settings
  }

  /// `true` if the eyes or the mouth were covered in most frames of the last second.
  public private(set) var isCovered = false

  public mutating func process(_ observation: FaceObservation) {
    let start = observation.at + Interval(nanoseconds: -settings.window.nanoseconds)
    assessments.removeAll { $0.at < start || $0.at > observation.at }
    if let face = observation.face, observation.faceCount == 1, let contrast = observation.contrast,
      max(abs(face.pose.yaw), abs(face.pose.pitch)) <= settings.maximumAngle
    {
      assessments.append(
        FrameAssessment(
          at: observation.at, hasCoveredEyes: hasCoveredEyes(contrast), hasCoveredMouth: hasCoveredMouth(contrast)))
    }
    let needed = Int((Double(assessments.count) * settings.share).rounded(.up))
    isCovered =
      assessments.count >= settings.frames
      && max(assessments.count(where: \.hasCoveredEyes), assessments.count(where: \.hasCoveredMouth)) >= needed
  }

  private func hasCoveredEyes(_ contrast: FaceContrast) -> Bool {
    contrast.eyes < settings.faintEyes
      || contrast.eyes < settings.weakEyes && contrast.eyes < settings.eyesToMouth * contrast.mouth
  }

  private func hasCoveredMouth(_ contrast: FaceContrast) -> Bool {
    contrast.acrossMouth < settings.faintMouth * contrast.eyes
      || contrast.acrossMouth < settings.weakMouth * contrast.eyes && contrast.lipRedness < settings.lipRedness
  }
}
