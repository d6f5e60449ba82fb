internal import MienCore
internal import MienPlatform
internal import Synchronization

/// Deduplicates audit entries for repeated accesses within one minute, such as reading all images of a scan.
final class RecentAccessCache: Sendable {
  private static let minute = Interval.seconds(60)
  private static let most = 10_000

  private let ends = Mutex<[String: UnixTime]>([:])

  func isRecent(_ sight: String, at now: UnixTime) -> Bool {
    ends.withLock { ends in ends[sight].map { now < $0 } ?? false }
  }

  func remember(_ sight: String, at now: UnixTime) {
    ends.withLock { ends in
      if ends.count >= Self.most { ends = ends.filter { now < $0.value } }
      if ends.count < Self.most { ends[sight] = now.adding(Self.minute) }
    }
  }
}
