public import MienCore

/// Face of a tracking session as plain values.
public struct TrackedFace: Sendable {
  /// Blend shape coefficients by the names of ARKit's constants (`eyeBlinkLeft`) or by their raw values (`eyeBlink_L`).
  public var coefficients: [String: Float]
  /// Transform from face to world coordinates.
  public var faceToWorld: TransformMatrix
  /// `true` if the face is tracked in this frame.
  public var isTracked: Bool
  /// Points around the face, as fractions of the upright, unmirrored image; empty if not available.
  public var outline: [SIMD2<Float>]

  public init(
    coefficients: [String: Float], faceToWorld: TransformMatrix, isTracked: Bool, outline: [SIMD2<Float>] = []
  ) {
    self.coefficients = coefficients
    self.faceToWorld = faceToWorld
    self.isTracked = isTracked
    self.outline = outline
  }
}

/// ARKit's light estimate.
public struct LightEstimate: Hashable, Sendable {
  /// Ambient intensity in lumens; about 1000 in a well-lit environment.
  public var lumens: Double
  /// Color temperature in kelvins; 6500 is neutral.
  public var kelvin: Double

  /// Returns `nil` for values that are negative or not finite.
  public init?(lumens: Double, kelvin: Double) {
    guard lumens.isFinite, kelvin.isFinite, lumens >= 0, kelvin >= 0 else { return nil }
    self.lumens = lumens
    self.kelvin = kelvin
  }
}

/// Snapshot of one frame of a tracking session. It is a claim of the device, not a verified measurement.
public struct ARFrameSnapshot: Sendable {
  public var observation: ClientObservation
  /// Light estimate; `nil` if the session provides none.
  public var light: LightEstimate?

  public init(observation: ClientObservation, light: LightEstimate?) {
    self.observation = observation
    self.light = light
  }
}

/// Converts tracked faces to observations.
public enum FaceAdapter {
  /// Returns the observation of one frame.
  ///
  /// If several faces are tracked, it contains their number and the data of the nearest one: `ClientObservation` leaves
  /// the consequence of several faces to the verdict policy. If none is tracked, `faceCount` is 0 and all data is
  /// missing.
  ///
  /// - Parameters:
  ///   - faces: faces that the session tracks.
  ///   - worldToCamera: transform for the device's orientation, with y up in the image.
  ///   - seconds: time on the session's clock.
  /// - Returns: `nil` if the time is invalid.
  public static func observation(
    of faces: [TrackedFace], worldToCamera: TransformMatrix, at seconds: Double
  ) -> ClientObservation? {
    guard let at = MonotonicInstant(seconds: seconds) else { return nil }
    let tracked = faces.filter(\.isTracked).map { ($0, worldToCamera * $0.faceToWorld) }
    // The camera looks along −z: the nearest face has the largest z.
    guard let (face, place) = tracked.max(by: { $0.1.place.z < $1.1.place.z }) else {
      return ClientObservation(at: at, faceCount: 0, box: nil, pose: nil, blendshapes: nil)
    }
    return ClientObservation(
      at: at, faceCount: tracked.count, box: box(around: face.outline), pose: HeadPose(faceToCamera: place),
      blendshapes: blendshapes(face.coefficients))
  }

  /// Returns the known coefficients. Missing and non-finite values count as not measured, not as zero.
  ///
  /// - Returns: `nil` if no coefficient is valid.
  public static func blendshapes(_ coefficients: [String: Float]) -> Blendshapes? {
    var shapes = Blendshapes()
    for (text, value) in coefficients where value.isFinite {
      if let name = name(text) { shapes[name] = min(max(value, -0.5), 1.5) }
    }
    return shapes.measuredCount > 0 ? shapes : nil
  }

  /// Returns the coefficient for an ARKit name: a constant's name (`eyeBlinkLeft`) or its raw value (`eyeBlink_L`).
  /// In both, left is the person's own left.
  public static func name(_ text: String) -> BlendshapeName? {
    if text.hasSuffix("_L") { return BlendshapeName(text: text.dropLast(2) + "Left") }
    if text.hasSuffix("_R") { return BlendshapeName(text: text.dropLast(2) + "Right") }
    return BlendshapeName(text: text)
  }

  /// Returns the bounding box of the points, or `nil` if there are none or it is implausible.
  public static func box(around points: [SIMD2<Float>]) -> FaceBox? {
    guard let first = points.first else { return nil }
    var (least, most) = (first, first)
    for point in points {
      guard point.x.isFinite, point.y.isFinite else { return nil }
      least = pointwiseMin(least, point)
      most = pointwiseMax(most, point)
    }
    let box = FaceBox(x: least.x, y: least.y, width: most.x - least.x, height: most.y - least.y)
    return box.isPlausible ? box : nil
  }
}

extension TrackedFace: CustomStringConvertible, CustomReflectable {
  public var description: String { "TrackedFace(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension ARFrameSnapshot: CustomStringConvertible, CustomReflectable {
  public var description: String { "ARFrameSnapshot(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
