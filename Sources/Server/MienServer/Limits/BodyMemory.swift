internal import MienLiveSessions
internal import MienPlatform
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#endif

/// Memory budget for request bodies, shared fairly among clients.
///
/// A client may use as much as remains free for all others: on its own, half of the budget; several clients that send
/// as much as they can each use an equal share, with the same amount left for the next. Memory is released when the
/// request has been answered, because data derived from the body lives as long. Bodies that are written to files are
/// not counted.
public final class BodyMemory: Sendable {
  fileprivate struct State {
    var used = 0
    var clients: [String: Int] = [:]
    /// Peak usage since memory was last returned to the operating system.
    var peak = 0
    var sessions: [String: Int] = [:]
  }

  /// Maximum number of bodies of one check or performance that are read concurrently: one, and retries after a lost
  /// connection.
  static let bodiesOfSession = 3
  /// The same for a client that numbers its frames and has several in progress.
  static let bodiesOfWindow = FrameSequence.maximumWindow + 2

  /// Budget in bytes.
  public let limit: Int
  private let state = Mutex(State())

  public init(limit: Int) { self.limit = limit }

  var used: Int { state.withLock { $0.used } }

  /// Returns `true` if `bytes` more would currently fit a client's share.
  func allows(_ bytes: Int, for client: String) -> Bool { state.withLock { $0.allows(bytes, client, of: limit) } }

  /// Reserves bytes for a client; returns `false` and reserves nothing if they currently exceed its share.
  func take(_ bytes: Int, for client: String) -> Bool {
    state.withLock { state in
      guard state.allows(bytes, client, of: limit) else { return false }
      state.used += bytes
      state.clients[client, default: 0] += bytes
      state.peak = max(state.peak, state.used)
      return true
    }
  }

  func give(_ bytes: Int, of client: String) {
    guard bytes > 0 else { return }
    state.withLock { state in
      state.used -= bytes
      guard let held = state.clients[client] else { return }
      state.clients[client] = held > bytes ? held - bytes : nil
    }
  }

  /// Reads a body of a check or performance; rejects it if too many bodies of the same one are being read.
  ///
  /// - Throws: ``ServiceError`` with `frameInFlight`, before anything is read.
  func reading<Value>(
    _ session: String, most: Int = bodiesOfSession, _ read: () async throws -> Value
  ) async throws -> Value {
    let isFree = state.withLock { state in
      let count = state.sessions[session, default: 0]
      guard count < most else { return false }
      state.sessions[session] = count + 1
      return true
    }
    guard isFree else {
      throw ServiceError(
        .frameInFlight, "Other requests of this session are being read. Send the next one after the response.")
    }
    defer {
      state.withLock { state in
        guard let count = state.sessions[session] else { return }
        state.sessions[session] = count > 1 ? count - 1 : nil
      }
    }
    return try await read()
  }

  /// Calls `malloc_trim` of the GNU C library, whose header is not visible to Swift; elsewhere it is left to the
  /// allocator.
  private static func trimHeap() {
    #if canImport(Glibc)
      guard let symbol = unsafe dlsym(nil, "malloc_trim") else { return }
      let trim = unsafe unsafeBitCast(symbol, to: (@convention(c) (Int) -> CInt).self)
      _ = trim(0)
    #endif
  }

  /// Returns memory to the operating system after many or large bodies. Call it about once a second.
  public func trim() {
    let isDue = state.withLock { state in
      guard state.peak >= 16 << 20, state.used < state.peak / 4 else { return false }
      state.peak = state.used
      return true
    }
    if isDue { Self.trimHeap() }
  }
}

extension BodyMemory.State {
  fileprivate func allows(_ bytes: Int, _ client: String, of limit: Int) -> Bool {
    clients[client, default: 0] + bytes <= limit - used - bytes
  }
}

/// Body memory reserved by one request.
final class BodyLease: Sendable {
  /// Lease of the current request; `nil` outside of requests.
  @TaskLocal static var current: BodyLease?

  private let memory: BodyMemory
  private let client: String
  private let bytes = Mutex(0)

  /// - Parameter client: an address, a key or a token.
  init(_ memory: BodyMemory, client: String) {
    self.memory = memory
    self.client = client
  }

  /// Throws if a body of `count` bytes does not currently fit, before any of it is read.
  func expect(_ count: Int) throws {
    guard memory.allows(count, for: client) else { throw Self.full }
  }

  func take(_ count: Int) throws {
    guard memory.take(count, for: client) else { throw Self.full }
    bytes.withLock { $0 += count }
  }

  /// Releases all reserved memory.
  func end() {
    let count = bytes.withLock { bytes in
      defer { bytes = 0 }
      return bytes
    }
    memory.give(count, of: client)
  }

  private static var full: ServiceError {
    ServiceError(
      .busy, "The memory for request bodies, or one client's share of it, is used up. Try again shortly.",
      retryAfter: 1)
  }
}
