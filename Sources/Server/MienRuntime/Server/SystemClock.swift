internal import Foundation
package import MienCore
package import MienPlatform

/// System clocks, read nowhere else.
package struct SystemClock: ServiceClock {
  private let origin = ContinuousClock.now

  package init() {}

  package func now() -> MonotonicInstant {
    let (seconds, attoseconds) = (ContinuousClock.now - origin).components
    return MonotonicInstant(nanoseconds: seconds * 1_000_000_000 + attoseconds / 1_000_000_000)
  }

  package func timeOfDay() -> UnixTime { UnixTime(milliseconds: Int64(Date().timeIntervalSince1970 * 1000)) }
}
