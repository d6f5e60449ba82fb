internal import MienCore
internal import MienPlatform

/// Detects changes of a realm's lists for the clients that watch them.
///
/// Every second, as long as a client watches, the newest records are compared with those of the second before. The database is asked
/// instead of the code that writes to it, because another server may have written.
actor RecordChangeFeed {
  /// Lists of records that can change.
  enum List: String, CaseIterable, Sendable {
    case checks, captures, messages, webhooks
  }

  enum Event: Hashable, Sendable {
    case changed(List)
    /// Nothing changed for a while: keeps the connection open, and detects a client that is gone.
    case idle
  }

  private struct Watcher {
    let continuation: AsyncStream<Event>.Continuation
    var seconds = 0
    var secondsIdle = 0
  }

  /// Seconds after which an event is sent anyway.
  private static let idleSeconds = 15
  /// Seconds after which a stream ends. The client connects again, so that a key or session that has ended meanwhile is refused.
  private static let streamSeconds = 60

  private let clock: any ServiceClock
  private let read: @Sendable (List) async throws -> [String]?
  private var watchers: [Int: Watcher] = [:]
  private var nextID = 0
  private var isRunning = false
  private var known: [List: [String]] = [:]

  /// - Parameter read: returns the newest records of a list as texts that differ if the records do; `nil` if the list does not exist.
  init(clock: any ServiceClock, read: @escaping @Sendable (List) async throws -> [String]?) {
    self.clock = clock
    self.read = read
  }

  /// `true` while a client watches.
  var isWatched: Bool { !watchers.isEmpty }

  /// Returns the events from now on. Changes that were committed before are not among them.
  func watch() -> AsyncStream<Event> {
    let (stream, continuation) = AsyncStream.makeStream(of: Event.self, bufferingPolicy: .bufferingNewest(16))
    let id = nextID
    nextID += 1
    watchers[id] = Watcher(continuation: continuation)
    continuation.onTermination = { [weak self] _ in Task { await self?.remove(id) } }
    if !isRunning {
      isRunning = true
      known = [:]
      Task { await run() }
    }
    return stream
  }

  private func remove(_ id: Int) { watchers[id] = nil }

  private func run() async {
    defer { isRunning = false }
    while !watchers.isEmpty {
      for list in List.allCases {
        // A database that does not respond is queried again a second later.
        guard let now = try? await read(list) else { continue }
        let before = known.updateValue(now, forKey: list)
        if let before, before != now { send(.changed(list)) }
      }
      do {
        try await clock.sleep(for: .seconds(1))
      } catch {
        break
      }
      pass()
    }
    for watcher in watchers.values { watcher.continuation.finish() }
  }

  private func send(_ event: Event) {
    for id in watchers.keys {
      watchers[id]?.continuation.yield(event)
      watchers[id]?.secondsIdle = 0
    }
  }

  /// Counts a second for every watcher.
  private func pass() {
    for id in watchers.keys {
      watchers[id]?.seconds += 1
      watchers[id]?.secondsIdle += 1
      guard let watcher = watchers[id] else { continue }
      if watcher.seconds >= Self.streamSeconds {
        watcher.continuation.finish()
        watchers[id] = nil
      } else if watcher.secondsIdle >= Self.idleSeconds {
        watcher.continuation.yield(.idle)
        watchers[id]?.secondsIdle = 0
      }
    }
  }
}
