internal import MienCore
public import MienScanFormat

/// Inspects and grades the frames of a scan sequentially.
///
/// ``findings`` covers the frames so far. Stores a few numbers per frame; for guidance during a scan, use
/// ``ScanGuidanceEngine``.
public struct ScanInspector: Sendable {
  private let header: ScanHeader
  private let kind: ScanSubjectKind
  private let settings: ScanQualitySettings
  private var frameStats: [FrameQualityStats] = []
  /// Camera poses of photos.
  private var photoPoses: [CameraPose] = []
  private var lost = 0

  /// - Parameters:
  ///   - header: header of the scan.
  ///   - kind: what was scanned; it determines the views that must be covered.
  ///   - settings: nil for those of the sensor and the kind.
  public init(_ header: ScanHeader, of kind: ScanSubjectKind = .face, settings: ScanQualitySettings? = nil) {
    self.header = header
    self.kind = kind
    self.settings = settings ?? ScanQualitySettings(for: header.sensor, of: kind)
  }

  /// Counts a frame that could not be read.
  public mutating func lostFrame() { lost += 1 }

  /// Inspects the next frame.
  public mutating func see(_ frame: ScanFrame) {
    frameStats.append(FrameQualityStats(frame, metersPerStep: header.metersPerStep))
  }

  /// Adds a photo with a known pose: its view counts as covered, provided that there is also depth of the subject.
  public mutating func see(photoFrom pose: CameraPose) { photoPoses.append(pose) }

  /// Findings about depth and motion, in the order of ``ScanFinding/Item``.
  public var findings: [ScanFinding] {
    [frames, lostFrames, distance, holes, confidence, poses, speed, turning, coverage]
  }

  private var frames: ScanFinding {
    let grade = settings.frames.grade(Double(frameStats.count))
    return ScanFinding(
      .frames, grade, value: Double(frameStats.count), unit: "frames",
      [ScanDiagnostic(grade == .pass ? .framesEnough : .framesFew, ["count": "\(frameStats.count)"])])
  }

