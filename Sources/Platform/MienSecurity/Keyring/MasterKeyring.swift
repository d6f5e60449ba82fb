package import Crypto
package import MienCore
package import MienPlatform

/// The server's master keys, stored beside the database and not in it: someone who copies only the database can neither
/// sign requests or results nor derive a session's token.
public struct MasterKeyring: Sendable, CustomStringConvertible, CustomReflectable {
  /// Newest first: the newest one encrypts, all of them decrypt.
  package let roots: [MasterKey]
  /// Keys derived from retired master keys, for data that cannot be re-encrypted.
  let remains: [RetiredKeyMaterial]

  private var newest: MasterKey { roots[0] }

  /// Returns `nil` for keys that are not 32 bytes long.
  public init?(key: [UInt8]) {
    guard let root = MasterKey(key: key) else { return nil }
    roots = [root]
    remains = []
  }

  /// Loads the keyring from the contents of its file; returns `nil` if they are invalid.
  public init?(file: [UInt8]) {
    guard let file = KeyringFile(file) else { return nil }
    self.init(file)
  }

  init?(_ file: KeyringFile) {
    let roots = file.keys.compactMap { MasterKey(key: $0) }
    guard !roots.isEmpty, roots.count == file.keys.count else { return nil }
    self.roots = roots
    remains = file.remains
  }

  /// Generates 32 bytes for a new master key.
  public static func makeKey(using generator: inout some RandomNumberGenerator) -> [UInt8] {
    (0..<32).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }

  /// Encrypts with AES-256-GCM; `label` is authenticated with the secret and required again to decrypt it.
  ///
  /// - Returns: 12 bytes of nonce, the ciphertext, 16 bytes of tag.
  package func close(_ secret: [UInt8], as label: String, using generator: inout some RandomNumberGenerator) -> [UInt8]
  {
    Self.box(secret, under: newest.secrets, nonce: Self.nonce(using: &generator), label: Array(label.utf8))
  }

  /// Decrypts the output of ``close(_:as:using:)``; returns `nil` if it was encrypted with another key or label, or was
  /// modified.
  package func open(_ sealed: [UInt8], as label: String) -> [UInt8]? {
    first { Self.opened(sealed, under: $0.secrets, label: Array(label.utf8)) }
  }

  /// Returns the secret in the tokens of a session created through a compatible API: always the same one, so that it is
  /// not stored.
  package func secret(of session: CheckID) -> String { Self.secret(of: session, newest.tokens) }

  /// Returns the secret of a session whose check stores this digest; `nil` if no key of this keyring produces it.
  package func secret(of session: CheckID, keptAs digest: SecretDigest) -> String? {
    let older = remains.filter { $0.use == .tokens }.map { SymmetricKey(data: $0.key) }
    return ([newest.tokens] + older).lazy.map { Self.secret(of: session, $0) }
      .first { SecretDigest(of: $0) == digest }
  }

  private static func secret(of session: CheckID, _ key: SymmetricKey) -> String {
    Base64URL.encode(Array(HMAC<SHA256>.authenticationCode(for: Array(session.text.utf8), using: key)))
  }

  /// The server's parts of the keys that messages are encrypted with, 32 bytes each, newest first.
  package var messageSecrets: [[UInt8]] {
    [newest.messageSecret] + remains.filter { $0.use == .messages }.map(\.key)
  }

  /// Wraps the key of a blob; the result is bound to the blob's ID.
  ///
  /// - Returns: 12 bytes of nonce, 32 of ciphertext, 16 of tag.
  func closeBlobKey(_ key: [UInt8], of id: BlobID, nonce: [UInt8]) -> [UInt8] {
    Self.box(key, under: newest.blobs, nonce: nonce, label: Array(id.text.utf8))
  }

  /// Unwraps a key wrapped by ``closeBlobKey(_:of:nonce:)``; returns `nil` if it belongs to another blob or another
  /// keyring, or was modified.
  func openBlobKey(_ wrapped: [UInt8], of id: BlobID) -> [UInt8]? {
    first { Self.opened(wrapped, under: $0.blobs, label: Array(id.text.utf8)) }.flatMap { $0.count == 32 ? $0 : nil }
  }

  /// Encrypts the state of a check in progress under a key of its own: states are saved so often that random nonces
  /// would not be safe with a single key.
  ///
  /// - Returns: 12 bytes of nonce, the ciphertext, 16 bytes of tag.
  package func closeState(_ state: [UInt8], of check: CheckID, using generator: inout some RandomNumberGenerator)
    -> [UInt8]
  {
    Self.box(state, under: newest.stateKey(of: check), nonce: Self.nonce(using: &generator))
  }

  /// Decrypts the output of ``closeState(_:of:using:)``; returns `nil` if it belongs to another check or another
  /// keyring, or was modified.
  package func openState(_ sealed: [UInt8], of check: CheckID) -> [UInt8]? {
    first { Self.opened(sealed, under: $0.stateKey(of: check)) }
  }

  /// Returns the HMAC that links an audit log entry to the previous one, 32 bytes.
  package func auditLink(_ bytes: [UInt8]) -> [UInt8] { Self.auditLink(bytes, newest.audit) }

  /// Returns `true` if `link` is valid for the entry with this number, under the newest key or one that was still in
  /// use then.
  package func ties(_ link: [UInt8], _ bytes: [UInt8], number: Int64) -> Bool {
    let older = remains.filter { $0.use == .audit && number <= $0.until }.map { SymmetricKey(data: $0.key) }
    return ([newest.audit] + older).contains { Self.auditLink(bytes, $0) == link }
  }

