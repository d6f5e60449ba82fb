internal import MienAvatars

/// Purpose of a performance.
enum PerformancePurpose: Sendable {
  case record
  case open(MessageID)

  /// The message that the performance may open; `nil` for a recording.
  var message: MessageID? {
    if case .open(let id) = self { id } else { nil }
  }
}
