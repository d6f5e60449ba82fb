internal import MienModel

/// Looks at a scan's frames, one after the other, and grades what it saw.
///
/// It can be asked while scanning: ``findings`` holds for the frames so far. It keeps a few numbers of each frame.
public struct ScanInspector: Sendable {
  private let header: ScanHeader
  private let settings: ScanQualitySettings
  private var looks: [Look] = []
  private var lost = 0

  /// What is remembered of a frame.
  private struct Look: Sendable {
    let seconds: Double
    let pose: CameraPose?
    /// The middle of the distances in the middle of the map, in metres; nil without a measurement there.
    let distance: Float?
    let measured: Double
    /// nil when the sensor does not say.
    let sure: Double?
  }

  public init(_ header: ScanHeader, settings: ScanQualitySettings? = nil) {
    self.header = header
    self.settings = settings ?? ScanQualitySettings(for: header.sensor)
  }

  /// A frame that could not be read.
  public mutating func lostFrame() { lost += 1 }

  /// The next frame.
  public mutating func see(_ frame: ScanFrame) {
    var distances: [UInt16] = []
    var (looked, sure) = (0, 0)
    // Every fourth sample of the middle half.
    for y in stride(from: frame.height / 4, to: max(frame.height * 3 / 4, frame.height / 4 + 1), by: 4) {
      for x in stride(from: frame.width / 4, to: max(frame.width * 3 / 4, frame.width / 4 + 1), by: 4) {
        let place = y * frame.width + x
        looked += 1
        if frame.depth[place] > 0 { distances.append(frame.depth[place]) }
        if let confidence = frame.confidence, confidence[place] == 2 { sure += 1 }
      }
    }
    distances.sort()
    let middle = distances.isEmpty ? nil : Float(distances[distances.count / 2]) * header.metresPerStep
    looks.append(
      Look(
        seconds: frame.at.seconds, pose: frame.pose, distance: middle,
        measured: Double(distances.count) / Double(looked),
        sure: frame.confidence == nil ? nil : Double(sure) / Double(looked)))
  }

  /// The findings about depth and movement, in the order of ``ScanFinding/Item``.
  public var findings: [ScanFinding] {
    [frames, lostFrames, distance, holes, confidence, poses, speed, turning, coverage]
  }

  private var frames: ScanFinding {
    let grade = settings.frames.grade(Double(looks.count))
    return ScanFinding(
      .frames, grade, value: Double(looks.count), unit: "frames",
      words: grade == .pass
        ? "\(looks.count) depth frames." : "Only \(looks.count) depth frames: scan for 5 to 10 seconds.")
  }

  private var lostFrames: ScanFinding {
    let gaps = zip(looks.dropFirst(), looks).map { $0.seconds - $1.seconds }
    guard looks.count + lost > 0 else {
      return ScanFinding(.lostFrames, .notAssessed, value: nil, unit: "share", words: "There are no frames.")
    }
    guard !gaps.contains(where: { $0 < 0 }) else {
      return ScanFinding(
        .lostFrames, .fail, value: nil, unit: "share",
        words: "The frames' times run backwards: the recording is damaged.")
    }
    let usual = gaps.sorted().dropFirst(gaps.count / 2).first
    let missing = usual.map { usual in
      usual > 0 ? gaps.reduce(0) { $0 + ($1 > 2.5 * usual ? Int(($1 / usual).rounded()) - 1 : 0) } : Int.zero
    }
    let total = lost + (missing ?? Int.zero)
    let share = Double(total) / Double(looks.count + total)
    let grade = settings.lostFrames.grade(share)
    return ScanFinding(
      .lostFrames, grade, value: share, unit: "share",
      words: grade == .pass
        ? "No more than one frame in a hundred is missing."
        : "\(total) frames are missing: close other apps and let the device cool down, then scan again.")
  }

  private var distance: ScanFinding {
    let distances = looks.compactMap { $0.distance.map(Double.init) }.sorted()
    guard !distances.isEmpty else {
      return ScanFinding(
        .distance, .fail, value: nil, unit: "m", words: "Nothing was measured in the middle of the maps.")
    }
    let middle = distances[distances.count / 2]
    let share = Double(distances.count { settings.distance.contains($0) }) / Double(looks.count)
    let grade = settings.inDistance.grade(share)
    let wanted =
      "\(Self.centimetres(settings.distance.lowerBound)) to \(Self.centimetres(settings.distance.upperBound)) cm"
    let words =
      grade == .pass
      ? "The distance was right: about \(Self.centimetres(middle)) cm."
      : "Keep \(wanted) away: it was \(Self.centimetres(middle)) cm in the middle of the scan, and right in "
        + "\(Self.percent(share)) % of the frames."
    return ScanFinding(.distance, grade, value: middle, unit: "m", words: words)
  }

