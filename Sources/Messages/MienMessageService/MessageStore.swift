public import MienPlatform
public import MienAvatars
public import MienVault

/// Stores locked messages. It cannot open any of them.
///
/// Changes survive a crash of the process and of the machine once the method that made them has returned.
public protocol MessageStore: Sendable {
  /// Stores a new message. Throws ``StoreError/Code/duplicate`` if the ID is taken.
  func save(_ message: MessageRecord) async throws

  /// Returns the message with this ID; `nil` if there is none.
  func message(_ id: MessageID) async throws -> MessageRecord?

  /// Returns a page of the messages that match a query at `now`, newest first.
  func messages(_ query: MessageListQuery, at now: UnixTime) async throws -> RecordPage<MessageRecord>

  /// Changes a message's lock in one transaction, which no other change of it overlaps, and which is durable on return.
  /// If the message has ended, its text and hint are deleted in the same transaction.
  ///
  /// - Returns: the result of `change`, and the message after it; `nil` if there is no message with this ID.
  func changeLock<Outcome: Sendable>(
    of id: MessageID, _ change: @Sendable @escaping (inout UnlockPolicyState) -> Outcome
  ) async throws -> (outcome: Outcome, message: MessageRecord)?

  /// Ends up to `limit` messages that have expired at `time`, and deletes their texts; returns how many.
  func expireMessages(at time: UnixTime, limit: Int) async throws -> Int

  /// Deletes up to `limit` ended messages completely that expired before `time`; returns how many.
  func purgeMessages(expiredBefore time: UnixTime, limit: Int) async throws -> Int
}
