/// How far an upload is.
public struct UploadProgress: Hashable, Sendable {
  /// What is done at this moment.
  public enum Phase: String, Hashable, Sendable, CaseIterable {
    /// The scan is announced, or it is asked how far it is.
    case asking
    case sending
    /// The server is told that everything is there.
    case submitting
    /// It did not work just now; it is tried again after a while.
    case waiting
    case done, refused, paused
  }

  /// The job's name.
  public var job: String
  public var phase: Phase
  /// The file that is being sent, and how far it is.
  public var file: String?
  public var fileSent: Int
  public var fileBytes: Int
  /// Bytes that the server has acknowledged, of all files.
  public var sent: Int
  public var bytes: Int
  /// Why it waits: a code of ``ClientError``.
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

  /// 0…1; 1 when there is nothing to send.
  public var fraction: Double { bytes > 0 ? Double(min(sent, bytes)) / Double(bytes) : 1 }
}
