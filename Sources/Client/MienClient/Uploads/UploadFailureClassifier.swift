internal import MienCore

/// What a failed request means for an upload.
enum UploadFailureClassifier: Hashable {
  /// Nothing changes by asking again.
  case refused(UploadJob.Problem)
  /// The server does not know the scan or the upload any more.
  case gone
  /// The server says that a file is not whole.
  case incomplete
  /// Somebody says that the scan is not there or not for us, and it is not sure that it is the server: the scan itself has to
  /// be asked about.
  case unsure
  /// Another time it may work.
  case passing(code: String, retryAfter: Interval?)

  /// - Parameter submits: whether the request said that everything is there.
  init(_ error: ClientError, submits: Bool = false) {
    guard let status = error.status else {
      self = .passing(code: error.code.text, retryAfter: error.retryAfter)
      return
    }
    // The server's own answer to HEAD has no words, only a status; but neither has a page of a proxy or a hotel's network.
    let isWordless = error.code == .unreadable
    if isWordless, [401, 403, 404, 410].contains(status) {
      self = .unsure
      return
    }
    switch status {
    // The offset is another one (409), what came was not what was sent (460), another request is writing (423).
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
