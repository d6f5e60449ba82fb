public import MienCore

/// What the head-turn challenge eats of one frame: when, whether there is one face, and where it points.
///
/// It has no heap storage. A yaw that is not a number or outside ±180° and a box that is not plausible are treated as
/// no face: what cannot be true was not seen.
public struct HeadSample: Hashable, Sendable {
  /// What was in the frame.
  public enum Sight: Hashable, Sendable {
    /// Exactly one face. `yaw`: degrees, + = the subject's left (see ``HeadPose``); `box` is nil when the source does
    /// not say where the face is.
    case face(yaw: Float, box: FaceBox?)
    case noFace
    /// How many faces there were.
    case severalFaces(Int)
  }

  public let at: MonotonicInstant
  public let sight: Sight

  /// Makes a sample; an implausible face becomes ``Sight/noFace``, and several faces fewer than two become what they are.
  public init(at: MonotonicInstant, sight: Sight) {
    self.at = at
    switch sight {
    case .face(let yaw, let box):
      // The comparison is false for NaN.
      let canBeTrue = abs(yaw) <= 180 && (box.map(\.isPlausible) ?? true)
      self.sight = canBeTrue ? sight : .noFace
    case .severalFaces(let count) where count < 2:
      self.sight = .noFace
    case .noFace, .severalFaces:
      self.sight = sight
    }
  }

  /// What our own code saw in a frame.
  public init(_ observation: FaceObservation) {
    if observation.faceCount > 1 {
      self.init(at: observation.at, sight: .severalFaces(observation.faceCount))
    } else if let face = observation.face, face.pose.isPlausible {
      self.init(at: observation.at, sight: .face(yaw: face.pose.yaw, box: face.box))
    } else {
      self.init(at: observation.at, sight: .noFace)
    }
  }

  /// What a device or a recording claims; a face without a pose counts as no face, because it cannot be judged.
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
