public import MienCore
internal import Synchronization

/// Knows which parts outside the process are away, since it looks at each of them every two seconds.
///
/// It looks by itself and not when it is asked: anybody may ask whether a server is ready, and nobody's asking is to become
/// work for the database.
public final class DependencyHealthMonitor: Sendable {
  private struct State {
    /// When the look under way began.
    var began: MonotonicInstant?
    var isAway = false
  }

  /// Between two looks at a part.
  public static let pause = Interval.seconds(2)
  /// A part that has not answered for so long is away.
  public static let patience = Interval.seconds(5)

  public let parts: [ExternalDependency]
  private let clock: any ServiceClock
  private let states: Mutex<[State]>

  public init(_ parts: [ExternalDependency], clock: any ServiceClock) {
    self.parts = parts
    self.clock = clock
    states = Mutex(parts.map { _ in State() })
  }

  /// Looks at a part.
  ///
  /// - Parameter index: its place in ``parts``.
  /// - Returns: whether it is away now, when that has changed since the last look; else nil.
  public func probe(at index: Int) async -> Bool? {
    states.withLock { $0[index].began = clock.now() }
    var isAway = false
    do {
      try await parts[index].look()
    } catch is CancellationError {
      // Whoever stops looking has seen nothing.
      states.withLock { $0[index].began = nil }
      return nil
    } catch {
      isAway = true
    }
    return states.withLock { states in
      defer { states[index] = State(began: nil, isAway: isAway) }
      return states[index].isAway == isAway ? nil : isAway
    }
  }

  /// The parts that were not there when they were looked at last, or have not answered for ``patience``.
  public var away: [ExternalDependency] {
    let now = clock.now()
    return states.withLock { states in
      zip(parts, states).filter { $1.isAway || $1.began.map { $0 + Self.patience <= now } == true }.map(\.0)
    }
  }
}
