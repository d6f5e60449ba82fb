public import MienCore

/// Input of the expression detectors for one frame: timestamp and face presence.
public struct ExpressionSample: Hashable, Sendable {
  /// Content of the frame.
  public enum Sight: Hashable, Sendable {
    case face(ExpressionCoefficients)
    case noFace
    /// One face that is turned too far for its coefficients to be measured.
    case turnedAway
    /// Two or more faces, so the expression cannot be attributed.
    case severalFaces
  }

  /// Maximum angles in degrees: in a face that is turned further, one eye and half of the mouth are hidden.
  static let largestYaw: Float = 28
  static let largestPitch: Float = 20

  public let at: MonotonicInstant
  public let sight: Sight

  /// Creates a sample. A face without any measured coefficient becomes ``Sight/noFace``.
  public init(at: MonotonicInstant, sight: Sight) {
    self.at = at
    if case .face(let look) = sight, look.isEmpty { self.sight = .noFace } else { self.sight = sight }
  }

  /// Creates a sample from an observation of the server's own analysis.
  public init(_ observation: FaceObservation) {
    self.init(
      at: observation.at, faces: observation.faceCount, pose: observation.face?.pose,
      blendshapes: observation.face?.blendshapes, source: .tracker)
  }

  /// Creates a sample from an observation reported by a client or a recording.
  public init(_ claim: ClientObservation, source: ExpressionSource) {
    self.init(
      at: claim.at, faces: claim.faceCount, pose: claim.pose, blendshapes: claim.blendshapes, source: source)
  }

  // Inlined, so that the 52 coefficients are read in place instead of being copied first.
  @inline(__always) private init(
    at: MonotonicInstant, faces: Int?, pose: HeadPose?, blendshapes: Blendshapes?, source: ExpressionSource
  ) {
    if let faces, faces > 1 {
      self.init(at: at, sight: .severalFaces)
    } else if faces != 0, let pose, abs(pose.yaw) > Self.largestYaw || abs(pose.pitch) > Self.largestPitch {
      self.init(at: at, sight: .turnedAway)
    } else if faces != 0, let blendshapes {
      self.init(at: at, sight: .face(ExpressionCoefficients(blendshapes, source: source)))
    } else {
      self.init(at: at, sight: .noFace)
    }
  }
}

extension ExpressionSample: CustomStringConvertible, CustomReflectable {
  public var description: String { "ExpressionSample(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension ExpressionSample.Sight: CustomStringConvertible, CustomReflectable {
  public var description: String { "Sight(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
