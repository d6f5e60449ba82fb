internal import MienService
internal import Synchronization

#if canImport(Glibc)
  internal import Glibc
#endif

/// The memory that request bodies may take, divided fairly between those who send them.
///
/// A client may hold as much as is still free for everybody else: alone half of it, and of many who send as much as they can each an
/// equal part, with as much left for the next one. What a request has taken it keeps until it is answered, since what is made of its
/// body stays as long. Bodies that go to files are not counted.
public final class BodyMemory: Sendable {
  fileprivate struct State {
    var used = 0
    var clients: [String: Int] = [:]
    /// The most that was used since memory was last given back to the system.
    var peak = 0
    var sessions: [String: Int] = [:]
  }

  /// How many bodies of one check or performance may be read at once: one, and what a client sends anew that lost a connection.
  static let bodiesOfSession = 3

  /// In bytes.
  public let limit: Int
  private let state = Mutex(State())

  public init(limit: Int) { self.limit = limit }

  var used: Int { state.withLock { $0.used } }

  /// Whether a client could take so many bytes now.
  func allows(_ bytes: Int, for client: String) -> Bool { state.withLock { $0.allows(bytes, client, of: limit) } }

  /// Counts bytes for a client; false, and nothing is counted, when they are too many now.
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

  /// Reads a body of a check or performance; refuses one when others of the same are being read already.
  ///
  /// - Throws: ``ServiceError`` with `frameInFlight`, before anything is read.
  func reading<Value>(_ session: String, _ read: () async throws -> Value) async throws -> Value {
    let isFree = state.withLock { state in
      let count = state.sessions[session, default: 0]
      guard count < Self.bodiesOfSession else { return false }
      state.sessions[session] = count + 1
      return true
    }
    guard isFree else {
      throw ServiceError(
        .frameInFlight, "Other requests of this session are being read. Send the next one when the reply is in.")
    }
    defer {
      state.withLock { state in
        guard let count = state.sessions[session] else { return }
        state.sessions[session] = count > 1 ? count - 1 : nil
      }
    }
    return try await read()
  }

  /// Calls `malloc_trim` of the GNU C library, whose header Swift does not see; elsewhere the allocator decides for itself.
  private static func giveBack() {
    #if canImport(Glibc)
      guard let symbol = unsafe dlsym(nil, "malloc_trim") else { return }
      let trim = unsafe unsafeBitCast(symbol, to: (@convention(c) (Int) -> CInt).self)
      _ = trim(0)
    #endif
  }

  /// Gives memory back to the system after many or large bodies. Call it every second or so.
  public func trim() {
    let isDue = state.withLock { state in
      guard state.peak >= 16 << 20, state.used < state.peak / 4 else { return false }
      state.peak = state.used
      return true
    }
    if isDue { Self.giveBack() }
  }
}

extension BodyMemory.State {
  fileprivate func allows(_ bytes: Int, _ client: String, of limit: Int) -> Bool {
    clients[client, default: 0] + bytes <= limit - used - bytes
  }
}

/// What one request has taken of the memory for bodies.
final class BodyLease: Sendable {
  /// Of the request that is being answered; nil outside of requests.
  @TaskLocal static var current: BodyLease?

  private let memory: BodyMemory
  private let client: String
  private let bytes = Mutex(0)

  /// - Parameter client: an address, a key or a token.
  init(_ memory: BodyMemory, client: String) {
    self.memory = memory
    self.client = client
  }

  /// Refuses a body that is too large for what is free now, before anything of it is read.
  func expect(_ count: Int) throws {
    guard memory.allows(count, for: client) else { throw Self.full }
  }

  func take(_ count: Int) throws {
    guard memory.take(count, for: client) else { throw Self.full }
    bytes.withLock { $0 += count }
  }

  /// Gives everything back.
  func end() {
    let count = bytes.withLock { bytes in
      defer { bytes = 0 }
      return bytes
    }
    memory.give(count, of: client)
  }

  private static var full: ServiceError {
    ServiceError(
      .busy, "The server holds as much of requests' bodies as it takes, or as one client may have. Try again shortly.",
      retryAfter: 1)
  }
}
