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
