internal import MienCore
internal import RealModule

/// Tracks a head around a circle.
struct CircleTracker: Hashable, Sendable {
  let settings: CircleSettings
  /// Direction: +1 clockwise, −1 counterclockwise, 0 while it is free and not determined yet.
  private var sense: Float
  private let isAsked: Bool
  /// Bit i: sector i was covered. Sector 0 starts at the subject's left, and the indices increase upward from there.
  private(set) var covered: UInt32 = 0
  private(set) var pointer = PosePoint(yaw: 0, pitch: 0)
  /// Last angle within the ring in degrees. `wasInside`: whether the previous sample was within the ring.
  private var angle: Float?
  private var wasInside = false
  private var firstInside: MonotonicInstant?
  private var jumps = 0
  /// Degrees traveled around the circle, positive clockwise, with the turning-point filter that ``YawTravel`` describes.
  private var travel: Float = 0
  private var furthest: Float = 0
  private var lowest: Float = 0
  private var backwards: Float = 0

  init(_ task: CircleTask) {
    settings = task.settings
    isAsked = task.direction != nil
    sense = task.direction.map { $0 == .clockwise ? 1 : -1 } ?? .zero
  }

  /// Degrees after which a free direction is determined, and a wrong direction is reported.
  private static let decisive: Float = 60

  mutating func process(_ sample: TrackerSample) -> TrackerUpdate {
    pointer = PosePoint(yaw: sample.pose.x, pitch: sample.pose.y)
    let x = sample.pose.x
    let y = sample.pose.y * settings.pitchWeight
    let radius = (x * x + y * y).squareRoot()
    guard radius >= settings.minimumRadius, radius <= settings.maximumRadius else {
      wasInside = false
      return .going
    }
    let angle = Float.atan2(y: y, x: x) * 180 / .pi
    defer {
      self.angle = angle
      wasInside = true
    }
    guard let last = self.angle else {
      firstInside = sample.at
      cover(angle)
      return .going
    }
    let step = Self.wrapped(angle - last)
    if wasInside, abs(step) <= settings.longestStep {
      coverAll(from: last, by: step)
    } else {
      cover(angle)
      if abs(step) > settings.longestStep { jumps += 1 }
      if jumps > settings.forgivenJumps { return .failed(.unsteady) }
    }
    // In a mirror the subject's left is on the left, so an increasing angle goes up from there and to the right: clockwise.
    travel += step
    return evaluate(at: sample.at)
  }

  private mutating func evaluate(at: MonotonicInstant) -> TrackerUpdate {
    if sense == 0 {
      guard abs(travel) >= Self.decisive else { return .going }
      sense = travel > 0 ? 1 : -1
    }
    let forward = travel * sense
    if isAsked, furthest < Self.decisive, forward < -Self.decisive { return .failed(.wrongDirection) }
    advance(forward)
    if backwardTravel > settings.backwardTolerance { return .failed(.unsteady) }
    guard let firstInside, covered.nonzeroBitCount == settings.sectors, furthest >= neededTravel,
      at.since(firstInside) >= settings.shortestTime
    else { return .going }
    return .done
  }

  private mutating func advance(_ forward: Float) {
    lowest = min(lowest, forward)
    let retreat = furthest - lowest
    if forward >= furthest || (retreat >= settings.jitter && forward - lowest >= settings.jitter) {
      if retreat >= settings.jitter { backwards += retreat }
      furthest = forward
      lowest = forward
    }
  }

  /// The first and the last sector need not be traversed completely.
  private var neededTravel: Float { 360 - 2 * 360 / Float(settings.sectors) }

  private var backwardTravel: Float {
    let retreat = furthest - lowest
    return backwards + (retreat >= settings.jitter ? retreat : 0)
  }

  private mutating func cover(_ angle: Float) {
    let turn = angle < 0 ? angle + 360 : angle
    covered |= 1 << UInt32(min(Int(turn / 360 * Float(settings.sectors)), settings.sectors - 1))
  }

  private mutating func coverAll(from start: Float, by step: Float) {
    let width = 360 / Float(settings.sectors)
    let parts = (abs(step) / width * 2).rounded(.up)
    var part: Float = 1
    while part <= parts {
      cover(Self.wrapped(start + step * part / parts))
      part += 1
    }
  }

  private static func wrapped(_ angle: Float) -> Float {
    angle > 180 ? angle - 360 : angle <= -180 ? angle + 360 : angle
  }

  var coverage: Float { Float(covered.nonzeroBitCount) / Float(settings.sectors) }
  /// Backward travel as a fraction of the tolerance.
  var unsteadiness: Float {
    settings.backwardTolerance > 0 ? min(backwardTravel / settings.backwardTolerance, 1) : 0
  }
}

extension CircleTracker: BinaryStateCodable {
  mutating func pass(over coder: inout BinaryStateCoder) {
    coder.pass(&sense)
    coder.pass(&covered)
    coder.pass(&pointer)
    coder.pass(&angle)
    coder.pass(&wasInside)
    coder.pass(&firstInside)
    coder.pass(&jumps)
    coder.pass(&travel)
    coder.pass(&furthest)
    coder.pass(&lowest)
    coder.pass(&backwards)
  }
}
