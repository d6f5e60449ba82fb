/// Why a task was not accepted; the raw value is the stable code that crosses the network.
///
/// The codes of a head turn are those of ``HeadTurnFailure``.
public enum TaskFailure: String, Hashable, Sendable, CaseIterable {
  /// Time ran out, and nothing of what was asked was done.
  case timedOut = "timed-out"
  /// Time ran out with a part of it done.
  case notFinished = "not-finished"
  /// A head turn only: time ran out before the head had turned far enough.
  case turnedTooLittle = "turned-too-little"
  /// A head turn only: time ran out before the head had come back.
  case didNotReturn = "did-not-return"
  /// The head moved the way that was not asked.
  case wrongDirection = "wrong-direction"
  /// A head turn only: the way back is the way out played backwards.
  case `static` = "static"
  /// The head moved faster than a head can, or the eyes as no pair of eyes does.
  case wrongMovement = "wrong-movement"
  /// A circle went to and fro, or jumped.
  case unsteady = "unsteady"
  /// The answer to a question was not the expected one.
  case wrongAnswer = "wrong-answer"
  /// Something else was done than was asked.
  case wrongMotion = "wrong-motion"
  /// It was done before a person could know that it is asked.
  case tooEarly = "too-early"
  /// It was done too long after it was asked.
  case tooSlow = "too-slow"
  /// The head left the path.
  case offPath = "off-path"
  /// No face for longer than the grace.
  case faceLost = "face-lost"
  /// The source brings a face without the measures that the task is judged on.
  case notMeasured = "not-measured"
  /// The face that came after does not continue the track in place and size.
  case changedFace = "changed-face"
  /// More than one face for longer than the grace.
  case severalFaces = "several-faces"
  /// A sample was older than the one before it.
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
      case .faceLost: .faceLost
      case .changedFace: .changedFace
      case .severalFaces: .severalFaces
      case .timestampsBackwards: .timestampsBackwards
      case .tooManyObservations: .tooManyObservations
      }
  }
}
