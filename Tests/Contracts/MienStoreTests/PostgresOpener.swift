import MienCore
import MienSecurity

@testable import MienStore

struct PostgresOpener: StoreOpener {
  private let server: PostgresServer
  private let prefix = "t\(UInt64.random(in: 0 ... .max))"

  init() throws { server = try PostgresServer.shared.get() }

  func open(_ name: String, server: String, keyring: MasterKeyring?) async throws -> PostgresStore {
    try await PostgresStore(
      self.server.address("&connection_limit=8", schema: "\(prefix)\(name)"), server: server, keyring: keyring)
  }

  func pass(_ interval: Interval, in store: PostgresStore) async throws {
    _ = try await store.change(
      "Passing time", "UPDATE mien.sign_in_try SET full_ms = full_ms - $1", [interval.nanoseconds / 1_000_000])
  }
}
