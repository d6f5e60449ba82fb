internal import MienCore
public import MienImaging

/// Runs the checks over a capture.
///
/// Pure and synchronous: a service runs ``jobs(for:)`` in parallel and combines the outputs with
/// ``assemble(_:timings:)``; a command-line tool calls ``analyze(_:)``.
public struct CaptureAnalyzer: Sendable {
  /// Version of the set of checks as a whole.
  public static let version = "1"

  public var moire = MoireCheck()
  public var texture = TextureCheck()
  public var artifacts = ArtifactChecks()
  public var depth = DepthCheck()
  public var burst = BurstChecks()
  public var aggregation = Aggregation()
  public var crossValidation = CrossValidation()

  public init() {}

  /// One unit of work: a group of checks with its input.
  public struct Job: Sendable {
    public let group: CheckGroup
    /// Runs the checks synchronously; there is no time limit.
    public let run: @Sendable () -> Part

    public init(group: CheckGroup, run: @escaping @Sendable () -> Part) {
      self.group = group
      self.run = run
    }
  }

  /// Output of a job.
  public struct Part: Sendable {
    public var readings: [SceneCheckResult]
    public var report: Report?

    public enum Report: Sendable {
      case moire(MoireReport)
      case texture(TextureReport)
      case depth(DepthReport)
      case burst(BurstReport)
    }

    /// Measurements that other checks reuse.
    var tiles: TileMeasures?
    var scene: SceneMeasures?
    var features: TextureFeatures?
    var frameScores: [Double] = []
    /// People in the image, whom the checks left out of their measurements.
    var people = PeopleInImage([])

    /// Creates the output of a job that shares no measurements.
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

    /// Creates an output from results computed elsewhere, without a report.
    public init(readings: [SceneCheckResult]) {
      self.init(readings: readings, report: nil)
    }

    /// Returns a placeholder for a job that did not finish: every check of the group is not assessed.
    public static func missing(_ group: CheckGroup, because obstacle: SceneCheckUnavailableReason) -> Part {
      Part(
        readings: group.checks.map {
          SceneCheckResult(check: $0, outcome: .notAssessed(obstacle), version: CaptureAnalyzer.version)
        }, report: nil)
    }
  }

  /// Returns the jobs for a capture; they share no mutable state and may run in parallel.
  ///
  /// The texture check uses measurements of two jobs, so its result is produced by ``assemble(_:timings:)``.
  public func jobs(for capture: CaptureInput) -> [Job] {
    let image = capture.image
    let people = PeopleInImage(capture.faces)
    var jobs = [
      Job(group: .moire) { [self] in
        guard !Self.isPlain(image) else { return .missing(.moire, because: .nothingToMeasure) }
        var part = moire.read(TileMeasures(image, readings: capture.tiles), of: people)
        part.people = people
        return part
      },
      Job(group: .texture) { [self] in
        guard !Self.isPlain(image) else { return .missing(.texture, because: .nothingToMeasure) }
        guard let scene = SceneMeasures(image, readings: capture.tiles) else {
          return Part(
            readings: Part.missing(.texture, because: .imageTooSmall).readings + [artifacts.halftone.read(nil)])
        }
        var part = Part(readings: [], report: nil, scene: scene)
        part.features = capture.features
        return part
      },
      Job(group: .artifacts) { [self] in
        guard !Self.isPlain(image) else { return .missing(.artifacts, because: .nothingToMeasure) }
        var part = Part(readings: artifacts.read(image, with: people), report: nil)
        part.people = people
        return part
      },
      Job(group: .depth) { [self] in depth.read(capture.depth, image) },
    ]
    let frames = capture.burst
    let burstPeople = PeopleInImage(capture.burstFaces)
    jobs.append(
      Job(group: .burst) { [self] in
        // Featureless frames show as little motion, flicker and sharpness as a bona fide scene held still.
        if let first = frames.first, min(first.luma.width, first.luma.height) >= 128,
          !ImageContent(first.luma).isMeasurable
        {
          return .missing(.burst, because: .nothingToMeasure)
        }
        var part = burst.read(frames, with: burstPeople)
        // Three frames suffice to measure how stable the texture score is.
        for index in frames.count < 3 ? [] : [0, frames.count / 2, frames.count - 1] {
          let frame = SampledImage(YCbCrImage(luma: frames[index].luma))
          guard let tiles = TileMeasures(frame), let scene = SceneMeasures(frame),
            let found = texture.read(tiles: tiles, scene: scene.complete(), features: nil).readings.first?.assessment
          else { continue }
          part.frameScores.append(found.measure.score.value)
        }
        return part
      })
    return jobs
  }

  /// Returns `true` if the image is large enough for the checks but has no content to measure.
  private static func isPlain(_ image: SampledImage) -> Bool {
    TileGrid(width: image.width, height: image.height) != nil && !ImageContent(image).isMeasurable
  }

