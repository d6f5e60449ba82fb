import Foundation
import MienCore
import MienService

/// The machine's clocks; the only place that reads them.
struct SystemClock: ServiceClock {
  private let origin = ContinuousClock.now

  func now() -> MonotonicInstant {
    let (seconds, attoseconds) = (ContinuousClock.now - origin).components
    return MonotonicInstant(nanoseconds: seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
  }

  func timeOfDay() -> UnixTime { UnixTime(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) }
}
