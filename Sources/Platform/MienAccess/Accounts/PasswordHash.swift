public import MienCore
internal import MienPlatform
internal import Crypto
internal import CryptoExtras

/// A stored password hash: HMAC-SHA256 of "mien password" under the 32-byte key that scrypt derives from the password
/// and a unique salt, and the parameters of scrypt.
public struct PasswordHash: Hashable, Sendable, CustomStringConvertible, CustomReflectable {
  private static let size = 32

  public let cost: ScryptParameters
  let salt: [UInt8]
  let hash: [UInt8]

  /// Hashes a password; `cost` determines how long that takes.
  ///
  /// - Parameter salt: 16 unpredictable bytes.
  public init(of password: String, salt: [UInt8], cost: ScryptParameters) {
    self.cost = cost
    self.salt = salt
    hash = Self.derive(password, salt, cost)
  }

  /// Parses the format of ``text``; returns `nil` for anything else.
  public init?(text: String) {
    let parts = text.split(separator: "$", omittingEmptySubsequences: false)
    guard parts.count == 5, parts[0].isEmpty, parts[1] == "scrypt" else { return nil }
    guard let cost = ScryptParameters(text: "scrypt,\(parts[2])"),
      let salt = Base64URL.decode(parts[3]), (8...64).contains(salt.count),
      let hash = Base64URL.decode(parts[4]), hash.count == Self.size
    else { return nil }
    self.cost = cost
    self.salt = salt
    self.hash = hash
  }

  /// `$scrypt$ln=15,r=8,p=3$SALT$HASH`, with the bytes in base64url.
  public var text: String {
    "$scrypt$ln=\(cost.logRounds),r=\(cost.blockSize),p=\(cost.parallelism)$"
      + "\(Base64URL.encode(salt))$\(Base64URL.encode(hash))"
  }

  /// Returns `true` if this is the hash of the password. Takes the same time for any password.
  public func matches(_ password: String) -> Bool {
    let other = Self.derive(password, salt, cost)
    return zip(hash, other).reduce(0) { $0 | ($1.0 ^ $1.1) } == 0
  }

  private static func derive(_ password: String, _ salt: [UInt8], _ cost: ScryptParameters) -> [UInt8] {
    let key = try? KDF.Scrypt.deriveKey(
      from: Array(password.utf8), salt: salt, outputByteCount: size, rounds: 1 << cost.logRounds,
      blockSize: cost.blockSize, parallelism: cost.parallelism)
    guard let key else { preconditionFailure("scrypt takes every password with parameters in their ranges") }
    // The output of scrypt is used as a key too, so that its bytes are never extracted.
    return Array(HMAC<SHA256>.authenticationCode(for: Array("mien password".utf8), using: key))
  }

  public var description: String { "PasswordHash(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}
