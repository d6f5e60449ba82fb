public import MienCore

/// Input of the head-turn challenge for one frame: timestamp, face presence, and yaw.
///
/// It has no heap storage. A yaw that is not a number or outside ±180° and an implausible box are treated as no face.
public struct HeadSample: Hashable, Sendable {
  /// Content of the frame.
  public enum Sight: Hashable, Sendable {
    /// Exactly one face. `yaw`: degrees, positive toward the subject's left (see `HeadPose`). `box`: `nil` if the source does not
    /// report the face position.
    case face(yaw: Float, box: FaceBox?)
    case noFace
    /// Number of faces in view.
    case severalFaces(Int)
  }

  public let at: MonotonicInstant
  public let sight: Sight

  /// Creates a sample. An implausible face becomes ``Sight/noFace``, and so does ``Sight/severalFaces(_:)`` with a count below two.
  public init(at: MonotonicInstant, sight: Sight) {
    self.at = at
    switch sight {
    case .face(let yaw, let box):
      // The comparison is false for NaN.
      let isPlausible = abs(yaw) <= 180 && (box.map(\.isPlausible) ?? true)
      self.sight = isPlausible ? sight : .noFace
    case .severalFaces(let count) where count < 2:
      self.sight = .noFace
    case .noFace, .severalFaces:
      self.sight = sight
    }
  }

  /// Creates a sample from an observation of the server's own analysis.
  public init(_ observation: FaceObservation) {
    if observation.faceCount > 1 {
      self.init(at: observation.at, sight: .severalFaces(observation.faceCount))
    } else if let face = observation.face, face.pose.isPlausible {
      self.init(at: observation.at, sight: .face(yaw: face.pose.yaw, box: face.box))
    } else {
      self.init(at: observation.at, sight: .noFace)
    }
  }

  /// Creates a sample from an observation reported by a client or a recording. A face without a pose counts as no face, because it cannot
  /// be evaluated.
  public init(_ claim: ClientObservation) {
    if let count = claim.faceCount, count > 1 {
      self.init(at: claim.at, sight: .severalFaces(count))
    } else if claim.faceCount != 0, let pose = claim.pose, pose.isPlausible {
      self.init(at: claim.at, sight: .face(yaw: pose.yaw, box: claim.box))
    } else {
      self.init(at: claim.at, sight: .noFace)
    }
  }
}

extension HeadSample: CustomStringConvertible, CustomReflectable {
  public var description: String { "HeadSample(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension HeadSample.Sight: CustomStringConvertible, CustomReflectable {
  public var description: String { "Sight(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
