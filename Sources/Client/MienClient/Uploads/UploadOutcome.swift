/// Outcome of sending a job.
public enum UploadOutcome: Hashable, Sendable {
  /// Received completely by the server, with the scan's ID.
  case done(scan: String)
  /// Rejected by the server for the given reason. Retrying the unchanged job would fail again.
  case refused(UploadJob.Problem)
  /// Postponed: the server does not respond or is overloaded. Run the queue again later; the progress is retained.
  case later(code: String)
  /// Paused, or canceled.
  case paused
}
