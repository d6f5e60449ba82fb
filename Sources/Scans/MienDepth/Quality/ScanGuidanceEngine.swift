internal import MienCore

/// Tells whoever scans what to do while they scan: one thing at a time.
///
/// What is told holds for the last third of a second and has been so for as long before something else is told; what has been told is
/// taken back a little later than it began. Whoever listens hears few words and none that flicker. It judges by the same bounds as
/// the report that comes afterwards (``ScanInspector``), and keeps a few KB however long the scan takes.
public struct ScanGuidanceEngine: Sendable {
  /// What to do now; a stable code.
  public enum Advice: String, Hashable, Sendable, CaseIterable {
    /// Hardly anything is measured in the middle of the map: there is nothing, or it is out of the sensor's reach.
    case findSubject = "find-subject"
    case comeNearer = "come-nearer"
    case goBack = "go-back"
    /// The camera moves or turns too fast.
    case slower
    /// The device does not know where it is.
    case findPlace = "find-place"
    /// The sensor is not sure of what it measures.
    case findLight = "find-light"
    /// What is left to be seen; the sides are the subject's own.
    case showLeft = "show-left"
    case showRight = "show-right"
    case showTop = "show-top"
    /// Everything was seen, for long enough.
    case enough
  }

  /// How much was seen, 0…1 each: 1 is what the report asks for. The sides are the subject's own.
  public struct Seen: Hashable, Sendable {
    public var left: Double = 0
    public var right: Double = 0
    public var top: Double = 0
    /// Of the frames.
    public var frames: Double = 0

    public var isEverything: Bool { min(left, right, top, frames) >= 1 }
  }

  /// For so long something is looked at, and so long it must have been so.
  static let window = 1.0 / 3
  /// More views are thinned out.
  private static let mostViews = 240

  private let settings: ScanQualitySettings
  private let metersPerStep: Float
  private let world: WorldAlignment
  /// The looks of the last ``window``, the oldest first.
  private var recent: [FrameQualityStats] = []
  private var views: [(pose: CameraPose, distance: Float)] = []
  /// One of so many looks becomes a view.
  private var thinning = 1
  private var count = 0
  /// What would be told instead, and since when.
  private var candidate: (advice: Advice?, since: Double)?

  /// What to do now; nil while nothing has to be said.
  public private(set) var advice: Advice?
  public private(set) var seen = Seen()
  /// How far away the subject is, in metres; nil while nothing is measured.
  public private(set) var distance: Double?
  /// True while the subject is as far away as the sensor wants it; nil while that is not known.
  public var isInRange: Bool? { distance.map { settings.distance.contains($0) } }

  public init(_ header: ScanHeader, settings: ScanQualitySettings? = nil) {
    self.settings = settings ?? ScanQualitySettings(for: header.sensor)
    metersPerStep = header.metersPerStep
    world = header.world
  }

  /// The next frame; one that is not later than the one before is left out.
  ///
  /// - Returns: true when ``advice`` is another one now.
  public mutating func see(_ frame: ScanFrame) -> Bool {
    let look = FrameQualityStats(frame, metersPerStep: metersPerStep)
    if let last = recent.last, look.seconds <= last.seconds { return false }
    count += 1
    recent.append(look)
    // Two stay, however slowly frames come.
    while recent.count > 2, look.seconds - recent[0].seconds > Self.window { recent.removeFirst() }
    let distances = recent.compactMap { $0.distance.map(Double.init) }.sorted()
    distance = distances.isEmpty ? nil : distances[distances.count / 2]
    remember(look)
    return report(urgent ?? missing, at: look.seconds)
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

  /// What spoils the frames that are taken just now.
  private var urgent: Advice? {
    let measured = recent.reduce(0) { $0 + $1.measured } / Double(recent.count)
    // As many holes as the report fails for; a little fewer before it is taken back.
    guard let distance, 1 - measured <= (advice == .findSubject ? 0.8 : 1) * 2 * settings.holes.bad else {
      return .findSubject
    }
    let slack = 0.03 * (settings.distance.lowerBound + settings.distance.upperBound) / 2
    if distance > settings.distance.upperBound - (advice == .comeNearer ? slack : 0) { return .comeNearer }
    if distance < settings.distance.lowerBound + (advice == .goBack ? slack : 0) { return .goBack }
    guard recent.count(where: { $0.pose == nil }) * 2 <= recent.count else {
      // Nobody is told to move about who scans with a sensor that knows no places.
      return views.isEmpty ? nil : .findPlace
    }
    if let first = recent.first, let movement = recent.last?.movement(since: first) {
      let share = advice == .slower ? 0.8 : 1
      if movement.speed > share * settings.speed.good || movement.turning > share * settings.turning.good {
        return .slower
      }
    }
    let sure = recent.compactMap(\.sure)
    if !sure.isEmpty,
      sure.reduce(0, +) / Double(sure.count) < (advice == .findLight ? 1.2 : 1) * settings.confidence.bad
    {
      return .findLight
    }
    return nil
  }

  /// What is left to be seen; nil when that cannot be said.
  private var missing: Advice? {
    guard !views.isEmpty else { return nil }
    if seen.isEverything { return .enough }
    // Whoever is on the way to one side is not sent to the other one.
    let left: [(Advice, Double)] = [(.showLeft, seen.left), (.showRight, seen.right), (.showTop, seen.top)]
      .filter { $0.1 < 1 }
    if let advice, left.contains(where: { $0.0 == advice }) { return advice }
    return left.first?.0
  }

  private mutating func remember(_ look: FrameQualityStats) {
    seen.frames = min(1, Double(count) / settings.frames.good)
    guard let pose = look.pose, let distance = look.distance, count.isMultiple(of: thinning) else { return }
    views.append((pose, distance))
    if views.count > Self.mostViews {
      // The first stays: it says where the front is.
      views = views.indices.filter { $0.isMultiple(of: 2) }.map { views[$0] }
      thinning *= 2
    }
    guard let sphere = ViewCoverage(views, world: world) else { return }
    func share(_ angle: Float, _ goal: Float) -> Double { Double(min(max(angle / goal, 0), 1)) }
    // What was seen stays seen, also when views are thinned out.
    seen.left = max(seen.left, share(sphere.left, settings.side))
    seen.right = max(seen.right, share(sphere.right, settings.side))
    seen.top = max(seen.top, share(sphere.top, settings.top))
  }
}
