internal import MienCore
internal import RealModule

/// Tracks a head along a path of waypoints: their order, their timing, and the shape of the movement between them.
struct HeadPathTracker: Hashable, Sendable {
  let settings: HeadPathSettings
  private let waypoints: [Int]
  /// Index of the current waypoint.
  private(set) var index = 0
  /// Start and end of the current leg, in radii.
  private var start = SIMD2<Float>.zero
  private var end: SIMD2<Float>
  /// Start time and travel time of the target on this leg; `nil` before the first sample.
  private var launched: MonotonicInstant?
  private var travelTime = Interval.zero
  private var last = MonotonicInstant.zero
  private var strayed = 0.0
  private var insideSince: MonotonicInstant?
  private var samplesInside = 0
  private(set) var pointer = SIMD2<Float>.zero
  private var squares: Double = 0
  private var count: Double = 0

  init(_ task: HeadPathTask) {
    settings = task.settings
    waypoints = task.waypoints
    end = Self.position(task.waypoints[0])
  }

  mutating func process(_ sample: TrackerSample, _ events: inout TaskEventLog) -> TrackerUpdate {
    pointer = SIMD2(sample.pose.x / settings.yawRadius, sample.pose.y / settings.pitchRadius)
    guard let launched else {
      launch(at: sample.at)
      return .going
    }
    let distance = distanceToLine(pointer)
    squares += Double(distance * distance)
    count += 1
    if distance > settings.corridor {
      strayed += min(sample.at.since(last).inSeconds, 0.25)
      if strayed > settings.stray.inSeconds { return .failed(.offPath) }
    }
    last = sample.at
    let age = sample.at.since(launched)
    let remaining = Self.length(pointer - end)
    let isNear = remaining <= settings.capture
    // Half the capture distance, so that overshooting a waypoint toward its neighbor does not count as a guess.
    if remaining <= settings.capture / 2, age < settings.shortestLeg { return .failed(.tooEarly) }
    guard isNear, age >= travelTime else {
      insideSince = nil
      return age.inSeconds > travelTime.inSeconds + settings.lag.inSeconds ? .failed(.tooSlow) : .going
    }
    let since = insideSince ?? sample.at
    samplesInside = insideSince == nil ? 1 : samplesInside + 1
    insideSince = since
    guard samplesInside >= 2, sample.at.since(since) >= settings.dwell else { return .going }
    events.add(.waypoint(index), at: sample.at)
    index += 1
    guard index < waypoints.count else { return .done }
    start = end
    end = Self.position(waypoints[index])
    launch(at: sample.at)
    return .going
  }

  private mutating func launch(at: MonotonicInstant) {
    launched = at
    last = at
    strayed = 0
    insideSince = nil
    travelTime = .seconds(settings.glide.inSeconds * Double(Self.length(end - start)))
  }

  private static func position(_ waypoint: Int) -> SIMD2<Float> {
    let angle = Float(waypoint) * 2 * .pi / Float(HeadPathTask.directions)
    return SIMD2(.cos(angle), .sin(angle))
  }

  private static func length(_ vector: SIMD2<Float>) -> Float { (vector * vector).sum().squareRoot() }

  private func distanceToLine(_ point: SIMD2<Float>) -> Float {
    let line = end - start
    let along = min(max((line * (point - start)).sum() / (line * line).sum(), 0), 1)
    return Self.length(point - start - along * line)
  }

  /// Position of the target at the last sample, in degrees.
  var target: PosePoint {
    guard let launched else { return PosePoint(yaw: 0, pitch: 0) }
    let share = min(Float(last.since(launched).inSeconds / travelTime.inSeconds), 1)
    let position = start + share * (end - start)
    return PosePoint(yaw: position.x * settings.yawRadius, pitch: position.y * settings.pitchRadius)
  }

  var waypointCount: Int { waypoints.count }
  /// Root mean square distance from the drawn line, in radii; `nil` before the first measurement.
  var deviation: Double? { count > 0 ? (squares / count).squareRoot() : nil }
  var progress: Float {
    let leg = Self.length(end - start)
    let share = leg > 0 ? 1 - min(Self.length(pointer - end) / leg, 1) : 0
    return min((Float(index) + share) / Float(waypoints.count), 1)
  }
}

extension HeadPathTracker: BinaryStateCodable {
  mutating func pass(over coder: inout BinaryStateCoder) {
    coder.pass(&index)
    coder.require((0...waypoints.count).contains(index))
    coder.pass(&start)
    coder.pass(&end)
    coder.pass(&launched)
    coder.pass(&travelTime)
    coder.pass(&last)
    coder.pass(&strayed)
    coder.pass(&insideSince)
    coder.pass(&samplesInside)
    coder.pass(&pointer)
    coder.pass(&squares)
    coder.pass(&count)
  }
}
