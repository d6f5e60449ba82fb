public import MienCore

/// A face as a tracking session reports it, in plain values.
public struct TrackedFace: Sendable {
  /// Coefficients by the names of ARKit's constants, `eyeBlinkLeft`, or their raw values, `eyeBlink_L`.
  public var coefficients: [String: Float]
  /// From the face to the world.
  public var faceToWorld: TransformMatrix
  /// Whether the session sees it in this very frame.
  public var isTracked: Bool
  /// Points around it, as fractions of the upright, unmirrored picture; empty when nobody projected them.
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

/// What ARKit thinks of the light.
public struct LightEstimate: Hashable, Sendable {
  /// Lumens; about 1000 in a well-lit room.
  public var lumens: Double
  /// Kelvin; 6500 is neutral.
  public var kelvin: Double

  /// Refuses (nil) what is not finite or below zero.
  public init?(lumens: Double, kelvin: Double) {
    guard lumens.isFinite, kelvin.isFinite, lumens >= 0, kelvin >= 0 else { return nil }
    self.lumens = lumens
    self.kelvin = kelvin
  }
}

/// One moment of a tracking session. It is the device's word, never more.
public struct ARFrameSnapshot: Sendable {
  public var observation: ClientObservation
  /// nil when the session does not estimate it.
  public var light: LightEstimate?

  public init(observation: ClientObservation, light: LightEstimate?) {
    self.observation = observation
    self.light = light
  }
}

/// Faces of a session become observations.
public enum FaceAdapter {
  /// What is claimed of one frame.
  ///
  /// Where several faces are tracked, their number is told and the nearest one is described: ``ClientObservation``
  /// leaves it to the judge what several faces mean. No face is tracked: `faceCount` 0 and nothing measured.
  ///
  /// - Parameters:
  ///   - worldToCamera: for the way the device is held, so that y is up in the picture.
  ///   - seconds: on the session's clock.
  /// - Returns: nil for a time that is none.
  public static func observation(
    of faces: [TrackedFace], worldToCamera: TransformMatrix, at seconds: Double
  ) -> ClientObservation? {
    guard let at = MonotonicInstant(seconds: seconds) else { return nil }
    let tracked = faces.filter(\.isTracked).map { ($0, worldToCamera * $0.faceToWorld) }
    // The camera looks along −z: what is nearest has the largest z.
    guard let (face, place) = tracked.max(by: { $0.1.place.z < $1.1.place.z }) else {
      return ClientObservation(at: at, faceCount: 0, box: nil, pose: nil, blendshapes: nil)
    }
    return ClientObservation(
      at: at, faceCount: tracked.count, box: box(around: face.outline), pose: HeadPose(faceToCamera: place),
      blendshapes: blendshapes(face.coefficients))
  }

  /// The coefficients that this version knows. What is missing or not finite is not measured, never zero.
  ///
  /// - Returns: nil when none is left.
  public static func blendshapes(_ coefficients: [String: Float]) -> Blendshapes? {
    var shapes = Blendshapes()
    for (text, value) in coefficients where value.isFinite {
      if let name = name(text) { shapes[name] = min(max(value, -0.5), 1.5) }
    }
    return shapes.measuredCount > 0 ? shapes : nil
  }

  /// The coefficient of a name as ARKit writes it. Its constants say `eyeBlinkLeft`, their raw values `eyeBlink_L`;
  /// left is the person's own left in both.
  public static func name(_ text: String) -> BlendshapeName? {
    if text.hasSuffix("_L") { return BlendshapeName(text: text.dropLast(2) + "Left") }
    if text.hasSuffix("_R") { return BlendshapeName(text: text.dropLast(2) + "Right") }
    return BlendshapeName(text: text)
  }

  /// The smallest box around points, where there are some and it is plausible.
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
