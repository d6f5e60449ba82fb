/// The server's own measurements of one frame's pixels.
public struct FaceObservation: Sendable {
  /// Time at which the frame was received, on the session's clock.
  public var at: MonotonicInstant
  /// Size of the frame in pixels.
  public var frameWidth: Int
  public var frameHeight: Int
  /// Mean luma of the frame or, where there is a face, of the face region: 0 (black) … 255.
  public var brightness: Float
  /// Mean absolute Laplacian of the luma in the face region, 0…1020; `nil` if there is no face or it was not measured.
  public var sharpness: Float?
  /// Number of faces found when the detector last ran.
  public var faceCount: Int
  /// The tracked face; `nil` if it is not visible in this frame.
  public var face: ObservedFace?
  /// Contrast of the eyes and the mouth; `nil` if it was not measured.
  public var contrast: FaceContrast?
  /// Number of small faces found in parts of the frame, beside the tracked face; they are searched one part after another.
  public var smallFaces: Int
  /// The perceptual hash of the frame; nil when there is no face, the picture is plain or it was not measured.
  public var fingerprint: FrameFingerprint?
  /// Colors of the face and its surroundings; `nil` if there is no face or they were not asked for.
  public var light: FaceLight?
  /// The face cut out for comparison with others; `nil` if that was not requested or there is no face.
  public var aligned: AlignedFace?
  /// Signs of a screen or print in this frame; `nil` if they were not looked for in it.
  public var recapture: RecaptureReading?

  public init(
    at: MonotonicInstant, frameWidth: Int, frameHeight: Int, brightness: Float, sharpness: Float? = nil, faceCount: Int,
    face: ObservedFace?, contrast: FaceContrast? = nil, smallFaces: Int = 0,
    fingerprint: FrameFingerprint? = nil, light: FaceLight? = nil, aligned: AlignedFace? = nil,
    recapture: RecaptureReading? = nil
  ) {
    self.at = at
    self.frameWidth = frameWidth
    self.frameHeight = frameHeight
    self.brightness = brightness
    self.sharpness = sharpness
    self.faceCount = faceCount
    self.face = face
    self.contrast = contrast
    self.smallFaces = smallFaces
    self.fingerprint = fingerprint
    self.light = light
    self.aligned = aligned
    self.recapture = recapture
  }
}

/// One face as measured by the tracker.
public struct ObservedFace: Sendable {
  public var box: FaceBox
  /// Confidence of the mesh model that a face is present, 0…1.
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
