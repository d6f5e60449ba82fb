internal import Foundation

/// Values of flows in a store, as JSON. What cannot be read is as good as not there: no start fails because of it.
struct PreferencesStore: Sendable {
  let store: any FlowStore

  func read<Value: Decodable>(_ name: String, as: Value.Type = Value.self) -> Value? {
    store.read(name).flatMap { try? JSONDecoder().decode(Value.self, from: Data($0)) }
  }

  /// - Throws: what the store throws.
  func save(_ name: String, _ value: (some Encodable)?) throws {
    let encoder = JSONEncoder()
    encoder.outputFormatting = .sortedKeys
    try store.write(name, try value.map { Array(try encoder.encode($0)) })
  }
}
