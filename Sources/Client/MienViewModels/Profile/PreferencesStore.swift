internal import Foundation

/// Stores values of view models as JSON. Unreadable values count as missing, so that they never prevent a start.
struct PreferencesStore: Sendable {
  let store: any FlowStore

  func read<Value: Decodable>(_ name: String, as: Value.Type = Value.self) -> Value? {
    store.read(name).flatMap { try? JSONDecoder().decode(Value.self, from: Data($0)) }
  }

  /// - Throws: the store's errors.
  func save(_ name: String, _ value: (some Encodable)?) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    try store.write(name, try value.map { Array(try encoder.encode($0)) })
  }
}
