/// Advice to the person in front of the camera; a code, never a sentence: the client words it.
public enum FramingHint: String, Hashable, Sendable, CaseIterable {
  case noFace = "no-face"
  case severalFaces = "several-faces"
  case tooFar = "too-far"
  case tooClose = "too-close"
  case offCenter = "off-centre"
  case tooDark = "too-dark"
  case tooBright = "too-bright"
  /// The face turned so far that it is no longer seen: come back slowly.
  case comeBack = "come-back"
  /// The head turns to the side that was not asked.
  case otherWay = "other-way"
}
