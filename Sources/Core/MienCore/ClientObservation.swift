/// A face observation reported by a client device or a recording. It is unverified and never mixed with
/// ``FaceObservation``.
///
/// All values are stored inline, so that reading and evaluating an observation does not allocate.
public struct ClientObservation: Hashable, Sendable {
  /// Time of the observation, on the device's own clock.
  public var at: MonotonicInstant
  /// Number of faces that the device detected; `nil` if its format does not include it.
  public var faceCount: Int?
  /// Position of the face in the image; `nil` if the source does not report it.
  public var box: FaceBox?
  /// Head pose; `nil` if the source does not report it or tracked no face.
  public var pose: HeadPose?
  /// Face coefficients; `nil` if the source tracked no face.
  public var blendshapes: Blendshapes?

  public init(at: MonotonicInstant, faceCount: Int?, box: FaceBox?, pose: HeadPose?, blendshapes: Blendshapes?) {
    self.at = at
    self.faceCount = faceCount
    self.box = box
    self.pose = pose
    self.blendshapes = blendshapes
  }

  /// `true` if the source tracked a face.
  public var hasFace: Bool { faceCount != 0 && (pose != nil || blendshapes != nil) }
}

extension ClientObservation: CustomStringConvertible, CustomReflectable {
  public var description: String { "ClientObservation(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// An encoded image as received: undecoded JPEG or PNG bytes and the time of arrival.
public struct EncodedFrame: Sendable {
  public let bytes: [UInt8]
  public let at: MonotonicInstant
  /// `true` if the colors of the face are to be measured (``FaceObservation/light``).
  public let measuresLight: Bool

  public init(bytes: [UInt8], at: MonotonicInstant, measuresLight: Bool = false) {
    self.bytes = bytes
    self.at = at
    self.measuresLight = measuresLight
  }
}

extension EncodedFrame: CustomStringConvertible, CustomReflectable {
  public var description: String { "EncodedFrame(\(bytes.count) bytes)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
