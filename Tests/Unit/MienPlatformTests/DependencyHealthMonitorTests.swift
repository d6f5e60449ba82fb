import MienCore
import MienTestSupport
import Synchronization
import Testing

@testable import MienPlatform

@Suite struct `Dependency health` {
  private struct Gone: Error {}

  /// Simulated dependency.
  private final class Part: Sendable {
    let isGone = Mutex(false)
    let isSilent = Mutex(false)
    private let door = Mutex<CheckedContinuation<Void, any Error>?>(nil)

    func look() async throws {
      if isSilent.withLock({ $0 }) {
        try await withCheckedThrowingContinuation { found in door.withLock { $0 = found } }
      }
      if isGone.withLock({ $0 }) { throw Gone() }
    }

    /// Returns the continuation of the pending health check, waiting for it if necessary.
    func answer() async throws -> CheckedContinuation<Void, any Error> {
      try await eventually { door.withLock { $0 != nil } }
      return try #require(door.withLock { $0.take() })
    }
  }

  private let clock = ManualClock()
  private let database = Part()
  private let objects = Part()
  private let watch: DependencyHealthMonitor

  init() {
    watch = DependencyHealthMonitor(
      [
        ExternalDependency(.database, isVital: true, look: database.look),
        ExternalDependency(.objectStore, isVital: false, look: objects.look),
      ], clock: clock)
  }

  @Test func `dependencies are available until a probe fails`() async {
    #expect(watch.away.isEmpty)
    #expect(await watch.probe(at: 0) == nil)
    #expect(watch.away.isEmpty)
  }

  @Test func `an outage and a recovery are each reported once`() async {
    objects.isGone.withLock { $0 = true }
    #expect(watch.away.isEmpty, "not probed yet")
    #expect(await watch.probe(at: 1) == true)
    #expect(await watch.probe(at: 1) == nil)
    #expect(watch.away.map(\.kind) == [.objectStore])
    #expect(await watch.probe(at: 0) == nil)
    #expect(watch.away.map(\.code) == ["object-store-unavailable"], "dependencies are independent")
    objects.isGone.withLock { $0 = false }
    #expect(await watch.probe(at: 1) == false)
    #expect(await watch.probe(at: 1) == nil)
    #expect(watch.away.isEmpty)
  }

  @Test func `a dependency without a reply is unavailable after the timeout until it replies`() async throws {
    database.isSilent.withLock { $0 = true }
    let look = Task { await watch.probe(at: 0) }
    let found = try await database.answer()
    clock.advance(by: .seconds(DependencyHealthMonitor.timeout.inSeconds - 0.1))
    #expect(watch.away.isEmpty)
    clock.advance(by: .seconds(0.2))
    #expect(watch.away.map(\.kind) == [.database])
    found.resume()
    #expect(await look.value == nil, "the probe succeeded")
    #expect(watch.away.isEmpty)
  }

  @Test func `a canceled probe does not report an outage`() async throws {
    database.isSilent.withLock { $0 = true }
    let look = Task { await watch.probe(at: 0) }
    let found = try await database.answer()
    found.resume(throwing: CancellationError())
    #expect(await look.value == nil)
    clock.advance(by: .seconds(100))
    #expect(watch.away.isEmpty)
  }
}
