internal import MienModel

/// What a failed request means for an upload.
enum UploadTrouble: Hashable {
  /// Nothing changes by asking again.
  case refused(UploadJob.Problem)
  /// The server does not know the scan or the upload any more.
  case gone
  /// The server says that a file is not whole.
  case incomplete
  /// Another time it may work.
  case passing(code: String, retryAfter: Interval?)

  /// - Parameter submits: whether the request said that everything is there.
  init(_ error: ClientError, submits: Bool = false) {
    guard let status = error.status else {
      self = .passing(code: error.code.text, retryAfter: error.retryAfter)
      return
    }
    switch status {
    // The offset is another one (409), what came was not what was sent (460), another request is writing (423).
    case 409: self = submits ? .incomplete : .passing(code: error.code.text, retryAfter: error.retryAfter)
    case 404, 410: self = .gone
    case 408, 423, 425, 429, 460, 500...:
      self = .passing(code: error.code.text, retryAfter: error.retryAfter)
    default:
      // A page of a hotel's network is no answer of the server's; but the answer to HEAD has no words, only a status.
      guard error.code == .unreadable, !(400..<500).contains(status) else {
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
    case .passing(let code, _): code
    }
  }

  var retryAfter: Interval? {
    if case .passing(_, let retryAfter) = self { retryAfter } else { nil }
  }

  private static func code(of error: ClientError) -> String {
    guard error.code == .unreadable else { return error.code.text }
    switch error.status {
    case 401: return ClientError.Code.unauthorised.text
    case 403: return ClientError.Code.forbidden.text
    case 413: return ClientError.Code.bodyTooLarge.text
    default: return error.code.text
    }
  }
}
