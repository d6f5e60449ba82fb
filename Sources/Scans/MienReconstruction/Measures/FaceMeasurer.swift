public import MienCore
public import MienScanFormat

/// Measures distances on a face by back-projecting image landmarks onto the corresponding depth.
///
/// Every view yields its own distances, so the head may move between views.
public struct FaceMeasurer: Sendable {
  /// Reason why a view was not used.
  public enum UnavailableReason: String, Hashable, Sendable, CaseIterable {
    /// The head is turned too far away.
    case turned
    /// There is no depth at the eyes.
    case noDepth = "no-depth"
    /// The depth does not belong to this face: the eyes would be too close together or too far apart.
    case doesNotFit = "does-not-fit"
  }

  /// Image in which a face was detected.
  public struct View: Sendable {
    /// Landmarks in the unrotated camera image.
    public var landmarks: Landmarks
    /// Head pose as estimated by the tracker.
    public var head: HeadPose
    /// Image size in pixels.
    public var width: Int
    public var height: Int
    /// Intrinsics in pixels of the image.
    public var camera: PinholeIntrinsics
    /// Pose of the image's camera; nil if it is the depth camera's pose.
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
  /// Depth resolution, in meters per step.
  private let metersPerStep: Float
  private var values: [FaceMeasure: [(meters: Float, variance: Float)]] = [:]
  private var pupils: [Float] = []
  /// Number of views used.
  public private(set) var viewCount = 0

  public init(_ header: ScanHeader, settings: FaceMeasureSettings = FaceMeasureSettings()) {
    self.settings = settings
    metersPerStep = header.metersPerStep
  }

  /// Adds a view with the corresponding depth.
  ///
  /// - Returns: the reason why the view is not used; nil if it is.
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
      let difference = second.point - first.point
      let length = dot(difference, difference).squareRoot()
      guard length > 0 else { continue }
      let along = (dot(difference, first.ray) / length, dot(difference, second.ray) / length)
      let variance = along.0 * along.0 * first.variance + along.1 * along.1 * second.variance
      values[measure, default: []].append((length, variance))
    }
    self.pupils.append(pupils)
    viewCount += 1
    return nil
  }

  /// Returns the interpupillary distance or, if the eyes have no depth, an estimate from the corners of the eyes.
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

  /// Distances measured in at least one view, in the order of ``FaceMeasure``.
  public var measurements: [FaceMeasurement] {
    guard !pupils.isEmpty else { return [] }
    let placement = settings.placement * SurfacePatch.middle(pupils)
    return FaceMeasure.allCases.compactMap { measure in
      guard let seen = values[measure], !seen.isEmpty else { return nil }
      let meters = SurfacePatch.middle(seen.map(\.meters))
      let count = Float(seen.count)
      // Variance explained by the depth noise of one view, and variance between the views.
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

/// Settings for back-projecting landmarks onto depth, and the uncertainty of distances between them.
public struct FaceMeasureSettings: Hashable, Sendable {
  /// Filter for depth samples; a face's edge often has medium confidence.
  public var filter = DepthFilter(range: 0.1...3, leastConfidence: 1)
  /// Radii around a landmark, in meters, tried in ascending order until enough samples are found, because eyes often
  /// have holes.
  public var radii: [Float] = [0.003, 0.006, 0.012]
  /// Minimum number of samples for fitting a plane.
  public var fewestSamples = 6
  /// Radius of curvature of a face, in meters; at distance r from the landmark, the surface deviates from a plane by r²
  /// / (2 · curvature).
  public var curvature: Float = 0.06
  /// Standard error of a landmark's position along one direction, as a fraction of the interpupillary distance. It is
  /// the same in every view of a face and does not average out. The authors of the mesh model report points that are 3
  /// % off on average in a plane (arXiv:2006.10962), which is 2.4 % along one direction.
  public var placement: Float = 0.024
  /// Maximum head rotation away from the camera, in degrees; beyond it, landmarks are hidden behind the edge of the
  /// face.
  public var mostYaw: Float = 30
  public var mostPitch: Float = 25
  /// Plausible interpupillary distances, in meters. A face outside this range does not match the measured surface (an
  /// image of a face, or depth that does not belong to the image).
  public var pupils: ClosedRange<Float> = 0.035...0.09

  public init() {}
}
