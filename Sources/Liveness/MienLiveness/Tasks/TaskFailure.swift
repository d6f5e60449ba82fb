internal import MienCore

/// Reason a task was not accepted; the raw value is the stable wire code.
///
/// The codes of a head turn are those of ``HeadTurnFailure``.
public enum TaskFailure: String, Hashable, Sendable, CaseIterable {
  /// Time ran out, and no part of the task was done.
  case timedOut = "timed-out"
  /// Time ran out, and a part of the task was done.
  case notFinished = "not-finished"
  /// Head turn only: time ran out before the head had turned far enough.
  case turnedTooLittle = "turned-too-little"
  /// Head turn only: time ran out before the head had returned.
  case didNotReturn = "did-not-return"
  /// The head moved in the wrong direction.
  case wrongDirection = "wrong-direction"
  /// Head turn only: the way back is the way out in reverse.
  case `static` = "static"
  /// The head moved faster than a head can, or the two eyes moved inconsistently.
  case wrongMovement = "wrong-movement"
  /// Head turn only: too few frames show the head on its way.
  case tooFewFrames = "too-few-frames"
  /// The circle was interrupted by backward movement or jumps.
  case unsteady = "unsteady"
  /// The answer to a question was not the expected one.
  case wrongAnswer = "wrong-answer"
  /// The subject performed a different motion from the requested one.
  case wrongMotion = "wrong-motion"
  /// The motion started before the subject could know the request.
  case tooEarly = "too-early"
  /// The motion came too long after the request.
  case tooSlow = "too-slow"
  /// The head left the path.
  case offPath = "off-path"
  /// The face changes its color clearly, and not as the shown sequence does.
  case foreignLight = "foreign-light"
  /// The light of the screen changes the whole face alike, as it does with a flat picture.
  case flatLight = "flat-light"
  /// The screen adds too little light to the face, and the subject can perform no other task.
  case tooLittleLight = "too-little-light"
  /// No face for longer than the grace period.
  case faceLost = "face-lost"
  /// The source provides a face without the measures that the task requires.
  case notMeasured = "not-measured"
  /// The new face does not continue the track in position and size.
  case changedFace = "changed-face"
  /// More than one face for longer than the grace period.
  case severalFaces = "several-faces"
  /// A sample was older than the previous one.
  case timestampsBackwards = "timestamps-backwards"
  /// More samples than the settings allow.
  case tooManyObservations = "too-many-observations"

  init(_ failure: HeadTurnFailure) {
    self =
      switch failure {
      case .timedOut: .timedOut
      case .wrongDirection: .wrongDirection
      case .turnedTooLittle: .turnedTooLittle
      case .didNotReturn: .didNotReturn
      case .static: .static
      case .wrongMovement: .wrongMovement
      case .tooFewFrames: .tooFewFrames
      case .faceLost: .faceLost
      case .changedFace: .changedFace
      case .severalFaces: .severalFaces
      case .timestampsBackwards: .timestampsBackwards
      case .tooManyObservations: .tooManyObservations
      }
  }
}

/// Valid range of every task's timeout.
enum TaskTimeout {
  static let range = Interval.seconds(1)...Interval.seconds(300)

  /// Returns the requested timeout, or the task's default if none is requested.
  ///
  /// - Throws: ``TaskError`` if the requested timeout is out of range.
  static func checked(_ asked: Interval?, else own: Interval) throws(TaskError) -> Interval {
    guard let asked else { return own }
    guard range.contains(asked) else { throw TaskError(.outOfRange, "timeout") }
    return asked
  }
}