  private var lostFrames: ScanFinding {
    let gaps = zip(frameStats.dropFirst(), frameStats).map { $0.seconds - $1.seconds }
    guard frameStats.count + lost > 0 else {
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
    let share = total / (Double(frameStats.count) + total)
    let grade = settings.lostFrames.grade(share)
    return ScanFinding(
      .lostFrames, grade, value: share, unit: "share",
      [grade == .pass ? ScanDiagnostic(.lostFramesFew) : ScanDiagnostic(.lostFramesMany, ["count": Self.whole(total)])])
  }

  private var distance: ScanFinding {
    let distances = frameStats.compactMap { $0.distance.map(Double.init) }.sorted()
    guard !distances.isEmpty else {
      return ScanFinding(.distance, .fail, value: nil, unit: "m", .distanceNone)
    }
    let middle = distances[distances.count / 2]
    let share = Double(distances.count { settings.distance.contains($0) }) / Double(frameStats.count)
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
    guard !frameStats.isEmpty else {
      return ScanFinding(.holes, .notAssessed, value: nil, unit: "share", .framesNone)
    }
    let share = 1 - frameStats.reduce(0) { $0 + $1.measured } / Double(frameStats.count)
    let grade = settings.holes.grade(share)
    return ScanFinding(
      .holes, grade, value: share, unit: "share",
      [grade == .pass ? ScanDiagnostic(.holesFew) : ScanDiagnostic(.holesMany, ["percent": Self.percent(share)])])
  }

  private var confidence: ScanFinding {
    let confidences = frameStats.compactMap(\.sure)
    guard !confidences.isEmpty else {
      return ScanFinding(.confidence, .notAssessed, value: nil, unit: "share", .confidenceNotReported)
    }
    let share = confidences.reduce(0, +) / Double(confidences.count)
    let grade = settings.confidence.grade(share)
    return ScanFinding(
      .confidence, grade, value: share, unit: "share",
      [
        grade == .pass
          ? ScanDiagnostic(.confidenceHigh) : ScanDiagnostic(.confidenceLow, ["percent": Self.percent(share)])
      ])
  }

  private var poses: ScanFinding {
    guard !frameStats.isEmpty else {
      return ScanFinding(.poses, .notAssessed, value: nil, unit: "share", .framesNone)
    }
    let share = Double(frameStats.count { $0.pose != nil }) / Double(frameStats.count)
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
    zip(frameStats, frameStats.dropFirst()).compactMap { before, after in after.movement(since: before) }
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

  /// Camera poses of the frames with the distance of the subject, and those of the photos.
  private var views: [(pose: CameraPose, distance: Float)] {
    var views: [(pose: CameraPose, distance: Float)] = frameStats.compactMap { stats in
      stats.pose.flatMap { pose in stats.distance.map { (pose, $0) } }
    }
    // The subject's distance is unknown for photos; the scan's median distance is assumed.
    let distances = views.map(\.distance).sorted()
    if !distances.isEmpty { views += photoPoses.map { ($0, distances[distances.count / 2]) } }
    return views
  }

  /// Region that holds the subject; nil for a room, and without enough views.
  ///
  /// - Parameter poses: refined poses of the frames, one for each that was inspected; the device's own are used if the
  ///   numbers differ.
  public func subject(at poses: [CameraPose?] = []) -> SubjectRegion? {
    let known = poses.count == frameStats.count ? poses : frameStats.map(\.pose)
    let views = zip(frameStats, known).compactMap { stats, pose in
      pose.flatMap { pose in stats.distance.map { (pose: pose, distance: $0) } }
    }
    return SubjectRegion(views, of: kind)
  }

  private var coverage: ScanFinding {
    let views = views
    switch kind {
    case .face: return faceCoverage(ViewCoverage(views, world: header.world))
    case .object: return objectCoverage(ViewCoverage(views, world: header.world))
    case .room: return roomCoverage(DirectionCoverage(views.map(\.pose), world: header.world))
    }
  }

  private func faceCoverage(_ sphere: ViewCoverage?) -> ScanFinding {
    guard let sphere else { return Self.unknownCoverage }
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

  private func objectCoverage(_ sphere: ViewCoverage?) -> ScanFinding {
    guard let sphere else { return Self.unknownCoverage }
    let around = Double(min(sphere.left + sphere.right, 360))
    let grade = settings.around.grade(around)
    let isFromAbove = sphere.top >= settings.top
    guard grade != .pass || !isFromAbove else {
      return ScanFinding(.coverage, .pass, value: around, unit: "°", .coverageAround)
    }
    var remarks: [ScanDiagnostic] = []
    if grade != .pass { remarks.append(ScanDiagnostic(.coveragePartlyAround, ["degrees": Self.whole(around)])) }
    if !isFromAbove { remarks.append(ScanDiagnostic(.coverageTop)) }
    return ScanFinding(.coverage, grade == .pass ? .warn : grade, value: around, unit: "°", remarks)
  }

  private func roomCoverage(_ turned: DirectionCoverage?) -> ScanFinding {
    guard let turned else { return Self.unknownCoverage }
    let grade = settings.turned.grade(turned.degrees)
    return ScanFinding(
      .coverage, grade, value: turned.degrees, unit: "°",
      [
        grade == .pass
          ? ScanDiagnostic(.coverageTurned)
          : ScanDiagnostic(.coveragePartlyTurned, ["degrees": Self.whole(turned.degrees)])
      ])
  }

  private static var unknownCoverage: ScanFinding {
    ScanFinding(.coverage, .notAssessed, value: nil, unit: "°", .coverageUnknown)
  }

  private static func percent(_ share: Double) -> String { whole(share * 100) }
  private static func centimeters(_ meters: Double) -> String { whole(meters * 100) }
  /// Formats the nearest integer, clamped to ±10⁹.
  private static func whole(_ value: Double) -> String {
    value.isFinite ? "\(Int(min(max(value.rounded(), -1e9), 1e9)))" : "–"
  }
}
