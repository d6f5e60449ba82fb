internal import MienAvatars

/// What somebody performs for.
enum PerformancePurpose: Sendable {
  case record
  case open(MessageCode)

  /// The message that it may open.
  var message: MessageCode? {
    if case .open(let id) = self { id } else { nil }
  }
}
