/// Framing advice for the subject, as a code without text: the client provides the wording.
public enum FramingHint: String, Hashable, Sendable, CaseIterable {
  case noFace = "no-face"
  case severalFaces = "several-faces"
  case tooFar = "too-far"
  case tooClose = "too-close"
  case offCenter = "off-centre"
  case tooDark = "too-dark"
  case tooBright = "too-bright"
  /// The face turned so far that it is no longer detected; the subject should turn back slowly.
  case comeBack = "come-back"
  /// The head turns to the side opposite to the requested one.
  case otherWay = "other-way"
}
