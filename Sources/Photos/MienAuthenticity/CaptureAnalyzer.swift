public import MienImaging
import MienCore

/// Runs the checks over a capture.
///
/// Pure and synchronous: a service runs ``jobs(for:)`` side by side and puts what came back together with
/// ``assemble(_:timings:)``; a tool calls ``analyse(_:)``.
public struct CaptureAnalyzer: Sendable {
  /// The version of the set of checks as a whole.
  public static let version = "1"

  public var moire = MoireCheck()
  public var texture = TextureCheck()
  public var artifacts = ArtifactChecks()
  public var depth = DepthCheck()
  public var burst = BurstChecks()
  public var aggregation = Aggregation()
  public var crossValidation = CrossValidation()

  public init() {}

  /// One job: a group of checks with what it needs.
  public struct Job: Sendable {
    public let group: CheckGroup
    /// Does the work; takes as long as it takes.
    public let run: @Sendable () -> Part

    public init(group: CheckGroup, run: @escaping @Sendable () -> Part) {
      self.group = group
      self.run = run
    }
  }

  /// What a job brings back.
  public struct Part: Sendable {
    public var readings: [SceneCheckResult]
    public var report: Report?

    public enum Report: Sendable {
      case moire(MoireReport)
      case texture(TextureReport)
      case depth(DepthReport)
      case burst(BurstReport)
    }

    /// What other checks need of this job's measures.
    var tiles: TileMeasures?
    var scene: SceneMeasures?
    var frameScores: [Double] = []

    /// What a job without measures for others brings back.
    public init(readings: [SceneCheckResult], report: Report?) {
      self.init(readings: readings, report: report, tiles: nil)
    }

    init(
      readings: [SceneCheckResult], report: Report?, tiles: TileMeasures? = nil, scene: SceneMeasures? = nil,
      frameScores: [Double] = []
    ) {
      self.readings = readings
      self.report = report
      self.tiles = tiles
      self.scene = scene
      self.frameScores = frameScores
    }

    /// Readings that were made elsewhere, without a report.
    public init(readings: [SceneCheckResult]) {
      self.init(readings: readings, report: nil)
    }

    /// What stands for a job that did not come back.
    public static func missing(_ group: CheckGroup, because obstacle: SceneCheckUnavailableReason) -> Part {
      Part(
        readings: group.checks.map {
          SceneCheckResult(check: $0, outcome: .notAssessed(obstacle), version: CaptureAnalyzer.version)
        }, report: nil)
    }
  }

  /// The jobs for what a capture brings; they share nothing that changes and may run side by side.
  ///
  /// The texture check judges measures of two jobs, so its reading appears in ``assemble(_:timings:)``.
  public func jobs(for capture: CaptureInput) -> [Job] {
    let image = capture.image
    var jobs = [
      Job(group: .moire) { [self] in
        guard !Self.isPlain(image) else { return .missing(.moire, because: .nothingToMeasure) }
        return moire.read(TileMeasures(image, readings: capture.tiles))
      },
      Job(group: .texture) { [self] in
        guard !Self.isPlain(image) else { return .missing(.texture, because: .nothingToMeasure) }
        return SceneMeasures(image, readings: capture.tiles).map { Part(readings: [], report: nil, scene: $0) }
          ?? Part(readings: Part.missing(.texture, because: .imageTooSmall).readings + [artifacts.halftone.read(nil)])
      },
      Job(group: .artifacts) { [self] in
        guard !Self.isPlain(image) else { return .missing(.artifacts, because: .nothingToMeasure) }
        return Part(readings: artifacts.read(image), report: nil)
      },
      Job(group: .depth) { [self] in depth.read(capture.depth, image) },
    ]
    let frames = capture.burst
    jobs.append(
      Job(group: .burst) { [self] in
        // Frames without anything to see move, flicker and sharpen as little as a genuine scene held still.
        if let first = frames.first, min(first.luma.width, first.luma.height) >= 128,
          !ImageContent(first.luma).isMeasurable
        {
          return .missing(.burst, because: .nothingToMeasure)
        }
        var part = burst.read(frames)
        // Three frames tell whether the texture score is steady.
        for index in frames.count < 3 ? [] : [0, frames.count / 2, frames.count - 1] {
          let frame = SampledImage(YCbCrImage(luma: frames[index].luma))
          guard let tiles = TileMeasures(frame), let scene = SceneMeasures(frame),
            let found = texture.read(tiles: tiles, scene: scene.complete()).readings.first?.assessment
          else { continue }
          part.frameScores.append(found.measure.score.value)
        }
        return part
      })
    return jobs
  }

