/// The outcome of an operation in a form that is safe to record in a span.
public enum SpanOutcome: Sendable {
  case done
  /// Only the kind of error is recorded: its text may contain personal data.
  case failed(any Error)
  /// A failure named by a word of a closed set.
  case failure(String)
  /// An HTTP status that indicates an error.
  case status(Int)

  /// The value of `error.type`; `nil` if there was no error.
  var word: String? {
    switch self {
    case .done: nil
    case .failure(let word): word
    case .failed(let error as ServiceError): error.code.text
    case .failed(let error): "\(type(of: error))"
    case .status(let status): "\(status)"
    }
  }
}
