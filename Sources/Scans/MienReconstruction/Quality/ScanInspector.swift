internal import MienCore
public import MienScanFormat

/// Inspects and grades the frames of a scan sequentially.
///
/// ``findings`` covers the frames so far. Stores a few numbers per frame; for guidance during a scan, use
/// ``ScanGuidanceEngine``.
public struct ScanInspector: Sendable {
  private let header: ScanHeader
  private let settings: ScanQualitySettings
  private var looks: [FrameQualityStats] = []
  /// Camera poses of photos.
  private var photoPoses: [CameraPose] = []
  private var lost = 0

  public init(_ header: ScanHeader, settings: ScanQualitySettings? = nil) {
    self.header = header
    self.settings = settings ?? ScanQualitySettings(for: header.sensor)
  }

  /// Counts a frame that could not be read.
  public mutating func lostFrame() { lost += 1 }

  /// Inspects the next frame.
  public mutating func see(_ frame: ScanFrame) {
    looks.append(FrameQualityStats(frame, metersPerStep: header.metersPerStep))
  }

  /// Adds a photo with a known pose: its view counts as covered, provided that there is also depth of the subject.
  public mutating func see(photoFrom pose: CameraPose) { photoPoses.append(pose) }

  /// Findings about depth and motion, in the order of ``ScanFinding/Item``.
  public var findings: [ScanFinding] {
    [frames, lostFrames, distance, holes, confidence, poses, speed, turning, coverage]
  }

  private var frames: ScanFinding {
    let grade = settings.frames.grade(Double(looks.count))
    return ScanFinding(
      .frames, grade, value: Double(looks.count), unit: "frames",
      [ScanDiagnostic(grade == .pass ? .framesEnough : .framesFew, ["count": "\(looks.count)"])])
  }

  private var lostFrames: ScanFinding {
    let gaps = zip(looks.dropFirst(), looks).map { $0.seconds - $1.seconds }
    guard looks.count + lost > 0 else {
      return ScanFinding(.lostFrames, .notAssessed, value: nil, unit: "share", .framesNone)
    }
    guard !gaps.contains(where: { $0 < 0 }) else {
      return ScanFinding(.lostFrames, .fail, value: nil, unit: "share", .lostFramesBackwards)
    }
    let usual = gaps.sorted().dropFirst(gaps.count / 2).first
    // Timestamps are read from the file: a gap of centuries among gaps of nanoseconds is more frames than an integer
    // can hold.
    let missing = usual.map { usual in
      usual > 0 ? gaps.reduce(0) { $0 + ($1 > 2.5 * usual ? ($1 / usual).rounded() - 1 : 0) } : Double.zero
    }
    let total = Double(lost) + (missing ?? Double.zero)
    let share = total / (Double(looks.count) + total)
    let grade = settings.lostFrames.grade(share)
    return ScanFinding(
      .lostFrames, grade, value: share, unit: "share",
      [grade == .pass ? ScanDiagnostic(.lostFramesFew) : ScanDiagnostic(.lostFramesMany, ["count": Self.whole(total)])])
  }

  private var distance: ScanFinding {
    let distances = looks.compactMap { $0.distance.map(Double.init) }.sorted()
    guard !distances.isEmpty else {
      return ScanFinding(.distance, .fail, value: nil, unit: "m", .distanceNone)
    }
    let middle = distances[distances.count / 2]
    let share = Double(distances.count { settings.distance.contains($0) }) / Double(looks.count)
    let grade = settings.inDistance.grade(share)
    let found = Self.centimeters(middle)
    let remark =
      grade == .pass
      ? ScanDiagnostic(.distanceRight, ["centimeters": found])
      : ScanDiagnostic(
        .distanceWrong,
        [
          "least": Self.centimeters(settings.distance.lowerBound),
          "most": Self.centimeters(settings.distance.upperBound), "centimeters": found, "percent": Self.percent(share),
        ])
    return ScanFinding(.distance, grade, value: middle, unit: "m", [remark])
  }

  private var holes: ScanFinding {
    guard !looks.isEmpty else {
      return ScanFinding(.holes, .notAssessed, value: nil, unit: "share", .framesNone)
    }
    let share = 1 - looks.reduce(0) { $0 + $1.measured } / Double(looks.count)
    let grade = settings.holes.grade(share)
    return ScanFinding(
      .holes, grade, value: share, unit: "share",
      [grade == .pass ? ScanDiagnostic(.holesFew) : ScanDiagnostic(.holesMany, ["percent": Self.percent(share)])])
  }

  private var confidence: ScanFinding {
    let sure = looks.compactMap(\.sure)
    guard !sure.isEmpty else {
      return ScanFinding(.confidence, .notAssessed, value: nil, unit: "share", .confidenceNotReported)
    }
    let share = sure.reduce(0, +) / Double(sure.count)
    let grade = settings.confidence.grade(share)
    return ScanFinding(
      .confidence, grade, value: share, unit: "share",
      [
        grade == .pass
          ? ScanDiagnostic(.confidenceHigh) : ScanDiagnostic(.confidenceLow, ["percent": Self.percent(share)])
      ])
  }

  private var poses: ScanFinding {
    guard !looks.isEmpty else {
      return ScanFinding(.poses, .notAssessed, value: nil, unit: "share", .framesNone)
    }
    let share = Double(looks.count { $0.pose != nil }) / Double(looks.count)
    guard share > 0 else {
      return ScanFinding(.poses, .warn, value: 0, unit: "share", .posesNone)
    }
    let grade = settings.poses.grade(share)
    return ScanFinding(
      .poses, grade, value: share, unit: "share",
      [grade == .pass ? ScanDiagnostic(.posesKnown) : ScanDiagnostic(.posesLost, ["percent": Self.percent(1 - share)])])
  }

