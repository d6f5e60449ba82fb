/// A distance between two points of a face, straight through space.
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
  /// From the nose's root to its base (se–sn).
  case noseHeight = "nose-height"
  /// From the nose's base to its tip (sn–prn).
  case noseProtrusion = "nose-protrusion"
  /// Between the corners of the mouth (ch–ch).
  case mouthWidth = "mouth-width"
  /// From the nose's root to the chin (se–me).
  case faceHeight = "face-height"
  /// From the nose's base to the chin (sn–me).
  case lowerFaceHeight = "lower-face-height"

  /// The two points.
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
