internal import MienCore

/// Settings for detecting and tracking faces.
public struct TrackingSettings: Hashable, Sendable {
  /// Smoothing of measured values over time.
  public enum Smoothing: Hashable, Sendable {
    /// Every frame's values as measured.
    case off
    /// A one-euro filter (Casiez, Roussel, Vogel 2012): little jitter at rest, little lag in motion.
    case oneEuro(OneEuroSettings)
  }

  /// Minimum score at which a detection counts as a face, 0…1.
  public var detectionScore: Float = 0.5
  /// Overlap (intersection over union) above which two detections count as the same face, 0…1.
  public var detectionOverlap: Float = 0.3
  /// Minimum presence at which the mesh model's output counts as a face, 0…1.
  public var presence: Float = 0.5
  /// Number of frames between detector runs while a face is tracked, so that a second face is noticed.
  public var framesBetweenDetections = 15
  /// Number of frames between detector runs while several faces are visible, so that their disappearance is noticed
  /// sooner.
  public var framesBetweenDetectionsOfSeveral = 5
  /// Maximum number of detections passed to the mesh model: the tracked face and others.
  public var mostFacesLookedAt = 4
  /// Number of frames between searches for small faces, each in the next of the four parts of the image.
  public var framesBetweenPartSearches = 5
  /// Side of a searched part, as a fraction of the longer side of the image: faces that are smaller by up to this
  /// factor are found.
  public var partSize: Float = 0.6
  /// Minimum score at which a detection in a part of the image counts as a face, 0…1.
  public var partDetectionScore: Float = 0.7
  /// Number of frames with one face of which one is scored for signs of a screen or print; 0 scores none.
  public var framesBetweenScores = 3
  public var smoothing: Smoothing = .oneEuro(OneEuroSettings())
  public var tongue = TongueOutFilter()

  public init() {}
}

/// Settings of the one-euro filters. Cutoffs are in hertz: the lower, the smoother and the slower.
public struct OneEuroSettings: Hashable, Sendable {
  /// One filter: `cutoff = minimum + slope * |speed|`.
  public struct Strength: Hashable, Sendable {
    /// Cutoff at rest, in hertz.
    public var minimum: Float
    /// Increase of the cutoff with speed, in hertz per unit per second.
    public var slope: Float

    public init(minimum: Float, slope: Float) {
      self.minimum = minimum
      self.slope = slope
    }
  }

  /// For yaw, pitch and roll; the unit is a degree.
  public var pose = Strength(minimum: 2, slope: 0.15)
  /// For the coefficients; the unit is their range 0…1.
  public var blendshapes = Strength(minimum: 4, slope: 4)
  /// For the box; the unit is the image's width or height.
  public var box = Strength(minimum: 2, slope: 20)
  /// Cutoff for the speed itself, in hertz.
  public var speedCutoff: Float = 2
  /// Maximum gap between two frames in seconds; a longer gap restarts the filters.
  public var longestGap = 0.5

  public init() {}
}

/// Decides whether the mesh model's tongue score is reliable.
///
/// The score also rises to about 1 when a hand covers the mouth. A visible tongue requires an open mouth: a high score
/// with a closed mouth counts as not measured, which is different from no tongue.
public struct TongueOutFilter: Hashable, Sendable {
  /// Scores up to this value are always accepted: no tongue is visible.
  public var believed: Float = 0.2
  /// Minimum opening between the inner lips, as a fraction of the mouth's width.
  public var opening: Float = 0.12
  /// Minimum `jawOpen`, 0…1.
  public var jawOpen: Float = 0.12

  public init() {}

  /// Returns the tongue coefficient, or `nil` if it cannot be determined; `points` in pixels.
  func tongueOut(score: Float, jawOpen: Float?, points: [SIMD3<Float>]) -> Float? {
    let score = min(max(score, 0), 1)
    guard score > believed else { return score }
    guard let jawOpen, jawOpen >= self.jawOpen, Self.opening(points) >= opening else { return nil }
    return score
  }

  /// Returns the distance of the inner lips (13, 14) divided by the distance of the inner corners (78, 308).
  static func opening(_ points: [SIMD3<Float>]) -> Float {
    let lips = points[14] - points[13]
    let corners = points[308] - points[78]
    return (lips * lips).sum().squareRoot() / max((corners * corners).sum().squareRoot(), 1e-6)
  }
}
