/// What our own code saw in the pixels of one frame.
public struct FaceObservation: Sendable {
  /// When the frame was received, on the session's clock.
  public var at: Instant
  /// Size of the frame in pixels.
  public var frameWidth: Int
  public var frameHeight: Int
  /// Mean luma of the frame or, where there is a face, of the face region: 0 (black) … 255.
  public var brightness: Float
  /// Mean absolute Laplacian of the luma in the face region, 0…1020; nil when there is no face or it was not measured.
  public var sharpness: Float?
  /// How many faces the detector saw when it last ran.
  public var faceCount: Int
  /// The face that is followed, or nil when none is seen in this frame.
  public var face: ObservedFace?
  /// How bright the picture is at the face's landmarks; nil when it was not measured or some lie outside.
  public var tones: LandmarkTones?
  /// The perceptual hash of the frame; nil when there is no face, the picture is plain or it was not measured.
  public var fingerprint: FrameFingerprint?

  public init(
    at: Instant, frameWidth: Int, frameHeight: Int, brightness: Float, sharpness: Float? = nil, faceCount: Int,
    face: ObservedFace?, tones: LandmarkTones? = nil, fingerprint: FrameFingerprint? = nil
  ) {
    self.at = at
    self.frameWidth = frameWidth
    self.frameHeight = frameHeight
    self.brightness = brightness
    self.sharpness = sharpness
    self.faceCount = faceCount
    self.face = face
    self.tones = tones
    self.fingerprint = fingerprint
  }
}

/// One face as our tracker saw it.
public struct ObservedFace: Sendable {
  public var box: FaceBox
  /// How sure the mesh model is that there is a face, 0…1.
  public var presence: Score
  public var pose: HeadPose
  public var blendshapes: Blendshapes
  public var landmarks: Landmarks

  public init(box: FaceBox, presence: Score, pose: HeadPose, blendshapes: Blendshapes, landmarks: Landmarks) {
    self.box = box
    self.presence = presence
    self.pose = pose
    self.blendshapes = blendshapes
    self.landmarks = landmarks
  }
}

extension FaceObservation: CustomStringConvertible, CustomReflectable {
  public var description: String { "FaceObservation(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

extension ObservedFace: CustomStringConvertible, CustomReflectable {
  public var description: String { "ObservedFace(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
