internal import MienCore
internal import MienImaging

/// Checks on a burst, run sequentially on downscaled copies of its frames.
public struct BurstChecks: Sendable {
  public static let version = "1"

  public struct Settings: Codable, Hashable, Sendable {
    public var parallax: Calibration
    public var bandMotion: Calibration
    public var flicker: Calibration
    public var focus: Calibration
    /// Minimum block motion, as a fraction of the image width, required to measure parallax.
    public var leastMovement: Double

    public init(
      parallax: Calibration, bandMotion: Calibration, flicker: Calibration, focus: Calibration, leastMovement: Double
    ) {
      self.parallax = parallax
      self.bandMotion = bandMotion
      self.flicker = flicker
      self.focus = focus
      self.leastMovement = leastMovement
    }

    public static let shipped = Settings(
      // Planar motion is no evidence of an attack, because a purely rotating camera produces it for every scene.
      // `suspectFrom` is therefore out of reach.
      parallax: Calibration(midpoint: -8, width: 4, suspectFrom: 1, genuineBelow: -15, version: "2026-11"),
      bandMotion: Calibration(midpoint: 2, width: 0.6, suspectFrom: 3, genuineBelow: 1, version: "2026-11"),
      flicker: Calibration(midpoint: 3, width: 0.8, suspectFrom: 5, genuineBelow: 1.5, version: "2026-11"),
      focus: Calibration(midpoint: -0.1, width: 0.05, suspectFrom: 1, genuineBelow: -0.25, version: "2026-11"),
      leastMovement: 0.015)
  }

  public var settings: Settings

  public init(settings: Settings = .shipped) {
    self.settings = settings
  }

  func read(_ burst: [BurstFrame], with people: PeopleInImage = PeopleInImage([])) -> CaptureAnalyzer.Part {
    guard burst.count >= 3, let first = burst.first?.luma, min(first.width, first.height) >= 128,
      burst.allSatisfy({ $0.luma.width == first.width && $0.luma.height == first.height })
    else { return .missing(.burst, because: .tooFewFrames) }
    // The search for waves along the rows tests every frequency, so its cost grows with the square of the height.
    guard !TileGrid.isTooLong(width: first.width, height: first.height) else {
      return .missing(.burst, because: .imageTooSmall)
    }
    let frames = burst.map { $0.luma.reduced(by: min(first.width, first.height) / 128) }
    let motion = motion(over: frames)
    let flicker = BurstLight.flicker(frames)
    func reading(_ check: CheckName, _ outcome: SceneCheckResult.Outcome) -> SceneCheckResult {
      SceneCheckResult(check: check, outcome: outcome, version: Self.version)
    }
    let moved = motion.map { $0.movement >= settings.leastMovement } == true
    let readings = [
      // People move, also in a recapture, together with the scene behind them: such motion is no evidence of depth.
      reading(
        .parallax,
        !people.isEmpty
          ? .notAssessed(.faceInView)
          : motion.map {
            moved ? settings.parallax.outcome(-100 * $0.residual) : .notAssessed(.cameraDidNotMove)
          } ?? .notAssessed(.nothingToMeasure)),
      reading(
        .bandMotion,
        BurstLight.bandMotion(frames).map(settings.bandMotion.outcome) ?? .notAssessed(.nothingToMeasure)),
      reading(.flicker, flicker.map(settings.flicker.outcome) ?? .notAssessed(.tooFewFrames)),
      reading(.focus, BurstLight.refocus(frames).map(settings.focus.outcome) ?? .notAssessed(.nothingToMeasure)),
    ]
    var seconds: Double?
    if let start = burst.first?.at, let end = burst.last?.at { seconds = end.since(start).inSeconds }
    let report = BurstReport(
      frames: burst.count, seconds: seconds, movement: motion?.movement,
      residualParallax: moved ? motion?.residual : nil, flickerDepth: flicker.map { $0 / 100 },
      algorithmVersion: Self.version)
    return CaptureAnalyzer.Part(readings: readings, report: .burst(report))
  }

  /// Returns the motion from the first frame to the last, or to an earlier frame if the camera moved so far that few
  /// blocks can be matched. Foreground blocks, which move further, have to stay within the search range.
  private func motion(over frames: [Plane]) -> PlaneMotion? {
    var best: PlaneMotion?
    var last = frames.count - 1
    while last > 0 {
      if let found = PlaneMotion(from: frames[0], to: frames[last]) {
        if best != nil, found.movement < settings.leastMovement { return best }
        best = found
        if found.movement * Double(frames[0].width) <= Double(PlaneMotion.reach) / 2 { return best }
      }
      last /= 2
    }
    return best
  }
}

/// Results of the burst checks.
public struct BurstReport: Hashable, Sendable {
  public var frames: Int
  /// Time from the first frame to the last, in seconds; nil without timestamps.
  public var seconds: Double?
  /// Content motion between the two compared frames, as a fraction of the image width; nil if too few blocks were
  /// matched.
  public var movement: Double?
  /// Residual after subtracting the motion of one plane, as a fraction of the motion; nil if it could not be measured.
  public var residualParallax: Double?
  /// Relative depth of brightness flicker over time; nil if it could not be measured.
  public var flickerDepth: Double?
  public var algorithmVersion: String

  public init(
    frames: Int, seconds: Double?, movement: Double?, residualParallax: Double?, flickerDepth: Double?,
    algorithmVersion: String
  ) {
    self.frames = frames
    self.seconds = seconds
    self.movement = movement
    self.residualParallax = residualParallax
    self.flickerDepth = flickerDepth
    self.algorithmVersion = algorithmVersion
  }
}

extension BurstReport: Codable {
  private enum CodingKeys: String, CodingKey {
    case frames, seconds, movement
    case residualParallax = "residual_parallax"
    case flickerDepth = "flicker_depth"
    case algorithmVersion = "algorithm_version"
  }

  public init(from decoder: any Decoder) throws {
    let box = try decoder.container(keyedBy: CodingKeys.self)
    frames = try box.decode(Int.self, forKey: .frames)
    seconds = try box.finiteIfPresent(forKey: .seconds)
    movement = try box.finiteIfPresent(forKey: .movement)
    residualParallax = try box.finiteIfPresent(forKey: .residualParallax)
    flickerDepth = try box.finiteIfPresent(forKey: .flickerDepth)
    algorithmVersion = try box.shortTextIfPresent(forKey: .algorithmVersion) ?? "unknown"
  }
}
