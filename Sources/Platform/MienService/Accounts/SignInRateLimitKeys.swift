internal import Crypto
internal import MienCore

/// The buckets of tries to sign in: a name, an address, or a name that nobody has, each behind a digest.
///
/// Addresses are data about people, and what was typed as a name may be a password: neither gets into the database. The digests
/// are made under a key of the seal, since all addresses there are could be tried against a plain one. With another seal all
/// buckets are full once more.
struct SignInRateLimitKeys: Sendable {
  /// How long each takes to be full again, once it is empty.
  private static let filling = 600.0
  /// No bucket is full only after so long, unless a clock was put back.
  static let longest = Interval.seconds(2 * filling)
  /// What no sealed column has as the label of its values: where the digests stand.
  private static let label = Array("11:sign_in_try6:digest".utf8)

  private let key: SymmetricKey
  private let name: Int
  private let address: Int

  /// - Parameter seal: nil makes digests that anybody can make.
  init(_ settings: AccountSettings, _ keyring: MasterKeyring?) {
    key = keyring?.roots[0].columnKey(Self.label) ?? SymmetricKey(data: Self.label)
    (name, address) = (settings.triesPerName, settings.triesPerAddress)
  }

  /// The bucket of somebody who is there.
  func of(name text: AccountName) -> SignInRateLimit { bucket(digest("name", text.text), name) }

  /// The bucket of an address.
  func of(address text: String) -> SignInRateLimit { bucket(digest("address", text), address) }

  /// The bucket of a name that nobody has, apart from those of names that are there: whoever makes names up takes nobody's tries.
  /// It stands in the store as those do, since a difference in time would tell which names there are.
  ///
  /// Of its digest two bytes are kept. So there are 65,536 of these at most, however many names are made up, and not even who has
  /// the seal can tell which of thousands of words was typed. That two names may share one tells nobody which names there are: to
  /// empty so many that a new name is likely to meet an empty one takes far more tries than passwords are hashed for in the ten
  /// minutes in which they fill up again.
  func of(stranger text: String) -> SignInRateLimit {
    let slot = Array(digest("stranger", text).bytes.prefix(2))
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
