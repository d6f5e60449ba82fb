/// Straight-line distance between two points of a face.
public enum FaceMeasure: String, Hashable, Sendable, CaseIterable {
  case interpupillaryDistance = "interpupillary-distance"
  /// Between the inner corners of the eyes (en–en).
  case intercanthalWidth = "intercanthal-width"
  /// Between the outer corners of the eyes (ex–ex).
  case biocularWidth = "biocular-width"
  case eyeFissureRight = "eye-fissure-right"
  case eyeFissureLeft = "eye-fissure-left"
  /// Between the wings of the nose (al–al).
  case noseWidth = "nose-width"
  /// From the root of the nose to its base (se–sn).
  case noseHeight = "nose-height"
  /// From the base of the nose to its tip (sn–prn).
  case noseProtrusion = "nose-protrusion"
  /// Between the corners of the mouth (ch–ch).
  case mouthWidth = "mouth-width"
  /// From the root of the nose to the chin (se–me).
  case faceHeight = "face-height"
  /// From the base of the nose to the chin (sn–me).
  case lowerFaceHeight = "lower-face-height"

  /// Endpoints of the distance.
  public var ends: (FacePoint, FacePoint) {
    switch self {
    case .interpupillaryDistance: (.pupilRight, .pupilLeft)
    case .intercanthalWidth: (.endocanthionRight, .endocanthionLeft)
    case .biocularWidth: (.exocanthionRight, .exocanthionLeft)
    case .eyeFissureRight: (.exocanthionRight, .endocanthionRight)
    case .eyeFissureLeft: (.endocanthionLeft, .exocanthionLeft)
    case .noseWidth: (.alareRight, .alareLeft)
    case .noseHeight: (.sellion, .subnasale)
    case .noseProtrusion: (.subnasale, .pronasale)
    case .mouthWidth: (.cheilionRight, .cheilionLeft)
    case .faceHeight: (.sellion, .menton)
    case .lowerFaceHeight: (.subnasale, .menton)
    }
  }
}

/// A distance on a face and its uncertainty.
public struct FaceMeasurement: Hashable, Sendable {
  public let measure: FaceMeasure
  /// Median over the views, in meters.
  public let meters: Float
  /// Standard uncertainty in meters, including the part that differs between views and the part common to all views.
  public let standardUncertainty: Float
  /// Part of ``standardUncertainty`` that decreases with more views: noise of depth and landmarks.
  public let randomPart: Float
  /// Number of views in which both endpoints were visible.
  public let views: Int

  /// Half-width, in meters, of the interval that contains the distance with a probability of about 95 % (k = 2). The
  /// sensor's scale error is not included, because no manufacturer publishes it.
  public var expandedUncertainty: Float { 2 * standardUncertainty }
}

extension FaceMeasurement: CustomStringConvertible, CustomReflectable {
  public var description: String { "FaceMeasurement(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Anthropometric point of the face, and the mesh landmark that represents it.
///
/// Names follow ISO 20685-1 and Farkas ("Anthropometry of the Head and Face"); right and left are the subject's own.
/// The mesh landmarks approximate these points; they were not placed by palpation.
public enum FacePoint: String, Hashable, Sendable, CaseIterable {
  case pupilRight = "pupil-right"
  case pupilLeft = "pupil-left"
  /// Outer corners of the eyes.
  case exocanthionRight = "exocanthion-right"
  case exocanthionLeft = "exocanthion-left"
  /// Inner corners of the eyes.
  case endocanthionRight = "endocanthion-right"
  case endocanthionLeft = "endocanthion-left"
  /// Deepest point of the root of the nose.
  case sellion
  /// Tip of the nose.
  case pronasale
  /// Junction of the nasal septum and the upper lip.
  case subnasale
  /// Outermost points of the wings of the nose.
  case alareRight = "alare-right"
  case alareLeft = "alare-left"
  /// Corners of the mouth.
  case cheilionRight = "cheilion-right"
  case cheilionLeft = "cheilion-left"
  /// Lowest point of the chin.
  case menton

  /// Index of the landmark, of 478.
  public var landmark: Int {
    switch self {
    case .pupilRight: 468
    case .pupilLeft: 473
    case .exocanthionRight: 33
    case .exocanthionLeft: 263
    case .endocanthionRight: 133
    case .endocanthionLeft: 362
    case .sellion: 168
    case .pronasale: 4
    case .subnasale: 2
    case .alareRight: 129
    case .alareLeft: 358
    case .cheilionRight: 61
    case .cheilionLeft: 291
    case .menton: 152
    }
  }
}
