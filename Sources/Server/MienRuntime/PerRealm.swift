package import MienPlatform

/// One value for each realm.
package struct PerRealm<Value: Sendable>: Sendable {
  private let live: Value
  private let sandbox: Value

  /// Creates the values one after the other, the live realm's first.
  init(_ make: (Realm) async throws -> Value) async rethrows {
    live = try await make(.live)
    sandbox = try await make(.sandbox)
  }

  package subscript(realm: Realm) -> Value {
    switch realm {
    case .live: live
    case .sandbox: sandbox
    }
  }

  /// Values in the order of `Realm.allCases`.
  package var all: [Value] { Realm.allCases.map { self[$0] } }
}
