/// Why a head turn was not accepted; the raw value is the stable code that crosses the network.
public enum HeadTurnFailure: String, Hashable, Sendable, CaseIterable {
  /// Time ran out, and the head never faced the camera or hardly moved.
  case timedOut = "timed-out"
  /// The head turned beyond the far threshold of the side that was not asked.
  case wrongDirection = "wrong-direction"
  /// Time ran out: the head moved, but never beyond the far threshold.
  case turnedTooLittle = "turned-too-little"
  /// Time ran out: the head turned far enough, but did not come back.
  case didNotReturn = "did-not-return"
  /// The way back holds exactly the angles of the way out, or both change alike: not a living movement.
  case `static` = "static"
  /// The head moved the wrong way within a phase, faster than a head can, or too fast to be seen turning.
  case wrongMovement = "wrong-movement"
  /// No face for longer than the grace.
  case faceLost = "face-lost"
  /// The face that came after does not continue the track in place and size.
  case changedFace = "changed-face"
  /// More than one face for longer than the grace.
  case severalFaces = "several-faces"
  /// A sample was older than the one before it.
  case timestampsBackwards = "timestamps-backwards"
  /// More samples in one phase than the settings allow.
  case tooManyObservations = "too-many-observations"
}
