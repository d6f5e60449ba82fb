/// Reason a head turn was not accepted; the raw value is the stable wire code.
public enum HeadTurnFailure: String, Hashable, Sendable, CaseIterable {
  /// Time ran out, and the head never faced the camera or hardly moved.
  case timedOut = "timed-out"
  /// The head turned beyond the far threshold on the wrong side.
  case wrongDirection = "wrong-direction"
  /// Time ran out: the head moved, but never beyond the far threshold.
  case turnedTooLittle = "turned-too-little"
  /// Time ran out: the head turned far enough, but did not return.
  case didNotReturn = "did-not-return"
  /// The way back contains exactly the angles of the way out, or both have the same mean change: not a live movement.
  case `static` = "static"
  /// The head moved in the wrong direction within a phase, faster than a head can, or too fast to be sampled during the turn.
  case wrongMovement = "wrong-movement"
  /// No face for longer than the grace period.
  case faceLost = "face-lost"
  /// The new face does not continue the track in position and size.
  case changedFace = "changed-face"
  /// More than one face for longer than the grace period.
  case severalFaces = "several-faces"
  /// A sample was older than the previous one.
  case timestampsBackwards = "timestamps-backwards"
  /// One phase contained more samples than the settings allow.
  case tooManyObservations = "too-many-observations"
}
