/// How faces are looked for and followed.
public struct TrackingSettings: Hashable, Sendable {
  /// Whether measured values are smoothed over time.
  public enum Smoothing: Hashable, Sendable {
    /// Every frame's values as measured.
    case off
    /// A one-euro filter (Casiez, Roussel, Vogel 2012): little jitter at rest, little lag in motion.
    case oneEuro(OneEuroSettings)
  }

  /// Lowest score at which the detector's answer counts as a face, 0…1.
  public var detectionScore: Float = 0.5
  /// Overlap (intersection over union) from which two of the detector's answers are the same face, 0…1.
  public var detectionOverlap: Float = 0.3
  /// Lowest presence at which the mesh model's answer counts as a face, 0…1.
  public var presence: Float = 0.5
  /// While a face is followed, the detector runs again after this many frames, so that a second face is noticed.
  public var framesBetweenDetections = 15
  /// The same while several faces are in the picture, so that it is noticed sooner that they left.
  public var framesBetweenDetectionsOfSeveral = 5
  /// How many answers of the detector the mesh model is asked about at most: the followed face and others.
  public var mostFacesLookedAt = 4
  public var smoothing: Smoothing = .oneEuro(OneEuroSettings())
  public var tongue = TongueOutFilter()

  public init() {}
}

/// Strengths of the one-euro filters. A cut-off is in hertz: the lower, the smoother and the slower.
public struct OneEuroSettings: Hashable, Sendable {
  /// One filter: `cutoff = minimum + slope * |speed|`.
  public struct Strength: Hashable, Sendable {
    /// Cut-off at rest, hertz.
    public var minimum: Float
    /// How much the cut-off rises with the speed, hertz per unit a second.
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
  /// For the box; the unit is the picture's width or height.
  public var box = Strength(minimum: 2, slope: 20)
  /// Cut-off for the speed itself, hertz.
  public var speedCutoff: Float = 2
  /// A longer gap between two frames starts the filters afresh, seconds.
  public var longestGap = 0.5

  public init() {}
}
