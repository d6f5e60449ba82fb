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
  /// Number of small faces beside the tracked face, found in parts of the frame that are searched one after another.
  public var smallFaces: Int
  /// Perceptual hash of the frame; `nil` if there is no face, if the image has too little contrast, or if it was not
  /// measured.
  public var fingerprint: FrameFingerprint?
  /// Colors of the face and its surroundings; `nil` if there is no face or they were not requested.
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

/// A face cut out of an image for comparison with other faces: upright, with the eyes, the nose and the corners of the
/// mouth as close as possible to fixed positions.
public struct AlignedFace: Hashable, Sendable {
  /// Width and height in pixels.
  public static let size = 112
  /// Number of samples: a red, a green and a blue plane.
  public static let count = 3 * size * size

  /// The three planes, 0…255.
  public let samples: ContiguousArray<UInt8>
  /// Distance between the irises in pixels of the image.
  public let eyeDistance: Float

  /// Returns `nil` if the number of samples is not ``count``.
  public init?(samples: ContiguousArray<UInt8>, eyeDistance: Float) {
    guard samples.count == Self.count else { return nil }
    self.samples = samples
    self.eyeDistance = eyeDistance
  }
}

extension AlignedFace: CustomStringConvertible, CustomReflectable {
  public var description: String { "AlignedFace(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Contrast of the eyes and the mouth in a frame, by which a covered face is recognized: a hand, a mask or dark glasses have less
/// structure than what they cover, or structure in other directions.
public struct FaceContrast: Hashable, Sendable {
  /// Mean gradient of the luma around each eye, the greater of the two, in units of the skin's luma per ¹⁄₂₄ of the distance between the
  /// eyes.
  public let eyes: Float
  /// The same around the mouth.
  public let mouth: Float
  /// The part of ``mouth`` across the lips.
  public let acrossMouth: Float
  /// Difference of the chroma Cr (ITU-R BT.601) between the lips and the skin around them, −255…255.
  public let lipRedness: Float

  public init(eyes: Float, mouth: Float, acrossMouth: Float, lipRedness: Float) {
    self.eyes = eyes
    self.mouth = mouth
    self.acrossMouth = acrossMouth
    self.lipRedness = lipRedness
  }
}

extension FaceContrast: CustomStringConvertible, CustomReflectable {
  public var description: String { "FaceContrast(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Mean colors of parts of a face and of the picture around it, from the pixels of one frame. Linear light: twice the
/// value is twice the light.
///
/// Only the server measures it, and only during a light task. A part without enough usable pixels, because it is
/// overexposed, black or outside the image, is NaN.
public struct FaceLight: Hashable, Sendable {
  /// Red, green and blue, 0…1 each.
  public var forehead: SIMD3<Float>
  public var nose: SIMD3<Float>
  /// Cheek on the subject's right.
  public var rightCheek: SIMD3<Float>
  public var leftCheek: SIMD3<Float>
  /// Margin of the image beside and above the head.
  public var background: SIMD3<Float>

  public init(
    forehead: SIMD3<Float>, nose: SIMD3<Float>, rightCheek: SIMD3<Float>, leftCheek: SIMD3<Float>,
    background: SIMD3<Float> = SIMD3(repeating: .nan)
  ) {
    self.forehead = forehead
    self.nose = nose
    self.rightCheek = rightCheek
    self.leftCheek = leftCheek
    self.background = background
  }
}

extension FaceLight: CustomStringConvertible, CustomReflectable {
  public var description: String { "FaceLight(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Result of looking for signs of a screen or print in one frame of a session.
public enum RecaptureReading: Hashable, Sendable {
  /// A score in log-odds; greater is more like a screen or print.
  case score(Float)
  /// The frame, or the part of it around the face, has too few pixels.
  case tooSmall
  /// The frame is compressed so strongly that its texture is lost.
  case tooCompressed
}
