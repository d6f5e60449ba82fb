public import MienPlatform

/// Filters for a list of messages, newest first.
public struct MessageListQuery: Hashable, Sendable {
  /// State of a message in a list.
  public enum State: String, Hashable, Sendable, CaseIterable {
    /// The message can still be opened, immediately or after a wait.
    case open
    case read
    case expired
    case deleted
  }

  public var state: State?
  public var page = PageRequest()

  public init() {}
}

extension MessageService {
  /// Returns a page of the messages that match a query. The page contains neither texts nor sequences.
  public func messages(_ query: MessageListQuery) async throws -> RecordPage<MessageState> {
    let now = clock.timeOfDay()
    return try await store.messages(query, at: now).map { state(of: $0, at: now) }
  }
}
