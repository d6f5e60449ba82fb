public import MienCore
internal import Synchronization

/// Monitors the availability of external dependencies by probing each of them every two seconds.
///
/// Probes run on a schedule instead of on request: anyone may request the readiness status, and such requests must not
/// cause load on the database.
public final class DependencyHealthMonitor: Sendable {
  private struct State {
    /// Start of the current probe.
    var began: MonotonicInstant?
    var isAway = false
  }

  /// Interval between two probes of a dependency.
  public static let pause = Interval.seconds(2)
  /// Time without a response after which a dependency is unavailable.
  public static let timeout = Interval.seconds(5)

  public let parts: [ExternalDependency]
  private let clock: any ServiceClock
  private let states: Mutex<[State]>

  public init(_ parts: [ExternalDependency], clock: any ServiceClock) {
    self.parts = parts
    self.clock = clock
    states = Mutex(parts.map { _ in State() })
  }

  /// Probes a dependency.
  ///
  /// - Parameter index: its index in ``parts``.
  /// - Returns: `true` if it has become unavailable, `false` if it has become available, `nil` if nothing changed since
  ///   the last probe.
  public func probe(at index: Int) async -> Bool? {
    states.withLock { $0[index].began = clock.now() }
    var isAway = false
    do {
      try await parts[index].look()
    } catch is CancellationError {
      // A canceled probe has no result.
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

  /// Dependencies that failed their last probe, or have not responded for ``timeout``.
  public var away: [ExternalDependency] {
    let now = clock.now()
    return states.withLock { states in
      zip(parts, states).filter { $1.isAway || $1.began.map { $0 + Self.timeout <= now } == true }.map(\.0)
    }
  }
}
