/// Progress of an upload.
public struct UploadProgress: Hashable, Sendable {
  /// Current activity.
  public enum Phase: String, Hashable, Sendable, CaseIterable {
    /// Creating the scan, or requesting its state.
    case asking
    case sending
    /// Submitting the complete scan.
    case submitting
    /// Waiting for the next attempt after a failure.
    case waiting
    case done, refused, paused
  }

  /// Job ID.
  public var job: String
  public var phase: Phase
  /// Name of the file being sent.
  public var file: String?
  public var fileSent: Int
  public var fileBytes: Int
  /// Bytes of all files that the server has acknowledged.
  public var sent: Int
  public var bytes: Int
  /// Reason for waiting: a code of ``ClientError``.
  public var reason: String?

  public init(
    job: String, phase: Phase, file: String? = nil, fileSent: Int = 0, fileBytes: Int = 0, sent: Int, bytes: Int,
    reason: String? = nil
  ) {
    self.job = job
    self.phase = phase
    self.file = file
    self.fileSent = fileSent
    self.fileBytes = fileBytes
    self.sent = sent
    self.bytes = bytes
    self.reason = reason
  }

  /// Progress in 0…1; 1 if there is nothing to send.
  public var fraction: Double { bytes > 0 ? Double(min(sent, bytes)) / Double(bytes) : 1 }
}
