/// How a piece of work ended, as far as a span may know.
public enum SpanOutcome: Sendable {
  case done
  /// Only the kind of error is written down: its text may name somebody.
  case failed(any Error)
  /// An HTTP status that says so.
  case status(Int)

  /// The word for it (`error.type`); nil when nothing went wrong.
  var word: String? {
    switch self {
    case .done: nil
    case .failed(let error as WebhookFailure): error.rawValue
    case .failed(let error as ServiceError): error.code.text
    case .failed(let error): "\(type(of: error))"
    case .status(let status): "\(status)"
    }
  }
}
