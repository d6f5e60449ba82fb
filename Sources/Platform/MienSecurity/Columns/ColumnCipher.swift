internal import MienCore
internal import MienPlatform
internal import Crypto
internal import Foundation

/// Encrypts the values of ``EncryptedColumn``s when they are written to a store and decrypts them when they are read.
///
/// AES-256-GCM with one key per value, derived with HMAC-SHA256 from the master key for its table, column and record: a
/// value can only be decrypted in its own place.
public struct ColumnCipher: Sendable {
  /// Prefix of an encrypted binary value; the key ID follows.
  static let magic = Array("MSC1".utf8)
  /// Prefix of an encrypted JSON value; the key ID in hexadecimal and a colon follow.
  static let word = #""sealed:"#

  private let keyring: MasterKeyring?

  /// - Parameter keyring: `nil` stores and reads plaintext, and cannot decrypt encrypted values.
  public init(_ keyring: MasterKeyring?) { self.keyring = keyring }

  /// Encrypts a value for a binary column.
  ///
  /// - Parameter record: the values of the column's ``EncryptedColumn/key``, integers in decimal.
  public func close(_ value: [UInt8], _ column: EncryptedColumn, of record: String...) -> [UInt8] {
    keyring.map { close(value, column, record, under: $0.roots[0]) } ?? value
  }

  /// Encrypts a value for a JSON column: a JSON string with the ciphertext.
  public func close(_ json: String, _ column: EncryptedColumn, of record: String...) -> String {
    keyring.map { close(json, column, record, under: $0.roots[0]) } ?? json
  }

  /// Encodes a value as JSON and encrypts it for its column.
  ///
  /// - Throws: ``StoreError`` with `unavailable` if the value cannot be represented in JSON.
  public func json(_ value: some Encodable, _ column: EncryptedColumn, of record: String...) throws -> String {
    let text: String
    do {
      text = String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    } catch {
      // Only a non-finite number can be the reason, and it must not be stored.
      throw StoreError(.unavailable, reason: "A value could not be written: \(type(of: error)).")
    }
    return keyring.map { close(text, column, record, under: $0.roots[0]) } ?? text
  }

  /// Decrypts a value of a binary column.
  ///
  /// - Throws: ``StoreError`` with `unavailable` if it cannot be decrypted in this place with this keyring.
  public func open(_ value: [UInt8], _ column: EncryptedColumn, of record: String...) throws -> [UInt8] {
    try open(value, column, record)
  }

  /// Decrypts and decodes a value of a JSON column.
  ///
  /// - Throws: ``StoreError`` with `unavailable` if it cannot be decrypted in this place with this keyring, or has
  ///   another type.
  public func value<Value: Decodable>(_ text: String, _ column: EncryptedColumn, of record: String...) throws -> Value {
    let json = try open(text, column, record)
    do {
      return try JSONDecoder().decode(Value.self, from: Data(json.utf8))
    } catch {
      throw StoreError(
        .unavailable,
        reason: """
          The database holds a value in \(column.table).\(column.name) that cannot be read. Restore it from a backup.
          """)
    }
  }

  // MARK: - Values

  private func close(_ value: [UInt8], _ column: EncryptedColumn, _ record: [String], under root: MasterKey) -> [UInt8]
  {
    Self.magic + root.id + Self.box(value, column, record, under: root)
  }

  private func close(_ json: String, _ column: EncryptedColumn, _ record: [String], under root: MasterKey) -> String {
    let box = Self.box(Array(json.utf8), column, record, under: root)
    return Self.prefix(root) + Data(box).base64EncodedString() + "\""
  }

  private static func box(
    _ value: [UInt8], _ column: EncryptedColumn, _ record: [String], under root: MasterKey
  ) -> [UInt8] {
    let label = column.label(of: record)
    // The library generates the nonce; each value has its own key, so only few nonces are ever generated per key.
    guard let box = try? AES.GCM.seal(value, using: root.columnKey(label), authenticating: label),
      let bytes = box.combined
    else { preconditionFailure("AES-GCM takes any bytes of this length") }
    return Array(bytes)
  }

  private func open(_ value: [UInt8], _ column: EncryptedColumn, _ record: [String]) throws -> [UInt8] {
    guard value.starts(with: Self.magic) else {
      guard keyring == nil else { throw Self.failure(column) }
      return value
    }
    let (name, box) = (value.dropFirst(Self.magic.count).prefix(8), value.dropFirst(Self.magic.count + 8))
    return try opened(box, column, record) { $0.id.elementsEqual(name) }
  }

  private func open(_ text: String, _ column: EncryptedColumn, _ record: [String]) throws -> String {
    guard text.hasPrefix(Self.word) else {
      guard keyring == nil else { throw Self.failure(column) }
      return text
    }
    // Characters of text are much slower to search than its bytes, and values are long.
    let content = text.utf8.dropLast()
    let start = content.lastIndex(of: UInt8(ascii: ":")).map { content.index(after: $0) } ?? content.startIndex
    let bytes = try opened(Data(base64Encoded: Data(content[start...])) ?? Data(), column, record) {
      text.hasPrefix(Self.prefix($0))
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func opened(
    _ box: some Collection<UInt8>, _ column: EncryptedColumn, _ record: [String], _ isIts: (MasterKey) -> Bool
  ) throws -> [UInt8] {
    let label = column.label(of: record)
    guard let root = keyring?.roots.first(where: isIts),
      let value = MasterKeyring.opened(box, under: root.columnKey(label), label: label)
    else { throw Self.failure(column) }
    return value
  }

  private static func failure(_ column: EncryptedColumn) -> StoreError {
    StoreError(
      .unavailable,
      reason: """
        A value in \(column.table).\(column.name) cannot be decrypted with the server's keyring. Restore the keyring file that \
        belongs to this database, or the database from a backup.
        """)
  }

  /// Returns the prefix of JSON values encrypted under a key.
  private static func prefix(_ root: MasterKey) -> String { word + Hexadecimal.encode(root.id) + ":" }

  // MARK: - Re-encryption

  /// Returns the prefix of values under the newest key, as bytes even for text columns; `nil` without a keyring.
  public func prefix(of column: EncryptedColumn) -> [UInt8]? {
    keyring.map { column.isJSON ? Array(Self.prefix($0.roots[0]).utf8) : Self.magic + $0.roots[0].id }
  }

  /// Re-encrypts a value under the newest key, as bytes even for text columns.
  ///
  /// - Throws: ``StoreError`` with `unavailable` if it cannot be decrypted in this place with this keyring.
  func renewed(_ value: [UInt8], _ column: EncryptedColumn, of record: [String]) throws -> [UInt8] {
    guard let root = keyring?.roots[0] else { return value }
    guard column.isJSON else { return close(try open(value, column, record), column, record, under: root) }
    let json = try open(String(decoding: value, as: UTF8.self), column, record)
    return Array(close(json, column, record, under: root).utf8)
  }
}
