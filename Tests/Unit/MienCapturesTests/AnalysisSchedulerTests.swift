import MienAuthenticity
import MienImaging
import MienCore
import MienPlatform
import MienCaptures
import MienTestSupport
import Testing

@Suite struct `Capture analysis scheduler` {
  private static let scene = CaptureInput(image: YCbCrImage())

  private static func job(
    _ group: CheckGroup, _ work: @escaping @Sendable () -> Void = {}
  ) -> CaptureAnalyzer.Job {
    CaptureAnalyzer.Job(group: group) {
      work()
      return CaptureAnalyzer.Part(
        readings: [],
        report: .moire(
          MoireReport(detected: true, confidence: 1, screenType: nil, peaks: [], algorithmVersion: "1")))
    }
  }

  @Test func `a job that takes too long is omitted without waiting`() async {
    let clock = ManualClock()
    let scheduler = AnalysisScheduler(
      clock: clock, places: 1, maximumWaiting: 1, timeout: .seconds(5),
      analyzer: FixedJobs([Self.job(.moire) { clock.advance(by: .seconds(6)) }]))
    let late = await scheduler.results(of: Self.scene)
    #expect(late[.moire]?.outcome == .notAssessed(.tooSlow) && late.moire == nil && late.timings[.moire] == nil)
  }

  @Test func `jobs run concurrently and results are combined with their durations`() async {
    let clock = ManualClock()
    let scheduler = AnalysisScheduler(
      clock: clock, places: 1, maximumWaiting: 1, timeout: .seconds(5),
      analyzer: FixedJobs([
        Self.job(.moire) { clock.advance(by: .seconds(1)) }, Self.job(.texture), Self.job(.depth),
      ]))
    let results = await scheduler.results(of: Self.scene)
    #expect(results.moire?.detected == true && results.readings.isEmpty)
    #expect(Set(results.timings.keys) == [.moire, .texture, .depth])
    #expect((results.timings[.moire] ?? .nan) >= 1000)
    await scheduler.expireAndPurge()
  }

  @Test func `no jobs give no results`() async {
    let scheduler = AnalysisScheduler(clock: ManualClock(), places: 1, maximumWaiting: 1, analyzer: FixedJobs())
    #expect(await scheduler.results(of: Self.scene).hasAnyResults == false)
  }

  @Test func `jobs beyond the queue limit are rejected with a retry delay`() async throws {
    let scheduler = AnalysisScheduler(clock: ManualClock(), places: 1, maximumWaiting: 0, analyzer: FixedJobs())
    let refused = try await scheduler.atPlace {
      await #expect(throws: ServiceError.self) { try await scheduler.atPlace {} }
    }
    #expect(refused?.code == .busy)
    try await scheduler.atPlace {}
    let failed = await #expect(throws: ServiceError.self) {
      try await scheduler.atPlace { throw ServiceError(.badValue, "an example") }
    }
    #expect(failed?.code == .badValue)
    try await scheduler.atPlace {}
  }

  @Test func `queued jobs run in order`() async throws {
    let scheduler = AnalysisScheduler(clock: ManualClock(), places: 2, maximumWaiting: 100, analyzer: FixedJobs())
    let callers = ConcurrentCallers()
    try await withThrowingTaskGroup(of: Void.self) { group in
      for _ in 0..<40 {
        group.addTask {
          try await scheduler.atPlace {
            await callers.enter()
            for _ in 0..<5 { await Task.yield() }
            await callers.leave()
          }
        }
      }
      try await group.waitForAll()
    }
    #expect(await callers.maximum <= 2, "at most as many callers as slots")
    #expect(await callers.total == 40)
    #expect(await callers.current == 0)
  }
}

/// The same jobs for every capture; none by default.
struct FixedJobs: CaptureAnalyzing {
  private let jobs: [CaptureAnalyzer.Job]

  init(_ jobs: [CaptureAnalyzer.Job] = []) { self.jobs = jobs }

  func jobs(for capture: CaptureInput) -> [CaptureAnalyzer.Job] { jobs }
}

/// Counts concurrent callers.
private actor ConcurrentCallers {
  private(set) var (current, maximum, total) = (0, 0, 0)

  func enter() {
    current += 1
    total += 1
    maximum = max(maximum, current)
  }

  func leave() { current -= 1 }
}
