internal import MienCore

/// Error of the upload queue on this device. Errors with the same code are equal.
public struct UploadError: Error, Hashable, Sendable, CustomStringConvertible {
  public struct Code: Hashable, Sendable {
    fileprivate enum Kind: String { case unreadableFile, unusableName, noFiles, storage, inUse, unknownJob }
    fileprivate let kind: Kind

    /// A file to upload cannot be read.
    public static let unreadableFile = Code(kind: .unreadableFile)
    /// A file's name is invalid, or two files have the same name.
    public static let unusableName = Code(kind: .unusableName)
    /// The upload has no files.
    public static let noFiles = Code(kind: .noFiles)
    /// The queue's folder cannot be written: the disk is full, or permission is denied.
    public static let storage = Code(kind: .storage)
    /// Another process is sending the job.
    public static let inUse = Code(kind: .inUse)
    /// No such job.
    public static let unknownJob = Code(kind: .unknownJob)
  }

  public let code: Code
  /// Description for developers.
  public let reason: String

  init(_ code: Code, reason: String) {
    self.code = code
    self.reason = reason
  }

  public static func == (left: UploadError, right: UploadError) -> Bool { left.code == right.code }
  public func hash(into hasher: inout Hasher) { hasher.combine(code) }
  public var description: String { reason }
}

/// Classifies failed requests by their consequence for an upload.
enum UploadFailureClassifier: Hashable {
  /// Permanent: a retry would fail in the same way.
  case refused(UploadJob.Problem)
  /// The server no longer has the scan or the upload.
  case gone
  /// The server reports an incomplete file.
  case incomplete
  /// Status 401, 403, 404 or 410 without a problem document, possibly from a proxy: the scan has to be requested to
  /// find out whether it still exists.
  case unsure
  /// Temporary: a retry may succeed.
  case passing(code: String, retryAfter: Interval?)

  /// - Parameter submits: `true` if the failed request submitted the scan.
  init(_ error: ClientError, submits: Bool = false) {
    guard let status = error.status else {
      self = .passing(code: error.code.text, retryAfter: error.retryAfter)
      return
    }
    // The server's own response to HEAD has only a status and no body, like the page of a proxy or a captive portal.
    let isWordless = error.code == .unreadable
    if isWordless, [401, 403, 404, 410].contains(status) {
      self = .unsure
      return
    }
    switch status {
    // The offset differs (409), the checksum does not match (460), another request is writing (423).
    case 409: self = submits ? .incomplete : .passing(code: error.code.text, retryAfter: error.retryAfter)
    case 404, 410: self = .gone
    case 408, 423, 425, 429, 460, 500...:
      self = .passing(code: error.code.text, retryAfter: error.retryAfter)
    default:
      guard isWordless, !(400..<500).contains(status) else {
        self = .refused(UploadJob.Problem(code: Self.code(of: error), detail: error.detail))
        return
      }
      self = .passing(code: error.code.text, retryAfter: error.retryAfter)
    }
  }

  var code: String {
    switch self {
    case .refused(let problem): problem.code
    case .gone: ClientError.Code.notFound.text
    case .incomplete: "incomplete"
    case .unsure: ClientError.Code.unreadable.text
    case .passing(let code, _): code
    }
  }

  var retryAfter: Interval? {
    if case .passing(_, let retryAfter) = self { retryAfter } else { nil }
  }

  private static func code(of error: ClientError) -> String {
    let isTooLarge = error.code == .unreadable && error.status == 413
    return isTooLarge ? ClientError.Code.bodyTooLarge.text : error.code.text
  }
}
