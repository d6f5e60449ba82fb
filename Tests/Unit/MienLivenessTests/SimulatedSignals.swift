import MienCore
import MienLiveness

/// Passive signals of a simulated check: the tracker's landmarks of a rigid head in the pose and position of each
/// frame, with noise.
///
/// Only signals that compare positions are meaningful, since eyelids, mouth and pixels are not simulated.
struct SimulatedSignals {
  /// Standard deviation of each landmark in pixels, for eyes 78 pixels apart: 0.004 eye distances. The median
  /// residual of `recording-cuts` is then 0.012 eye distances for a head at rest; on 30 real clips it is 0.005 to 0.055, with a median of
  /// 0.013.
  static let noise: Float = 0.3

  private(set) var monitor = PassiveSignalMonitor(settings: .recording)
  private var generator: SeededGenerator

  init(_ generator: SeededGenerator) { self.generator = generator }

  /// Processes a frame of a recording, shown at this time.
  mutating func process(_ take: RecordedTake, _ frame: Int, at time: MonotonicInstant, promptChanged: Bool) {
    let pose = take.poses[frame]
    var head = PassiveHead()
    head.noise = Self.noise
    (head.yaw, head.pitch, head.roll) = (pose.x, pose.y, pose.z)
    // A face is 15 cm wide.
    head.place = SIMD3(take.place.x * 15, -take.place.y * 15, 60 / (1 + take.place.z))
    monitor.process(head.observation(at: time, generator: &generator))
    if promptChanged { monitor.promptChanged(at: time) }
  }

  var cuts: Finding.Result? { monitor.findings.first { $0.check == "recording-cuts" }?.result }

  /// `true` if the cuts are suspect.
  var showsCuts: Bool {
    guard case .suspect = cuts else { return false }
    return true
  }
}

extension RecordedTake {
  /// Returns the passive signals of the performance itself.
  func signals(_ generator: SeededGenerator) -> SimulatedSignals {
    var signals = SimulatedSignals(generator)
    let changes = Set(marks.map { $0.frame - 1 })
    for (index, sample) in samples.enumerated() {
      signals.process(self, index, at: sample.at, promptChanged: changes.contains(index))
    }
    return signals
  }
}
