internal import Crypto
public import MienCore
public import MienPlatform
internal import MienSecurity

/// The buckets of sign-in attempts for names, addresses and unknown names, each identified by a digest.
///
/// Addresses are personal data, and the text entered as a name may be a password: neither is stored in the database.
/// The digests use a key derived from the master key, since all possible addresses could be tried against a plain
/// digest. With another master key, all buckets are full again.
struct SignInRateLimitKeys: Sendable {
  /// Seconds until an empty bucket is full again.
  private static let filling = 600.0
  /// Upper bound of the time until a bucket is full, unless a clock was set back.
  static let longest = Interval.seconds(2 * filling)
  /// Label of the column that stores the digests; no encrypted column has it as the label of its values.
  private static let label = Array("11:sign_in_try6:digest".utf8)

  private let key: SymmetricKey
  private let name: Int
  private let address: Int

  /// - Parameter keyring: `nil` makes digests that anyone can compute.
  init(_ settings: AccountSettings, _ keyring: MasterKeyring?) {
    key = keyring?.roots[0].columnKey(Self.label) ?? SymmetricKey(data: Self.label)
    (name, address) = (settings.triesPerName, settings.triesPerAddress)
  }

  /// Returns the bucket of an existing account.
  func of(name text: AccountName) -> SignInRateLimit { bucket(digest("name", text.text), name) }

  /// Returns the bucket of an address.
  func of(address text: String) -> SignInRateLimit { bucket(digest("address", text), address) }

  /// Returns the bucket of an unknown name, separate from those of existing accounts: invented names use up no
  /// account's attempts. It is stored like the others, since a difference in timing would reveal which accounts exist.
  ///
  /// Only two bytes of its digest are used. So there are at most 65,536 of these buckets, however many names are
  /// invented, and not even the holder of the master key can find out which of thousands of words was entered. That two
  /// names may share a bucket does not reveal which accounts exist: to empty so many buckets that a new name is likely
  /// to have an empty one takes far more attempts than passwords can be hashed in the ten minutes until the buckets are
  /// full again.
  func of(unknownName text: String) -> SignInRateLimit {
    let slot = Array(digest("unknown name", text).bytes.prefix(2))
    return bucket(Self.digest(slot + [UInt8](repeating: 0, count: 30)), name)
  }

  private func bucket(_ digest: SecretDigest, _ burst: Int) -> SignInRateLimit {
    SignInRateLimit(digest: digest, burst: burst, refill: .seconds(Self.filling / Double(burst)))
  }

  private func digest(_ kind: String, _ text: String) -> SecretDigest {
    Self.digest(Array(HMAC<SHA256>.authenticationCode(for: Array("\(kind)/\(text)".utf8), using: key)))
  }

  private static func digest(_ bytes: [UInt8]) -> SecretDigest {
    guard let digest = SecretDigest(bytes: bytes) else { preconditionFailure("SHA-256 makes 32 bytes") }
    return digest
  }
}

/// A token bucket of sign-in attempts, for a name or an address, as counted by a store.
///
/// A store saves a single number for it, the time at which it is full again: each attempt taken postpones that by
/// ``refill``, and a bucket without a stored time is full.
public struct SignInRateLimit: Hashable, Sendable {
  /// Identifies the bucket without revealing the name or address.
  public let digest: SecretDigest
  /// Milliseconds until one attempt is added.
  public let refill: Int64
  /// Milliseconds until an empty bucket is full again.
  public let filling: Int64

  /// - Parameters:
  ///   - burst: capacity of the bucket; at least 1.
  ///   - refill: time until one attempt is added; at least a millisecond.
  public init(digest: SecretDigest, burst: Int, refill: Interval) {
    precondition(burst >= 1 && refill >= .milliseconds(1))
    self.digest = digest
    self.refill = refill.nanoseconds / 1_000_000
    filling = self.refill * Int64(burst)
  }
}

/// Caches which buckets are empty, and until when, so that a flood of attempts causes no flood of SQL statements.
struct ExhaustedBucketCache: Sendable {
  private static let capacity = 10_000

  private var ends: [SecretDigest: MonotonicInstant] = [:]

  /// Returns the time until a bucket has an attempt; `nil` if the store must be queried.
  func wait(for bucket: SignInRateLimit, at now: MonotonicInstant) -> Interval? {
    guard let end = ends[bucket.digest], now < end else { return nil }
    return end.since(now)
  }

  /// Records that the store refused an attempt. If the cache is full, the store is queried again next time.
  mutating func note(_ bucket: SignInRateLimit, for wait: Interval, at now: MonotonicInstant) {
    if ends.count >= Self.capacity { ends = ends.filter { now < $0.value } }
    guard ends.count < Self.capacity else { return }
    ends[bucket.digest] = now + wait
  }

  /// Removes expired entries.
  mutating func removeExpired(at now: MonotonicInstant) { ends = ends.filter { now < $0.value } }
}
