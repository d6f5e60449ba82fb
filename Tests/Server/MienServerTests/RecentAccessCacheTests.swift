import MienCore
import MienPlatform
import Testing

@testable import MienServer

/// Deduplication of audit entries.
@Suite struct `Recent accesses in the audit log` {
  @Test func `an access is repeated for a minute, also after the clock was set back`() {
    let cache = RecentAccessCache()
    let now = UnixTime(milliseconds: 10_000_000)
    #expect(!cache.isRecent("key/a read scan/1", at: now))
    cache.remember("key/a read scan/1", at: now)
    #expect(cache.isRecent("key/a read scan/1", at: now.adding(.seconds(59))))
    #expect(!cache.isRecent("key/a read scan/2", at: now))
    #expect(!cache.isRecent("key/a read scan/1", at: now.adding(.seconds(60))))
    #expect(!cache.isRecent("key/a read scan/1", at: UnixTime(milliseconds: 1_000_000)))
  }
}
