internal import MienAvatars

/// Purpose of a performance.
enum PerformancePurpose: Sendable {
  case record
  /// Opening a message, with the secret part of its link if it has one.
  case open(MessageID, link: String?)

  /// The message that the performance may open; `nil` for a recording.
  var message: MessageID? {
    if case .open(let id, _) = self { id } else { nil }
  }

  /// Secret part of the message's link; `nil` if there is none.
  var link: String? {
    if case .open(_, let link) = self { link } else { nil }
  }
}
