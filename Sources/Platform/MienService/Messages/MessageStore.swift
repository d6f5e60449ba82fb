public import MienAvatars
public import MienVault

/// Keeps messages under their locks. It can open none of them.
///
/// What a method has acknowledged survives the death of the process and of the machine.
public protocol MessageStore: Sendable {
  /// Keeps a new message. Throws ``StoreError/Code/duplicate`` when the number is taken.
  func save(_ message: MessageRecord) async throws

  /// The message with this number; nil when there is none.
  func message(_ id: MessageID) async throws -> MessageRecord?

  /// Changes a message's lock in one transaction, which no other change of it overlaps, and which is durable on return.
  /// When the lock has come to its end, text and hint are erased in the same transaction.
  ///
  /// - Returns: what `change` said, and the message after it; nil when there is no message with this number.
  func changeLock<Outcome: Sendable>(
    of id: MessageID, _ change: @Sendable @escaping (inout UnlockPolicyState) -> Outcome
  ) async throws -> (outcome: Outcome, message: MessageRecord)?

  /// Ends up to `limit` messages whose time is over at `time`, and erases their texts; returns how many.
  func expireMessages(at time: UnixTime, limit: Int) async throws -> Int

  /// Forgets up to `limit` ended messages altogether whose time was over before `time`; returns how many.
  func purgeMessages(expiredBefore time: UnixTime, limit: Int) async throws -> Int
}
