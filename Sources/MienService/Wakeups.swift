internal import Synchronization

/// Wakes each thread once for all that was done for it, and not once for each piece.
///
/// A thread that finishes what many wait for, and wakes another for the first of them, may lose its processor to that one before it
/// comes to the second: each piece then costs two changes of threads. What runs tasks looks here whether somebody is about to bring
/// more, and is woken when all is brought.
public final class Wakeups: Sendable {
  /// Those that wait for the end of ``together(_:)``; nil where nobody brings several things.
  @TaskLocal public static var current: Wakeups?

  private let waiting = Mutex<[@Sendable () -> Void]>([])

  private init() {}

  /// Wakes somebody once all is brought.
  public func add(_ wake: @escaping @Sendable () -> Void) { waiting.withLock { $0.append(wake) } }

  /// Brings several things, and wakes whoever waits for them afterwards.
  public static func together(_ bring: () -> Void) {
    let wakeups = Wakeups()
    $current.withValue(wakeups) { bring() }
    for wake in wakeups.waiting.withLock({ $0 }) { wake() }
  }
}
