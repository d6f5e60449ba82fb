public import MienAvatars
public import MienPlatform
public import MienMessageService
public import MienVault

/// Two connections to one database, selected randomly per call, as with two servers.
public struct TwoStores<Store: MessageStore>: MessageStore {
  private let first: Store
  private let second: Store

  public init(first: Store, second: Store) {
    self.first = first
    self.second = second
  }

  private var either: Store { Bool.random() ? first : second }

  public func save(_ message: MessageRecord) async throws { try await either.save(message) }
  public func message(_ id: MessageID) async throws -> MessageRecord? { try await either.message(id) }
  public func messages(_ query: MessageListQuery, at now: UnixTime) async throws -> RecordPage<MessageRecord> {
    try await either.messages(query, at: now)
  }
  public func changeLock<Outcome: Sendable>(
    of id: MessageID, _ change: @Sendable @escaping (inout UnlockPolicyState) -> Outcome
  ) async throws -> (outcome: Outcome, message: MessageRecord)? { try await either.changeLock(of: id, change) }
  public func expireMessages(at time: UnixTime, limit: Int) async throws -> Int {
    try await either.expireMessages(at: time, limit: limit)
  }
  public func purgeMessages(expiredBefore time: UnixTime, limit: Int) async throws -> Int {
    try await either.purgeMessages(expiredBefore: time, limit: limit)
  }
}