  private var holes: ScanFinding {
    guard !looks.isEmpty else {
      return ScanFinding(.holes, .notAssessed, value: nil, unit: "share", words: "There are no frames.")
    }
    let share = 1 - looks.reduce(0) { $0 + $1.measured } / Double(looks.count)
    let grade = settings.holes.grade(share)
    return ScanFinding(
      .holes, grade, value: share, unit: "share",
      words: grade == .pass
        ? "The middle of the maps is measured nearly everywhere."
        : "\(Self.percent(share)) % of the middle is not measured: keep the distance, avoid glass, mirrors and black hair "
          + "or cloth against the light.")
  }

  private var confidence: ScanFinding {
    let sure = looks.compactMap(\.sure)
    guard !sure.isEmpty else {
      return ScanFinding(
        .confidence, .notAssessed, value: nil, unit: "share", words: "The sensor does not say how sure it is.")
    }
    let share = sure.reduce(0, +) / Double(sure.count)
    let grade = settings.confidence.grade(share)
    return ScanFinding(
      .confidence, grade, value: share, unit: "share",
      words: grade == .pass
        ? "The sensor is sure of most samples."
        : "The sensor is sure of only \(Self.percent(share)) % of the samples: more light, and slower.")
  }

  private var poses: ScanFinding {
    guard !looks.isEmpty else {
      return ScanFinding(.poses, .notAssessed, value: nil, unit: "share", words: "There are no frames.")
    }
    let share = Double(looks.count { $0.pose != nil }) / Double(looks.count)
    guard share > 0 else {
      return ScanFinding(
        .poses, .warn, value: 0, unit: "share",
        words: "The recording has no camera poses: the surface is found from the depth alone, and may drift.")
    }
    let grade = settings.poses.grade(share)
    return ScanFinding(
      .poses, grade, value: share, unit: "share",
      words: grade == .pass
        ? "The device knew where it was."
        : "The device lost its place in \(Self.percent(1 - share)) % of the frames: move slowly, with light on things "
          + "that have edges.")
  }

  /// What 95 of 100 of these stay below; nil when there are none.
  private static func high(_ values: [Double]) -> Double? {
    let sorted = values.sorted()
    return sorted.isEmpty ? nil : sorted[min(sorted.count * 95 / 100, sorted.count - 1)]
  }

  /// For each two frames with poses that follow one another: the earlier and the later pose and the seconds between.
  private var steps: [(CameraPose, CameraPose, Double)] {
    zip(looks, looks.dropFirst()).compactMap { before, after in
      guard let from = before.pose, let to = after.pose, after.seconds > before.seconds else { return nil }
      return (from, to, after.seconds - before.seconds)
    }
  }

  private var speed: ScanFinding {
    let speeds = steps.map { from, to, seconds in
      let way = to.position - from.position
      return Double(dot(way, way).squareRoot()) / seconds
    }
    guard let high = Self.high(speeds) else {
      return ScanFinding(
        .speed, .notAssessed, value: nil, unit: "m/s", words: "There are no poses to tell the speed from.")
    }
    let grade = settings.speed.grade(high)
    return ScanFinding(
      .speed, grade, value: high, unit: "m/s",
      words: grade == .pass
        ? "The camera was moved slowly enough."
        : "Move the device more slowly: it went up to \(Self.centimetres(high)) cm a second; "
          + "\(Self.centimetres(settings.speed.good)) is good.")
  }

  private var turning: ScanFinding {
    let rates = steps.map { from, to, seconds in
      let trace = dot(from.right, to.right) + dot(from.up, to.up) + dot(from.back, to.back)
      return Double(SmallMath.arcCosine((trace - 1) / 2)) / seconds
    }
    guard let high = Self.high(rates) else {
      return ScanFinding(
        .turning, .notAssessed, value: nil, unit: "°/s", words: "There are no poses to tell turns from.")
    }
    let grade = settings.turning.grade(high)
    return ScanFinding(
      .turning, grade, value: high, unit: "°/s",
      words: grade == .pass
        ? "The camera was turned slowly enough; the frames are not blurred by turns."
        : "Turn the device more slowly: up to \(Int(high.rounded()))° a second blur the frames.")
  }

  private var coverage: ScanFinding {
    guard
      let sphere = ViewSphere(
        looks.compactMap { look in look.pose.flatMap { pose in look.distance.map { (pose, $0) } } }, world: header.world
      )
    else {
      return ScanFinding(
        .coverage, .notAssessed, value: nil, unit: "°", words: "There are too few poses to tell what was seen.")
    }
    let missing = [
      (sphere.left < settings.side, "the subject's left side"),
      (sphere.right < settings.side, "the subject's right side"),
      (sphere.top < settings.top, "the top"),
    ].filter(\.0).map(\.1)
    let sides = sphere.left >= settings.side && sphere.right >= settings.side
    let grade: ScanFinding.Grade = missing.isEmpty ? .pass : sides ? .warn : .fail
    return ScanFinding(
      .coverage, grade, value: Double(sphere.left + sphere.right), unit: "°",
      words: missing.isEmpty
        ? "Front, both sides and the top were seen."
        : "Not seen well: \(missing.joined(separator: ", ")). Go around in an arc: front, left, right, top.")
  }

  private static func percent(_ share: Double) -> Int { Int((share * 100).rounded()) }
  private static func centimetres(_ metres: Double) -> Int { Int((metres * 100).rounded()) }
}
