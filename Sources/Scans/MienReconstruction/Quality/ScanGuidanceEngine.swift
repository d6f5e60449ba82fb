public import MienScanFormat

internal import MienCore

/// Produces live guidance during a scan, one instruction at a time.
///
/// An instruction is based on the last third of a second, and a change must persist for the same time before it is
/// reported. Hysteresis delays withdrawing an instruction, so that users get few instructions and none that flicker.
/// Uses the same bounds as the final report (``ScanInspector``); memory use is a few KB regardless of the scan's
/// duration.
public struct ScanGuidanceEngine: Sendable {
  /// Current instruction; a stable code.
  public enum Advice: String, Hashable, Sendable, CaseIterable {
    /// Hardly anything is measured in the center of the map: there is no subject, or it is out of the sensor's range.
    case findSubject = "find-subject"
    case comeNearer = "come-nearer"
    case goBack = "go-back"
    /// The camera moves or turns too fast.
    case slower
    /// The device has lost track of its position.
    case findPlace = "find-place"
    /// The sensor's confidence is low.
    case findLight = "find-light"
    /// Views that are still missing; the sides are the subject's own.
    case showLeft = "show-left"
    case showRight = "show-right"
    case showTop = "show-top"
    /// All views were captured, with enough frames.
    case enough
  }

  /// Progress of the scan, 0…1 each, where 1 is what the report requires. The sides are the subject's own.
  public struct Seen: Hashable, Sendable {
    public var left: Double = 0
    public var right: Double = 0
    public var top: Double = 0
    /// Progress of the number of frames.
    public var frames: Double = 0

    public var isEverything: Bool { min(left, right, top, frames) >= 1 }
  }

  /// Length of the observed time window in seconds, and minimum duration before an instruction changes.
  static let window = 1.0 / 3
  /// Maximum number of stored views; beyond it, every second one is discarded.
  private static let mostViews = 240

  private let settings: ScanQualitySettings
  private let metersPerStep: Float
  private let world: WorldAlignment
  /// Statistics of the last ``window``, oldest first.
  private var recent: [FrameQualityStats] = []
  private var views: [(pose: CameraPose, distance: Float)] = []
  /// Interval, in frames, at which a view is stored.
  private var thinning = 1
  private var count = 0
  /// Pending instruction, and the time since which it has applied.
  private var candidate: (advice: Advice?, since: Double)?

  /// Current instruction; nil if there is none.
  public private(set) var advice: Advice?
  public private(set) var seen = Seen()
  /// Distance of the subject, in meters; nil without a measurement.
  public private(set) var distance: Double?
  /// `true` if the subject is within the sensor's range; nil while the distance is unknown.
  public var isInRange: Bool? { distance.map { settings.distance.contains($0) } }

  public init(_ header: ScanHeader, settings: ScanQualitySettings? = nil) {
    self.settings = settings ?? ScanQualitySettings(for: header.sensor)
    metersPerStep = header.metersPerStep
    world = header.world
  }

  /// Processes the next frame; frames that are not later than the previous one are ignored.
  ///
  /// - Returns: `true` if ``advice`` has changed.
  public mutating func see(_ frame: ScanFrame) -> Bool {
    let stats = FrameQualityStats(frame, metersPerStep: metersPerStep)
    if let last = recent.last, stats.seconds <= last.seconds { return false }
    count += 1
    recent.append(stats)
    // At least two remain, however low the frame rate.
    while recent.count > 2, stats.seconds - recent[0].seconds > Self.window { recent.removeFirst() }
    let distances = recent.compactMap { $0.distance.map(Double.init) }.sorted()
    distance = distances.isEmpty ? nil : distances[distances.count / 2]
    addView(stats)
    return report(urgent ?? missing, at: stats.seconds)
  }

  private mutating func report(_ wanted: Advice?, at seconds: Double) -> Bool {
    guard wanted != advice else {
      candidate = nil
      return false
    }
    if candidate?.advice != wanted || candidate == nil { candidate = (wanted, seconds) }
    guard let candidate, seconds - candidate.since >= Self.window else { return false }
    self.candidate = nil
    advice = wanted
    return true
  }

  /// Instruction for a problem that degrades the current frames.
  private var urgent: Advice? {
    let measured = recent.reduce(0) { $0 + $1.measured } / Double(recent.count)
    // Twice the share of holes that fails the report, with hysteresis for withdrawing the instruction.
    guard let distance, 1 - measured <= (advice == .findSubject ? 0.8 : 1) * 2 * settings.holes.bad else {
      return .findSubject
    }
    let slack = 0.03 * (settings.distance.lowerBound + settings.distance.upperBound) / 2
    if distance > settings.distance.upperBound - (advice == .comeNearer ? slack : 0) { return .comeNearer }
    if distance < settings.distance.lowerBound + (advice == .goBack ? slack : 0) { return .goBack }
    guard recent.count(where: { $0.pose == nil }) * 2 <= recent.count else {
      // No instruction if the sensor never provides poses.
      return views.isEmpty ? nil : .findPlace
    }
    if let first = recent.first, let movement = recent.last?.movement(since: first) {
      let share = advice == .slower ? 0.8 : 1
      if movement.speed > share * settings.speed.good || movement.turning > share * settings.turning.good {
        return .slower
      }
    }
    let confidences = recent.compactMap(\.sure)
    if !confidences.isEmpty,
      confidences.reduce(0, +) / Double(confidences.count) < (advice == .findLight ? 1.2 : 1) * settings.confidence.bad
    {
      return .findLight
    }
    return nil
  }

  /// Instruction for a missing view; nil if that is unknown.
  private var missing: Advice? {
    guard !views.isEmpty else { return nil }
    if seen.isEverything { return .enough }
    // Does not switch sides while the user is moving towards one.
    let left: [(Advice, Double)] = [(.showLeft, seen.left), (.showRight, seen.right), (.showTop, seen.top)]
      .filter { $0.1 < 1 }
    if let advice, left.contains(where: { $0.0 == advice }) { return advice }
    return left.first?.0
  }

  private mutating func addView(_ stats: FrameQualityStats) {
    seen.frames = min(1, Double(count) / settings.frames.good)
    guard let pose = stats.pose, let distance = stats.distance, count.isMultiple(of: thinning) else { return }
    views.append((pose, distance))
    if views.count > Self.mostViews {
      // The first view stays because it defines the front.
      views = views.indices.filter { $0.isMultiple(of: 2) }.map { views[$0] }
      thinning *= 2
    }
    guard let sphere = ViewCoverage(views, world: world) else { return }
    func share(_ angle: Float, _ goal: Float) -> Double { Double(min(max(angle / goal, 0), 1)) }
    // Progress never decreases, even if views are discarded.
    seen.left = max(seen.left, share(sphere.left, settings.side))
    seen.right = max(seen.right, share(sphere.right, settings.side))
    seen.top = max(seen.top, share(sphere.top, settings.top))
  }
}
