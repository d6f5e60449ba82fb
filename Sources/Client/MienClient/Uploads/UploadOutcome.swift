/// How a run at a job ended.
public enum UploadOutcome: Hashable, Sendable {
  /// The server has all of it; the scan's id.
  case done(scan: String)
  /// The server will not take it, in its own words. Nothing changes by trying again as it is.
  case refused(UploadJob.Problem)
  /// Not now: the server does not answer, or is too busy. Run the queue again later; nothing is lost.
  case later(code: String)
  /// Set aside, or the run was cancelled.
  case paused
}