  /// Returns keyed digests of a name in the audit log, 32 hexadecimal digits each: under the newest key first, then
  /// under the older ones.
  package func auditPseudonyms(of name: String) -> [String] {
    let older = remains.filter { $0.use == .audit }.map { SymmetricKey(data: $0.key) }
    // No audit link is computed over bytes with this prefix: their input begins with 32 bytes and a number.
    let bytes = Array("mien audit pseudonym 1\n\(name)".utf8)
    return ([newest.audit] + older).map { Hexadecimal.encode(Self.auditLink(bytes, $0).prefix(16)) }
  }

  /// Returns a keyed digest that represents a text in a column of the database. It is another one with another master
  /// key.
  ///
  /// - Parameter column: label of the column; no encrypted column has it as the label of its values.
  package func digest(of text: String, column: String) -> SecretDigest {
    let code = HMAC<SHA256>.authenticationCode(for: Array(text.utf8), using: newest.columnKey(Array(column.utf8)))
    guard let digest = SecretDigest(bytes: Array(code)) else { preconditionFailure("SHA-256 makes 32 bytes") }
    return digest
  }

  private static func auditLink(_ bytes: [UInt8], _ key: SymmetricKey) -> [UInt8] {
    Array(HMAC<SHA256>.authenticationCode(for: bytes, using: key))
  }

  /// Re-encrypts a value of ``EncryptedColumn/secrets`` under the newest key; returns `nil` if that is not necessary.
  ///
  /// - Throws: ``StoreError`` with `unavailable` if this keyring cannot decrypt it.
  func renewed(_ sealed: [UInt8], secret column: EncryptedColumn, of record: [String]) throws -> [UInt8]? {
    let label = column.secretLabel(of: record).map { Array($0.utf8) }
    func key(_ root: MasterKey) -> SymmetricKey {
      label == nil ? CheckID(record[0]).map { root.stateKey(of: $0) } ?? root.secrets : root.secrets
    }
    if Self.opened(sealed, under: key(newest), label: label ?? []) != nil { return nil }
    guard let plain = first({ Self.opened(sealed, under: key($0), label: label ?? []) }) else {
      throw StoreError(
        .unavailable,
        reason: """
          A value in \(column.table).\(column.name) cannot be decrypted with the server's keyring. Restore the keyring file that \
          belongs to this database, or remove what it belongs to.
          """)
    }
    // The library generates the nonce.
    guard let box = try? AES.GCM.seal(plain, using: key(newest), authenticating: label ?? []), let bytes = box.combined
    else { preconditionFailure("AES-GCM takes any bytes of this length") }
    return Array(bytes)
  }

  /// Returns `true` if the key of a blob is wrapped under the newest key.
  func isNewest(_ wrapped: [UInt8], of id: BlobID) -> Bool {
    Self.opened(wrapped, under: newest.blobs, label: Array(id.text.utf8)) != nil
  }

  /// Returns the result of the first master key for which `attempt` succeeds.
  private func first<Value>(_ attempt: (MasterKey) -> Value?) -> Value? {
    for root in roots { if let value = attempt(root) { return value } }
    return nil
  }

  package static func nonce(using generator: inout some RandomNumberGenerator) -> [UInt8] {
    (0..<12).map { _ in UInt8.random(in: .min ... .max, using: &generator) }
  }

  package static func box(_ plain: [UInt8], under key: SymmetricKey, nonce: [UInt8], label: [UInt8] = []) -> [UInt8] {
    guard let nonce = try? AES.GCM.Nonce(data: nonce),
      let box = try? AES.GCM.seal(plain, using: key, nonce: nonce, authenticating: label), let bytes = box.combined
    else { preconditionFailure("a nonce of 12 bytes is one that AES-GCM takes") }
    return Array(bytes)
  }

  package static func opened(_ sealed: some Collection<UInt8>, under key: SymmetricKey, label: [UInt8] = []) -> [UInt8]?
  {
    guard let box = try? AES.GCM.SealedBox(combined: Array(sealed)),
      let plain = try? AES.GCM.open(box, using: key, authenticating: label)
    else { return nil }
    return Array(plain)
  }

  public var description: String { "MasterKeyring(withheld)" }
  public var customMirror: Mirror { Mirror(self, children: []) }
}

/// Key wrapping for frame logs.
extension MasterKeyring {
  /// Wraps the key of a frame log, bound to its check.
  ///
  /// - Returns: 12 bytes of nonce, 32 of ciphertext, 16 of tag.
  func sealFrameLogKey(_ key: [UInt8], of check: CheckID, nonce: [UInt8]) -> [UInt8] {
    Self.box(key, under: roots[0].frameLogs, nonce: nonce, label: Array(check.text.utf8))
  }

  /// Unwraps a key that ``sealFrameLogKey(_:of:nonce:)`` wrapped; `nil` if it belongs to another check or keyring, or
  /// was modified.
  ///
  /// Retained parts of retired keys are tried as well: frame logs are local to the server that records them, so their
  /// keys cannot be rewrapped centrally.
  func openFrameLogKey(_ wrapped: some Collection<UInt8>, of check: CheckID) -> [UInt8]? {
    let older = remains.filter { $0.use == .frameLogs }.map { SymmetricKey(data: $0.key) }
    for key in roots.map(\.frameLogs) + older {
      let opened = Self.opened(wrapped, under: key, label: Array(check.text.utf8))
      if let opened, opened.count == 32 { return opened }
    }
    return nil
  }
}