  /// Returns the 95th percentile; nil without values.
  private static func high(_ values: [Double]) -> Double? {
    let sorted = values.sorted()
    return sorted.isEmpty ? nil : sorted[min(sorted.count * 95 / 100, sorted.count - 1)]
  }

  /// Camera speed between each two consecutive frames with poses.
  private var movements: [(speed: Double, turning: Double)] {
    zip(looks, looks.dropFirst()).compactMap { before, after in after.movement(since: before) }
  }

  private var speed: ScanFinding {
    guard let high = Self.high(movements.map(\.speed)) else {
      return ScanFinding(.speed, .notAssessed, value: nil, unit: "m/s", .speedUnknown)
    }
    let grade = settings.speed.grade(high)
    return ScanFinding(
      .speed, grade, value: high, unit: "m/s",
      [
        grade == .pass
          ? ScanDiagnostic(.speedSlow)
          : ScanDiagnostic(
            .speedFast,
            ["centimeters": Self.centimeters(high), "most": Self.centimeters(settings.speed.good)])
      ])
  }

  private var turning: ScanFinding {
    guard let high = Self.high(movements.map(\.turning)) else {
      return ScanFinding(.turning, .notAssessed, value: nil, unit: "°/s", .turningUnknown)
    }
    let grade = settings.turning.grade(high)
    return ScanFinding(
      .turning, grade, value: high, unit: "°/s",
      [grade == .pass ? ScanDiagnostic(.turningSlow) : ScanDiagnostic(.turningFast, ["degrees": Self.whole(high)])])
  }

  private var coverage: ScanFinding {
    var views: [(pose: CameraPose, distance: Float)] = looks.compactMap { look in
      look.pose.flatMap { pose in look.distance.map { (pose, $0) } }
    }
    // The subject's distance is unknown for photos; the scan's median distance is assumed.
    let distances = views.map(\.distance).sorted()
    if !distances.isEmpty { views += photoPoses.map { ($0, distances[distances.count / 2]) } }
    guard let sphere = ViewCoverage(views, world: header.world) else {
      return ScanFinding(.coverage, .notAssessed, value: nil, unit: "°", .coverageUnknown)
    }
    let missing = [
      (sphere.left < settings.side, ScanDiagnostic.Code.coverageLeft), (sphere.right < settings.side, .coverageRight),
      (sphere.top < settings.top, .coverageTop),
    ].filter(\.0).map(\.1)
    let sides = sphere.left >= settings.side && sphere.right >= settings.side
    let grade: ScanFinding.Grade = missing.isEmpty ? .pass : sides ? .warn : .fail
    return ScanFinding(
      .coverage, grade, value: Double(sphere.left + sphere.right), unit: "°",
      (missing.isEmpty ? [.coverageAll] : missing + [.coverageArc]).map { ScanDiagnostic($0) })
  }

  private static func percent(_ share: Double) -> String { whole(share * 100) }
  private static func centimeters(_ meters: Double) -> String { whole(meters * 100) }
  /// Formats the nearest integer, clamped to ±10⁹.
  private static func whole(_ value: Double) -> String {
    value.isFinite ? "\(Int(min(max(value.rounded(), -1e9), 1e9)))" : "–"
  }
}

/// Quality criteria of a scan: the bounds between pass, warn and fail.
public struct ScanQualitySettings: Hashable, Sendable {
  /// Two bounds: values up to the first are good, beyond the second bad.
  public struct Bounds: Hashable, Sendable {
    public var good: Double
    public var bad: Double
    public init(good: Double, bad: Double) {
      self.good = good
      self.bad = bad
    }

    /// Grades a value; higher is better if `good` is at least `bad`, otherwise lower is better.
    func grade(_ value: Double) -> ScanFinding.Grade {
      if good >= bad { return value >= good ? .pass : value >= bad ? .warn : .fail }
      return value <= good ? .pass : value <= bad ? .warn : .fail
    }
  }

  /// Distances in meters at which the sensor measures a face well.
  public var distance: ClosedRange<Double>
  /// Share of frames with the subject in this range.
  public var inDistance = Bounds(good: 0.8, bad: 0.5)
  public var frames = Bounds(good: 30, bad: 10)
  /// Share of missing frames.
  public var lostFrames = Bounds(good: 0.01, bad: 0.1)
  /// Share of samples in the center of the maps without a measurement.
  public var holes = Bounds(good: 0.05, bad: 0.25)
  /// Share of samples in the center of the maps with high confidence.
  public var confidence = Bounds(good: 0.7, bad: 0.4)
  /// Share of frames with a pose.
  public var poses = Bounds(good: 0.98, bad: 0.8)
  /// 95th percentile of the speed, in meters per second.
  public var speed = Bounds(good: 0.5, bad: 1)
  /// 95th percentile of the rotation speed, in degrees per second.
  public var turning = Bounds(good: 45, bad: 90)
  /// Degrees from the front from which a side counts as covered, and degrees above the horizon for the top.
  public var side: Float = 35
  public var top: Float = 25

  /// Uses the distances recommended in the apps: 0.5 to 1 m for LiDAR, 0.25 to 0.5 m for the front camera.
  public init(for sensor: ScanSensor) {
    distance =
      switch sensor {
      case .lidar: 0.5...1
      case .trueDepth: 0.25...0.5
      case .depthCamera, .unknown: 0.4...2
      }
  }
}
