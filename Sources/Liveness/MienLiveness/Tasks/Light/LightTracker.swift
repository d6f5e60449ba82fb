internal import MienCore

/// Shows the colors of a ``LightTask`` in their time and collects the color ratios of the face.
struct LightTracker: Hashable, Sendable {
  /// More frames than a camera with 30 frames a second delivers in the longest sequence.
  private static let mostFrames = 320

  private let task: LightTask
  /// Instant at which the first color is due; `nil` before the rest pose was found.
  private(set) var start: MonotonicInstant?
  private var last = MonotonicInstant.zero
  private var frames: [LightFrame] = []
  /// Measures of the sequence; `nil` before its end.
  private(set) var measures: LightJudge.Measures?

  init(_ task: LightTask) {
    self.task = task
  }

  mutating func process(_ sample: TrackerSample) -> TrackerUpdate {
    let start = start ?? sample.at + LightTask.lead
    self.start = start
    last = sample.at
    let after = sample.at.since(start)
    let pose = sample.pose
    // Comparisons with NaN are false, so unmeasured angles never count as movement.
    let moves =
      abs(pose.x) > task.settings.stillness || abs(pose.y) > task.settings.stillness
      || abs(pose.z) > task.settings.stillness
    if !moves, frames.count < Self.mostFrames, let light = sample.light,
      let frame = LightFrame(light, after: Float(after.inSeconds))
    {
      frames.append(frame)
    }
    guard after.inSeconds >= task.duration.inSeconds + task.settings.delay.inSeconds else { return .going }
    let measures = LightJudge.judge(frames, colors: task.colors, settings: task.settings)
    self.measures = measures
    switch measures.outcome {
    case .followed: return .done
    case .foreign: return .failed(.foreignLight)
    case .flat: return .failed(.flatLight)
    case .unclear: return .unavailable(.tooLittleLight)
    case .tooFewFrames: return .unavailable(.tooFewFrames(frames.count))
    }
  }

  /// Number of colors that are over or shown; 0 before the first.
  var shown: Int {
    guard let start, last >= start else { return 0 }
    return min(Int(last.since(start).inSeconds / LightTask.dwell.inSeconds) + 1, task.colors.count)
  }

  var prompt: TaskPrompt.Light {
    let shown = shown
    let all = [.pearl] + task.colors
    var until: Interval?
    if let start, shown < task.colors.count {
      until = .seconds(Double(shown) * LightTask.dwell.inSeconds + start.since(last).inSeconds)
    }
    return TaskPrompt.Light(
      color: all[shown], next: until == nil ? [] : Array(all.dropFirst(shown + 1).prefix(2)), until: until,
      index: shown, count: task.colors.count)
  }

  var progress: Float { Float(shown) / Float(task.colors.count) }
}

extension LightTracker: BinaryStateCodable {
  mutating func pass(over coder: inout BinaryStateCoder) {
    coder.pass(&start)
    coder.pass(&last)
    coder.pass(&frames)
    coder.require(frames.count <= Self.mostFrames && frames.allSatisfy { abs($0.after) < 1000 })
    guard coder.isReading, coder.isSound, let start, last >= start + task.duration + task.settings.delay else { return }
    measures = LightJudge.judge(frames, colors: task.colors, settings: task.settings)
  }
}

extension Interval {
  fileprivate static func + (left: Interval, right: Interval) -> Interval {
    Interval(nanoseconds: left.nanoseconds + right.nanoseconds)
  }
}
