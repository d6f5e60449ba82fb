public import MienCore

/// Measures distances on a face: landmarks of pictures, lifted onto the depth that was measured with them.
///
/// Every view gives a distance of its own, so that it does not matter whether the head moved between them.
public struct FaceMeasurer: Sendable {
  /// Why a view does not count.
  public enum UnavailableReason: String, Hashable, Sendable, CaseIterable {
    /// The head is turned too far away.
    case turned
    /// There is no depth at the eyes.
    case noDepth = "no-depth"
    /// The depth is not that of this face: its eyes would be too near together or too far apart.
    case doesNotFit = "does-not-fit"
  }

  /// A picture in which a face was found.
  public struct View: Sendable {
    /// In the picture as its camera took it, before anybody turned it upright.
    public var landmarks: Landmarks
    /// The head's pose as the tracker saw it.
    public var head: HeadPose
    /// The picture's size in pixels.
    public var width: Int
    public var height: Int
    /// In pixels of the picture.
    public var camera: PinholeIntrinsics
    /// Where the picture's camera was; nil: where the depth's was.
    public var pose: CameraPose?

    public init(
      landmarks: Landmarks, head: HeadPose, width: Int, height: Int, camera: PinholeIntrinsics, pose: CameraPose?
    ) {
      self.landmarks = landmarks
      self.head = head
      self.width = width
      self.height = height
      self.camera = camera
      self.pose = pose
    }
  }

  public let settings: FaceMeasureSettings
  /// What one step of the depth is worth, in metres.
  private let metersPerStep: Float
  private var values: [FaceMeasure: [(meters: Float, variance: Float)]] = [:]
  private var pupils: [Float] = []
  /// How many views counted.
  public private(set) var viewCount = 0

  public init(_ header: ScanHeader, settings: FaceMeasureSettings = FaceMeasureSettings()) {
    self.settings = settings
    metersPerStep = header.metersPerStep
  }

  /// Takes a view and the depth measured with it.
  ///
  /// - Returns: why the view does not count; nil when it does.
  public mutating func add(_ view: View, _ frame: ScanFrame) -> UnavailableReason? {
    guard abs(view.head.yaw) <= settings.mostYaw, abs(view.head.pitch) <= settings.mostPitch else { return .turned }
    guard let map = DepthMap(frame, metersPerStep: metersPerStep, keeping: settings.filter), view.camera.isPlausible
    else { return .noDepth }
    let lift = LandmarkBackProjector(view, map, depthPose: frame.pose, step: metersPerStep, settings)
    var places: [FacePoint: LandmarkBackProjector.Place] = [:]
    for point in FacePoint.allCases { places[point] = lift.place(of: point) }
    guard let pupils = Self.pupils(places) else { return .noDepth }
    guard settings.pupils.contains(pupils) else { return .doesNotFit }
    for measure in FaceMeasure.allCases {
      guard let first = places[measure.ends.0], let second = places[measure.ends.1] else { continue }
      let arm = second.point - first.point
      let length = dot(arm, arm).squareRoot()
      guard length > 0 else { continue }
      let along = (dot(arm, first.ray) / length, dot(arm, second.ray) / length)
      let variance = along.0 * along.0 * first.variance + along.1 * along.1 * second.variance
      values[measure, default: []].append((length, variance))
    }
    self.pupils.append(pupils)
    viewCount += 1
    return nil
  }

  /// How far the pupils are apart, or, where the eyes have no depth, what the eyes' corners say about that.
  private static func pupils(_ places: [FacePoint: LandmarkBackProjector.Place]) -> Float? {
    func distance(_ a: FacePoint, _ b: FacePoint) -> Float? {
      guard let a = places[a], let b = places[b] else { return nil }
      return dot(a.point - b.point, a.point - b.point).squareRoot()
    }
    if let measured = distance(.pupilRight, .pupilLeft) { return measured }
    guard let outer = distance(.exocanthionRight, .exocanthionLeft),
      let inner = distance(.endocanthionRight, .endocanthionLeft)
    else { return nil }
    return (outer + inner) / 2
  }

  /// The distances that at least one view showed, in the order of ``FaceMeasure``.
  public var measurements: [FaceMeasurement] {
    guard !pupils.isEmpty else { return [] }
    let placement = settings.placement * SurfacePatch.middle(pupils)
    return FaceMeasure.allCases.compactMap { measure in
      guard let seen = values[measure], !seen.isEmpty else { return nil }
      let meters = SurfacePatch.middle(seen.map(\.meters))
      let count = Float(seen.count)
      // What the depth's noise explains in one view, and what the views differ by.
      let explained = SurfacePatch.middle(seen.map(\.variance))
      let differing =
        seen.count < 3
        ? seen.reduce(Float.zero) { $0 + ($1.meters - meters) * ($1.meters - meters) } / max(count - 1, 1)
        : Self.square(1.4826 * SurfacePatch.middle(seen.map { abs($0.meters - meters) }))
      let random = max(explained, differing) / count
      return FaceMeasurement(
        measure: measure, meters: meters, standardUncertainty: (random + 2 * placement * placement).squareRoot(),
        randomPart: random.squareRoot(), views: seen.count)
    }
  }

  private static func square(_ value: Float) -> Float { value * value }
}

extension FaceMeasurer: CustomStringConvertible, CustomReflectable {
  public var description: String { "FaceMeasurer(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension FaceMeasurer.View: CustomStringConvertible, CustomReflectable {
  public var description: String { "FaceMeasurer.View(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
