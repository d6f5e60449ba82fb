internal import Crypto
internal import Foundation

/// Seals the values of ``EncryptedColumn``s on their way into a store and opens them on their way out.
///
/// AES-256-GCM under a key for each value, which HMAC-SHA256 derives from the seal's for its table, column and record: a value
/// opens in its own place only. Values from before there was sealing are read as they are, until ``ColumnReencryptionJob`` has sealed them.
public struct ColumnCipher: Sendable {
  /// What a sealed value of bytes begins with; the key's name follows.
  static let magic = Array("MSC1".utf8)
  /// What a sealed value of JSON begins with; the key's name in hexadecimal and a colon follow.
  static let word = #""sealed:"#

  private let keyring: MasterKeyring?

  /// - Parameter seal: nil keeps values as they are, and opens none that are sealed.
  public init(_ keyring: MasterKeyring?) { self.keyring = keyring }

  /// What goes into a column of bytes.
  ///
  /// - Parameter record: the values of the column's ``EncryptedColumn/key``, whole numbers in decimal.
  public func close(_ value: [UInt8], _ column: EncryptedColumn, of record: String...) -> [UInt8] {
    keyring.map { close(value, column, record, under: $0.roots[0]) } ?? value
  }

  /// What goes into a column of JSON: a JSON string with the sealed text.
  public func close(_ json: String, _ column: EncryptedColumn, of record: String...) -> String {
    keyring.map { close(json, column, record, under: $0.roots[0]) } ?? json
  }

  /// The JSON of a value, closed for its column.
  ///
  /// - Throws: ``StoreError`` with `unavailable` when JSON has no word for it.
  public func json(_ value: some Encodable, _ column: EncryptedColumn, of record: String...) throws -> String {
    let text: String
    do {
      text = String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    } catch {
      // Only a number that is none can be the reason, and it must not get into the database.
      throw StoreError(.unavailable, reason: "A value could not be written: \(type(of: error)).")
    }
    return keyring.map { close(text, column, record, under: $0.roots[0]) } ?? text
  }

  /// The bytes that a column holds.
  ///
  /// - Throws: ``StoreError`` with `unavailable` when they do not open in this place with this seal.
  public func open(_ value: [UInt8], _ column: EncryptedColumn, of record: String...) throws -> [UInt8] {
    try open(value, column, record)
  }

  /// The value that a column of JSON holds.
  ///
  /// - Throws: ``StoreError`` with `unavailable` when it does not open in this place with this seal, or is something else.
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
    // The library draws the nonce; a value has a key of its own, so that few are ever drawn for one.
    guard let box = try? AES.GCM.seal(value, using: root.columnKey(label), authenticating: label),
      let bytes = box.combined
    else { preconditionFailure("AES-GCM takes any bytes of this length") }
    return Array(bytes)
  }

  private func open(_ value: [UInt8], _ column: EncryptedColumn, _ record: [String]) throws -> [UInt8] {
    guard value.starts(with: Self.magic) else { return value }
    let (name, box) = (value.dropFirst(Self.magic.count).prefix(8), value.dropFirst(Self.magic.count + 8))
    return try opened(box, column, record) { $0.id.elementsEqual(name) }
  }

  private func open(_ text: String, _ column: EncryptedColumn, _ record: [String]) throws -> String {
    guard text.hasPrefix(Self.word) else { return text }
    let box = text.dropLast().split(separator: ":", omittingEmptySubsequences: false).last
      .flatMap { Data(base64Encoded: String($0)) }
    let bytes = try opened(box ?? Data(), column, record) { text.hasPrefix(Self.prefix($0)) }
    return String(decoding: bytes, as: UTF8.self)
  }

  private func opened(
    _ box: some Collection<UInt8>, _ column: EncryptedColumn, _ record: [String], _ isIts: (MasterKey) -> Bool
  ) throws -> [UInt8] {
    let label = column.label(of: record)
    guard let root = keyring?.roots.first(where: isIts),
      let value = MasterKeyring.opened(box, under: root.columnKey(label), label: label)
    else {
      throw StoreError(
        .unavailable,
        reason: """
          A value in \(column.table).\(column.name) does not open with the server's seal. Restore the seal's file that \
          belongs to this database, or the database from a backup.
          """)
    }
    return value
  }

  /// What JSON that a key closed begins with.
  private static func prefix(_ root: MasterKey) -> String { word + Hexadecimal.encode(root.id) + ":" }

  // MARK: - Sealing anew

  /// What a value under the newest key begins with, as bytes also where the column is a text; nil without a seal.
  public func prefix(of column: EncryptedColumn) -> [UInt8]? {
    keyring.map { column.isJSON ? Array(Self.prefix($0.roots[0]).utf8) : Self.magic + $0.roots[0].id }
  }

  /// The same value under the newest key, as bytes also where the column is a text.
  ///
  /// - Throws: ``StoreError`` with `unavailable` when it does not open in this place with this seal.
  func renewed(_ value: [UInt8], _ column: EncryptedColumn, of record: [String]) throws -> [UInt8] {
    guard let root = keyring?.roots[0] else { return value }
    guard column.isJSON else { return close(try open(value, column, record), column, record, under: root) }
    let json = try open(String(decoding: value, as: UTF8.self), column, record)
    return Array(close(json, column, record, under: root).utf8)
  }
}
