public import MienCore

/// Input of a task for one frame: timestamp, face presence, pose, eyes, and mouth.
///
/// It has no heap storage. Impossible angles, an implausible box, and coefficients that are not numbers are treated as no face.
public struct TaskSample: Hashable, Sendable {
  /// One face. A measure that the source does not provide is `nil`, never zero.
  public struct Face: Hashable, Sendable {
    /// Degrees, positive toward the subject's left (see `HeadPose`).
    public var yaw: Float
    /// Degrees, positive upward.
    public var pitch: Float?
    /// Degrees, positive if the top of the head leans to the subject's right.
    public var roll: Float?
    /// Closure of the subject's left eye, nominally 0…1.
    public var eyeBlinkLeft: Float?
    /// Closure of the subject's right eye, nominally 0…1.
    public var eyeBlinkRight: Float?
    /// Opening of the jaw, nominally 0…1.
    public var jawOpen: Float?
    /// Face box; `nil` if the source does not report it.
    public var box: FaceBox?
    /// Colors of the face in the server's own pixels; an observation of a client has none.
    public var light: FaceLight?

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

    init(_ pose: HeadPose, _ blendshapes: Blendshapes?, _ box: FaceBox?, light: FaceLight? = nil) {
      self.init(
        yaw: pose.yaw, pitch: pose.pitch, roll: pose.roll, eyeBlinkLeft: blendshapes?[.eyeBlinkLeft],
        eyeBlinkRight: blendshapes?[.eyeBlinkRight], jawOpen: blendshapes?[.jawOpen], box: box)
      self.light = light
    }

    /// Yaw, pitch, and roll; NaN if not measured.
    var pose: SIMD3<Float> { SIMD3(yaw, pitch ?? .nan, roll ?? .nan) }

    /// `false` also for values that are not numbers, because comparisons with NaN are false.
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

  /// Content of the frame.
  public enum Sight: Hashable, Sendable {
    case face(Face)
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
    case .face(let face): self.sight = face.isPlausible ? sight : .noFace
    case .severalFaces(let count): self.sight = count < 2 ? .noFace : sight
    case .noFace: self.sight = sight
    }
  }

  /// Creates a sample from an observation of the server's own analysis.
  public init(_ observation: FaceObservation) {
    if observation.faceCount > 1 {
      self.init(at: observation.at, sight: .severalFaces(observation.faceCount))
    } else if let face = observation.face {
      let seen = Face(face.pose, face.blendshapes, face.box, light: observation.light)
      self.init(at: observation.at, sight: .face(seen))
    } else {
      self.init(at: observation.at, sight: .noFace)
    }
  }

  /// Creates a sample from an observation reported by a client or a recording. A face without a pose counts as no face, because it cannot
  /// be evaluated.
  public init(_ claim: ClientObservation) {
    if let count = claim.faceCount, count > 1 {
      self.init(at: claim.at, sight: .severalFaces(count))
    } else if claim.faceCount != 0, let pose = claim.pose {
      self.init(at: claim.at, sight: .face(Face(pose, claim.blendshapes, claim.box)))
    } else {
      self.init(at: claim.at, sight: .noFace)
    }
  }

  /// Creates a sample that contains only the yaw of a face, which is sufficient for a head turn.
  public init(_ sample: HeadSample) {
    switch sample.sight {
    case .face(let yaw, let box): self.init(at: sample.at, sight: .face(Face(yaw: yaw, box: box)))
    case .noFace: self.init(at: sample.at, sight: .noFace)
    case .severalFaces(let count): self.init(at: sample.at, sight: .severalFaces(count))
    }
  }

  /// Part of the sample on which a head turn is evaluated.
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
