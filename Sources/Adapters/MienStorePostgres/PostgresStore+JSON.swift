internal import Foundation
internal import MienService

extension PostgresStore {
  /// Encodes a value as JSON text for a column.
  static func json(_ value: some Encodable) throws -> String {
    do {
      return String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    } catch {
      // The only possible cause is a non-finite number, which must not be stored.
      throw StoreError(.unavailable, reason: "A value could not be written: \(type(of: error)).")
    }
  }

  /// Decodes a value that ``json(_:)`` encoded.
  static func value<Value: Decodable>(_ text: String, _ what: String) throws -> Value {
    do {
      return try JSONDecoder().decode(Value.self, from: Data(text.utf8))
    } catch {
      throw damaged(what)
    }
  }
}

extension PostgresConnection {
  /// Queues the insertion of any number of rows with one statement, as ``send(_:_:)`` does.
  mutating func insert(
    _ table: String, _ columns: [String], _ rows: [[(any PostgresBindable)?]]
  ) throws(PostgresError) {
    guard !rows.isEmpty else { return }
    let places = rows.indices.map { row in
      let numbers = columns.indices.map { "$\(row * columns.count + $0 + 1)" }
      return "(\(numbers.joined(separator: ", ")))"
    }
    try send(
      "INSERT INTO mien.\(table) (\(columns.joined(separator: ", "))) VALUES \(places.joined(separator: ", "))",
      rows.flatMap(\.self))
  }
}