  /// Combines job outputs and computes the aggregate. Checks whose job is not among the parts are missing from the
  /// results.
  public func assemble(_ parts: [Part], timings: [CheckGroup: Double] = [:]) -> DetectionResults {
    var parts = parts
    let tiles = parts.compactMap(\.tiles).first
    if let half = parts.compactMap(\.scene).first {
      let people = parts.map(\.people).first { !$0.isEmpty } ?? PeopleInImage([])
      // The texture check was trained with the bands of whole images.
      let scene = half.complete(people.isEmpty ? artifacts.frameSigns(parts.flatMap(\.readings)) : nil)
      parts.append(
        tiles.map { texture.read(tiles: $0, scene: scene, features: parts.compactMap(\.features).first) }
          ?? .missing(.texture, because: .tooSlow))
      parts.append(Part(readings: [artifacts.halftone.read(tiles, of: people)], report: nil))
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
    // Depth and burst alone are not aggregated for an image without content.
    if results[.texture]?.outcome != .notAssessed(.nothingToMeasure) {
      results.aggregated = aggregation.weigh(results.readings, cross: cross)
    }
    if results.hasAnyResults { results.crossValidation = cross }
    return results
  }

  /// Returns the calibration of one check.
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

  /// Returns results with other native values for some of the assessed checks and a recomputed aggregate, to measure the
  /// combined result with values of a model that was not trained on the image. A check with the value nil counts as not
  /// assessed. The reports of single checks are left unchanged.
  public func weighing(_ results: DetectionResults, with natives: [CheckName: Double?]) -> DetectionResults {
    guard results.aggregated != nil else { return results }
    var results = results
    results.readings = results.readings.map { reading in
      guard reading.assessment != nil, let native = natives[reading.check],
        let calibration = calibration(of: reading.check)
      else { return reading }
      let outcome = native.map(calibration.outcome) ?? .notAssessed(.nothingToMeasure)
      return SceneCheckResult(check: reading.check, outcome: outcome, version: reading.version)
    }
    let cross = crossValidation.compare(results.readings, frameScores: [])
    results.aggregated = aggregation.weigh(results.readings, cross: cross)
    return results
  }

  /// Input for training: the tile size, and measurements in the order of ``measureNames``.
  public struct Measured: Hashable, Sendable {
    public let tile: Int
    public let values: [Float]
  }

  /// Names of the values returned by ``measured(_:)``, without those of the features.
  public static let measureNames = TileMeasures.Extent.all.names + SceneMeasures.names

  /// Returns the training measurements and the features of the capture's image, or nil for images that are too small or
  /// too elongated.
  public func measured(_ capture: CaptureInput) -> Measured? {
    guard let tiles = TileMeasures(capture.image, .all), let scene = SceneMeasures(capture.image) else { return nil }
    let features = capture.features?.values ?? []
    return Measured(tile: tiles.grid.size, values: tiles.values + scene.complete().values + features)
  }

  /// Runs all jobs sequentially and combines their outputs.
  public func analyze(_ capture: CaptureInput) -> DetectionResults {
    assemble(jobs(for: capture).map { $0.run() })
  }
}

extension CheckGroup {
  /// Checks of the group.
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

/// Visualizations of an image's analysis, for human inspection.
public struct AnalysisVisualizations: Sendable {
  /// Mean luma spectrum of the tiles, with frequency 0 in the center; brighter is stronger.
  public let spectrum: Frame
  /// Downscaled grayscale image in file orientation; the redder a tile, the higher its strongest peak.
  public let tiles: Frame
}

extension CaptureAnalyzer {
  /// Renders the visualizations of an image; returns nil for images too small to be measured.
  ///
  /// - Parameters:
  ///   - image: the sampled image.
  ///   - parts: outputs of the image's jobs; tiles measured there are not measured again.
  public func visualizations(_ image: SampledImage, from parts: [Part] = []) -> AnalysisVisualizations? {
    guard let measures = parts.compactMap(\.tiles).first ?? TileMeasures(image) else { return nil }
    return AnalysisVisualizations(spectrum: Self.spectrum(measures), tiles: Self.heat(image, measures))
  }

  private static func spectrum(_ measures: TileMeasures) -> Frame {
    let size = measures.grid.size
    let values = measures.meanSpectrum
    // ln of the power of white noise of 0.25 to 250 gray levels.
    let (low, high): (Float, Float) = (-2.8, 11)
    var frame = Frame(width: size, height: size)
    for y in 0..<size {
      for x in 0..<size {
        var (fy, fx) = (y - size / 2, x - size / 2)
        if fx < 0 { (fy, fx) = (-fy, -fx) }
        let column = min(fx, size / 2 - 1)
        let value = values[(fy + size) % size * (size / 2) + column]
        let tone = UInt8(min(max((value - low) / (high - low), 0), 1) * 255)
        frame[x, y] = Pixel(red: tone, green: tone, blue: tone)
      }
    }
    return frame
  }

  private static func heat(_ image: SampledImage, _ measures: TileMeasures) -> Frame {
    let coarse = image.coarse
    let factor = max(1, image.width / coarse.width)
    var frame = Frame(width: coarse.width, height: coarse.height)
    for (index, tone) in coarse.samples.enumerated() {
      frame[index % coarse.width, index / coarse.width] = Pixel(red: tone, green: tone, blue: tone)
    }
    let side = max(1, measures.grid.size / factor)
    for (corner, height) in zip(measures.grid.corners, measures.heights) {
      // Noise alone reaches about 1.5; a clear grid reaches 4 and more.
      let heat = min(max((height - 1.5) / 2.5, 0), 1)
      for y in corner.y / factor..<min(corner.y / factor + side, coarse.height) {
        for x in corner.x / factor..<min(corner.x / factor + side, coarse.width) {
          let old = frame[x, y]
          let isRim =
            y == corner.y / factor || x == corner.x / factor || y == corner.y / factor + side - 1
            || x == corner.x / factor + side - 1
          let weight = isRim ? max(0.35, heat) : heat * 0.5
          func mixed(_ value: UInt8, _ target: Float) -> UInt8 {
            UInt8(Float(value) + (target - Float(value)) * weight)
          }
          frame[x, y] = Pixel(red: mixed(old.red, 230), green: mixed(old.green, 60), blue: mixed(old.blue, 40))
        }
      }
    }
    return frame
  }
}
