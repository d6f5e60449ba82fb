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