  /// True for a picture of a size that checks measure and that shows nothing to measure.
  private static func isPlain(_ image: SampledImage) -> Bool {
    TileGrid(width: image.width, height: image.height) != nil && !ImageContent(image).isMeasurable
  }

  /// Puts parts together and weighs them; a check whose job is not among the parts is missing from the readings.
  public func assemble(_ parts: [Part], timings: [CheckGroup: Double] = [:]) -> DetectionResults {
    var parts = parts
    let tiles = parts.compactMap(\.tiles).first
    if let half = parts.compactMap(\.scene).first {
      let scene = half.complete(artifacts.frameSigns(parts.flatMap(\.readings)))
      parts.append(
        tiles.map { texture.read(tiles: $0, scene: scene) } ?? .missing(.texture, because: .tooSlow))
      parts.append(Part(readings: [artifacts.halftone.read(tiles)], report: nil))
    }
    var results = DetectionResults(timings: timings)
    for part in parts {
      switch part.report {
      case .moire(let report): results.moire = report
      case .texture(let report): results.texture = report
      case .depth(let report): results.depth = report
      case .burst(let report): results.burst = report
      case nil: break
      }
    }
    let readings = parts.flatMap(\.readings)
    results.readings = CheckName.allCases.compactMap { check in readings.first { $0.check == check } }
    results.artifacts = ArtifactChecks.report(results.readings)
    let cross = crossValidation.compare(results.readings, frameScores: parts.flatMap(\.frameScores))
    // Depth and a burst alone say nothing of a picture that shows nothing.
    if results[.texture]?.outcome != .notAssessed(.nothingToMeasure) {
      results.aggregated = aggregation.weigh(results.readings, cross: cross)
    }
    if results.hasAnyResults { results.crossValidation = cross }
    return results
  }

  /// The calibration of one check.
  public func calibration(of check: CheckName) -> Calibration? {
    switch check {
    case .moire: moire.settings.calibration
    case .texture: texture.settings.calibration
    case .banding: artifacts.banding.settings.calibration
    case .specular: artifacts.specular.settings.calibration
    case .halftone: artifacts.halftone.settings.calibration
    case .bezel: artifacts.bezel.settings.calibration
    case .doubleCompression: artifacts.doubleCompression.settings.calibration
    case .depth: depth.settings.calibration
    case .parallax: burst.settings.parallax
    case .bandMotion: burst.settings.bandMotion
    case .flicker: burst.settings.flicker
    case .focus: burst.settings.focus
    }
  }

  /// What training needs of a picture: the tiles' size, and measures by ``measureNames``.
  public struct Measured: Hashable, Sendable {
    public let tile: Int
    public let values: [Float]
  }

  /// Names of what ``measured(_:)`` gives.
  public static let measureNames = TileMeasures.Extent.all.names + SceneMeasures.names

  /// Nil for pictures too small, or too long for their breadth.
  public func measured(_ image: SampledImage) -> Measured? {
    guard let tiles = TileMeasures(image, .all), let scene = SceneMeasures(image) else { return nil }
    return Measured(tile: tiles.grid.size, values: tiles.values + scene.complete().values)
  }

  /// All jobs one after the other, put together.
  public func analyze(_ capture: CaptureInput) -> DetectionResults {
    assemble(jobs(for: capture).map { $0.run() })
  }
}

extension CheckGroup {
  /// The checks of the group.
  public var checks: [CheckName] {
    switch self {
    case .moire: [.moire]
    case .texture: [.texture]
    case .artifacts: [.banding, .specular, .halftone, .bezel, .doubleCompression]
    case .depth: [.depth]
    case .burst: [.parallax, .bandMotion, .flicker, .focus]
    case .aggregate: []
    }
  }
}
