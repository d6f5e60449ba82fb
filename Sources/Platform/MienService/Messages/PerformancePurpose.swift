internal import MienAvatars

/// What somebody performs for.
enum PerformancePurpose: Sendable {
  case record
  case open(MessageID)

  /// The message that it may open.
  var message: MessageID? {
    if case .open(let id) = self { id } else { nil }
  }
}
