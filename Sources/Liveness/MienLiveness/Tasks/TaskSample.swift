public import MienCore

/// What a task eats of one frame: when, and whether there is one face with its pose, eyes and mouth.
///
/// It has no heap storage. Angles that cannot be true, a box that is not plausible, and coefficients that are no numbers
/// make the face one that was not seen: what cannot be true was not seen.
public struct TaskSample: Hashable, Sendable {
  /// One face. A measure the source does not bring is nil, never zero.
  public struct Face: Hashable, Sendable {
    /// Degrees, + = the subject's left (see ``HeadPose``).
    public var yaw: Float
    /// Degrees, + = up.
    public var pitch: Float?
    /// Degrees, + = the head's top leans to the subject's right.
    public var roll: Float?
    /// How closed the subject's left eye is, nominally 0…1.
    public var eyeBlinkLeft: Float?
    /// The same of the right eye.
    public var eyeBlinkRight: Float?
    /// How far the jaw is open, nominally 0…1.
    public var jawOpen: Float?
    /// nil when the source does not say where the face is.
    public var box: FaceBox?

    public init(
      yaw: Float, pitch: Float? = nil, roll: Float? = nil, eyeBlinkLeft: Float? = nil, eyeBlinkRight: Float? = nil,
      jawOpen: Float? = nil, box: FaceBox? = nil
    ) {
      self.yaw = yaw
      self.pitch = pitch
      self.roll = roll
      self.eyeBlinkLeft = eyeBlinkLeft
      self.eyeBlinkRight = eyeBlinkRight
      self.jawOpen = jawOpen
      self.box = box
    }

    init(_ pose: HeadPose, _ blendshapes: Blendshapes?, _ box: FaceBox?) {
      self.init(
        yaw: pose.yaw, pitch: pose.pitch, roll: pose.roll, eyeBlinkLeft: blendshapes?[.eyeBlinkLeft],
        eyeBlinkRight: blendshapes?[.eyeBlinkRight], jawOpen: blendshapes?[.jawOpen], box: box)
    }

    /// Yaw, pitch and roll; NaN where not measured.
    var pose: SIMD3<Float> { SIMD3(yaw, pitch ?? .nan, roll ?? .nan) }

    /// False as well for what is not a number: comparisons with NaN are false.
    var isPlausible: Bool {
      func lies(_ value: Float?, _ range: ClosedRange<Float>) -> Bool {
        guard let value else { return true }
        return value >= range.lowerBound && value <= range.upperBound
      }
      let shape: ClosedRange<Float> = -0.5...1.5
      return abs(yaw) <= 180 && lies(pitch, -90...90) && lies(roll, -180...180) && lies(eyeBlinkLeft, shape)
        && lies(eyeBlinkRight, shape) && lies(jawOpen, shape) && (box.map(\.isPlausible) ?? true)
    }
  }

  /// What was in the frame.
  public enum Sight: Hashable, Sendable {
    case face(Face)
    case noFace
    /// How many faces there were.
    case severalFaces(Int)
  }

  public let at: MonotonicInstant
  public let sight: Sight

  /// Makes a sample; an implausible face becomes ``Sight/noFace``, and several faces fewer than two do too.
  public init(at: MonotonicInstant, sight: Sight) {
    self.at = at
    switch sight {
    case .face(let face): self.sight = face.isPlausible ? sight : .noFace
    case .severalFaces(let count): self.sight = count < 2 ? .noFace : sight
    case .noFace: self.sight = sight
    }
  }

  /// What our own code saw in a frame.
  public init(_ observation: FaceObservation) {
    if observation.faceCount > 1 {
      self.init(at: observation.at, sight: .severalFaces(observation.faceCount))
    } else if let face = observation.face {
      self.init(at: observation.at, sight: .face(Face(face.pose, face.blendshapes, face.box)))
    } else {
      self.init(at: observation.at, sight: .noFace)
    }
  }

  /// What a device or a recording claims; a face without a pose counts as no face, because it cannot be judged.
  public init(_ claim: ClientObservation) {
    if let count = claim.faceCount, count > 1 {
      self.init(at: claim.at, sight: .severalFaces(count))
    } else if claim.faceCount != 0, let pose = claim.pose {
      self.init(at: claim.at, sight: .face(Face(pose, claim.blendshapes, claim.box)))
    } else {
      self.init(at: claim.at, sight: .noFace)
    }
  }

  /// A sample that knows of a face only where it points to the sides; enough for a head turn.
  public init(_ sample: HeadSample) {
    switch sample.sight {
    case .face(let yaw, let box): self.init(at: sample.at, sight: .face(Face(yaw: yaw, box: box)))
    case .noFace: self.init(at: sample.at, sight: .noFace)
    case .severalFaces(let count): self.init(at: sample.at, sight: .severalFaces(count))
    }
  }

  /// The part of it that a head turn is judged on.
  public var head: HeadSample {
    switch sight {
    case .face(let face): HeadSample(at: at, sight: .face(yaw: face.yaw, box: face.box))
    case .noFace: HeadSample(at: at, sight: .noFace)
    case .severalFaces(let count): HeadSample(at: at, sight: .severalFaces(count))
    }
  }
}

extension TaskSample: CustomStringConvertible, CustomReflectable {
  public var description: String { "TaskSample(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension TaskSample.Sight: CustomStringConvertible, CustomReflectable {
  public var description: String { "Sight(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension TaskSample.Face: CustomStringConvertible, CustomReflectable {
  public var description: String { "Face(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
