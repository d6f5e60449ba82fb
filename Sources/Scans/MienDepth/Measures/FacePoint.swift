/// A point of the face that anthropometry names, and the landmark of the mesh that stands for it.
///
/// Names are those of ISO 20685-1 and Farkas ("Anthropometry of the Head and Face"); right and left are the subject's own.
/// The mesh's landmarks lie near these points, not on them: they were never placed by touch.
public enum FacePoint: String, Hashable, Sendable, CaseIterable {
  case pupilRight = "pupil-right"
  case pupilLeft = "pupil-left"
  /// The outer corners of the eyes.
  case exocanthionRight = "exocanthion-right"
  case exocanthionLeft = "exocanthion-left"
  /// The inner corners of the eyes.
  case endocanthionRight = "endocanthion-right"
  case endocanthionLeft = "endocanthion-left"
  /// The deepest point of the nose's root.
  case sellion
  /// The nose's tip.
  case pronasale
  /// Where the nose's septum meets the upper lip.
  case subnasale
  /// The outermost points of the nose's wings.
  case alareRight = "alare-right"
  case alareLeft = "alare-left"
  /// The corners of the mouth.
  case cheilionRight = "cheilion-right"
  case cheilionLeft = "cheilion-left"
  /// The lowest point of the chin.
  case menton

  /// The number of the landmark, of 478.
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
